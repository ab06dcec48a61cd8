"""Parsing of rates, never-lines, agreements, goal, deadline and preference."""

from __future__ import annotations

from collections.abc import Iterable

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.dimensions import TIME, Dimension
from impossible_moments.mechanics.language.expression_types import NonNumericType
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.records.line_findings import parse_line_or_report
from impossible_moments.mechanics.records.lines import parse_line
from impossible_moments.mechanics.records.quantities import QuantityKind
from impossible_moments.mechanics.world.building.world_draft import WorldDraft
from impossible_moments.mechanics.world.world_model import (
    ELAPSED,
    ActionEffect,
    NamedCondition,
    NeverRule,
    NeverRuleSource,
    PlanPreference,
)


def read_rates(draft: WorldDraft) -> None:
    """Read the rates at which states change without an action."""
    example = "level = leak/area if not hole.shut else 0[m/s]"
    for number, line in enumerate(draft.record.rates):
        path = f"/rates/{number}"
        parts = parse_line_or_report(line, path, draft.findings, example=example, code="rate.form")
        if parts is None:
            continue
        path = f"/rates/{parts.head}"
        if not draft.is_state(parts.head):
            kind = draft.quantities[parts.head].kind if parts.head in draft.quantities else "unknown"
            draft.findings.add(
                "rate.form",
                path,
                f"a rate is given for `{parts.head}`, which is {kind}, but only a state can have a rate",
                found=line,
                expected=f"quantities: `{parts.head} = 0[m] (0..3) state`",
            )
            continue
        if parts.head in draft.rates:
            draft.findings.add(
                "name.twice",
                path,
                f"the state `{parts.head}` has two rates",
                found=line,
                expected="one rate with if-else",
            )
            continue
        tree = draft.parse_expression(parts.body, path, example)
        if tree is None:
            continue
        draft.report_unnamed_literals(tree, path)
        measured = draft.infer_quantity_type(parts.head)
        expected_dimension = measured / TIME if isinstance(measured, Dimension) else None
        if (
            expected_dimension is not None
            and draft.check_expression_type(tree, path, expected=expected_dimension) is not None
        ):
            draft.rates[parts.head] = tree
            draft.mutable.add(parts.head)


def add_clock_rate(draft: WorldDraft, goal: Expression, effects: Iterable[ActionEffect]) -> None:
    """Add a rate for `elapsed` if any expression of the world reads it.

    `effects` are the effects of puzzle answers, which are not part of the draft.
    """
    trees = [goal, *(effect.tree for effect in effects), *_collect_draft_expressions(draft)]
    if ELAPSED in draft.rates or any(ELAPSED in ex.collect_paths(tree) for tree in trees):
        draft.rates[ELAPSED] = ex.Number(1.0, text="1")
        draft.mutable.add(ELAPSED)


def _collect_draft_expressions(draft: WorldDraft) -> list[Expression]:
    trees = [*draft.rates.values(), *(never.tree for never in draft.never_rules)]
    trees += [role.test for role in draft.roles.values()]
    trees += [
        quantity.tree for quantity in draft.quantities.values() if quantity.kind is QuantityKind.DERIVED
    ]
    for action in draft.actions.values():
        trees += (
            [condition.tree for condition in action.when]
            + [effect.tree for effect in action.then]
            + [action.takes]
        )
    return trees


def read_never_rules(draft: WorldDraft) -> None:
    """Read the never-lines of the library and the record, with the source that imposes each."""
    for line in draft.library.form.never:
        parts = parse_line(line, example="name = condition @ law")
        tree = draft.parse_expression(parts.body, "/library/never")
        if tree is not None and all(name in draft.quantities for name in ex.collect_paths(tree)):
            draft.never_rules.append(NeverRule(parts.head, tree, NeverRuleSource.LIBRARY, parts.evidence))
    for number, line in enumerate(draft.record.never):
        _add_never_rule(draft, line, f"/never/{number}")


def _add_never_rule(draft: WorldDraft, line: str, path: str) -> None:
    example = "ablaze = core >= kindle @ at {kindle|K} it takes fire"
    parts = parse_line_or_report(line, path, draft.findings, example=example)
    if parts is None:
        return
    path = f"/never/{parts.head}"
    if any(never.name == parts.head for never in draft.never_rules):
        draft.findings.add(
            "name.twice",
            path,
            f"two never-lines are named `{parts.head}`",
            found=line,
            expected="another name",
        )
        return
    tree = draft.parse_expression(parts.body, path, example)
    if tree is None or draft.check_expression_type(tree, path, expected=NonNumericType.TRUTH) is None:
        return
    draft.report_unnamed_literals(tree, path)
    imposed = _parse_never_rule_source(parts.evidence)
    if imposed is None:
        draft.findings.add(
            "never.evidence", path, f"no source is given for the never-line `{parts.head}`", found=line,
            expected="@ exact quote of the prose, @ library: law of nature, or @ premise: exact quote that only suggests it",
        )  # fmt: skip
        return
    by, evidence = imposed
    if by is NeverRuleSource.LIBRARY and evidence not in draft.library.never_names:
        draft.findings.add(
            "never.evidence", path, f"the library has no never-line `{evidence}`: the prose must state any law of nature that matters", found=line,
            expected=f"@ exact quote of the prose that states it, or @ library: one of {', '.join(sorted(draft.library.never_names))}",
        )  # fmt: skip
        return
    if by is NeverRuleSource.PREMISE:
        _report_measured_premise(draft, tree, path, line)
    draft.never_rules.append(NeverRule(parts.head, tree, by, evidence))


def _parse_never_rule_source(evidence: str) -> tuple[NeverRuleSource, str] | None:
    for word in (NeverRuleSource.LIBRARY, NeverRuleSource.PREMISE):
        if evidence.lower().startswith(f"{word}:") and evidence.partition(":")[2].strip():
            return word, evidence.partition(":")[2].strip()
    return (
        (NeverRuleSource.QUOTE, evidence)
        if evidence and evidence.lower().rstrip(":") not in {"library", "premise"}
        else None
    )


def _report_measured_premise(draft: WorldDraft, tree: Expression, path: str, line: str) -> None:
    for node in ex.walk_nodes(tree):
        if isinstance(node, ex.Name | ex.Property):
            measured = draft.look_up_type(node)
            if isinstance(measured, Dimension) and not measured.is_plain:
                draft.findings.add(
                    "premise.measured", path, f"the premise reads `{ex.format_expression(node)}`, a {measured}: a measured danger is a fact of the "
                    "world and cannot be challenged", found=line, expected="a premise about rules, places or counts; or a quote that imposes the danger",
                )  # fmt: skip


def read_agreements(draft: WorldDraft) -> tuple[NamedCondition, ...]:
    """Read the conditions that must hold among the stated numbers."""
    example = "diagonal_fits = diagonal == sqrt(side**2 + (side/2)**2)"
    found: list[NamedCondition] = []
    for number, line in enumerate(draft.record.agrees):
        path = f"/agrees/{number}"
        parts = parse_line_or_report(line, path, draft.findings, example=example)
        if parts is None:
            continue
        tree = draft.parse_expression(parts.body, path, example)
        if (
            tree is not None
            and draft.check_expression_type(tree, path, expected=NonNumericType.TRUTH) is not None
        ):
            found.append(NamedCondition(parts.head, tree))
    return tuple(found)


def read_goal(draft: WorldDraft) -> Expression:
    """Read the goal condition. Without one, the goal is to answer every puzzle."""
    if draft.record.goal is not None:
        tree = draft.parse_expression(draft.record.goal, "/goal", "you.at == 'out'")
        if (
            tree is not None
            and draft.check_expression_type(tree, "/goal", expected=NonNumericType.TRUTH) is not None
        ):
            draft.report_unnamed_literals(tree, "/goal")
            return tree
        return ex.FALSE
    if not draft.record.puzzles:
        draft.findings.add(
            "goal.missing", "/goal", "there is neither a goal nor a puzzle", expected="you.at == 'out'"
        )
        return ex.FALSE
    puzzle_conditions: tuple[Expression, ...] = tuple(
        ex.Property(puzzle.name, "answered") for puzzle in draft.record.puzzles
    )
    return puzzle_conditions[0] if len(puzzle_conditions) == 1 else ex.Conjunction(puzzle_conditions)


def read_deadline(draft: WorldDraft) -> Expression | None:
    """Read the deadline, a duration computed from the values at the start."""
    if draft.record.deadline is None:
        return None
    text = draft.record.deadline
    tree = draft.parse_expression(text, "/deadline", "left*bottle/(breathing*pressure)")
    if tree is None:
        return None
    draft.report_unnamed_literals(tree, "/deadline")
    found = draft.check_expression_type(tree, "/deadline")
    if found is None:
        return None
    if found != TIME:
        called = found.value if isinstance(found, NonNumericType) else str(found)
        draft.findings.add(
            "deadline.form",
            "/deadline",
            f"the deadline is a {called}, but it must be a time",
            found=text,
            expected="a quantity in [s], [min], [h]",
        )
        return None
    return tree


def read_preference(draft: WorldDraft) -> PlanPreference:
    """Read the preference that ranks working plans. The default is the largest margin."""
    text = draft.record.prefer
    if text is None:
        return PlanPreference()
    direction, _, criterion = text.strip().partition(" ")
    criterion = criterion.strip()
    allowed = {"margin", "time"} | (_list_states_in_goal_and_never_rules(draft))
    if (
        direction not in {"most", "least"}
        or criterion not in allowed
        or (criterion in {"margin", "time"} and (direction == "most") != (criterion == "margin"))
    ):
        draft.findings.add(
            "status.best", "/prefer", "plans can only be ranked by margin, by time, or by a state that the goal or a never-line reads", found=text,
            expected="most margin, least time" + "".join(f", most {name}, least {name}" for name in sorted(_list_states_in_goal_and_never_rules(draft))),
        )  # fmt: skip
        return PlanPreference()
    return PlanPreference(criterion, direction == "most")


def _list_states_in_goal_and_never_rules(draft: WorldDraft) -> set[str]:
    trees = [never.tree for never in draft.never_rules]
    if (
        draft.record.goal is not None
        and (goal := draft.parse_expression(draft.record.goal, "/goal")) is not None
    ):
        trees.append(goal)
    return {name for tree in trees for name in ex.collect_paths(tree) if draft.is_state(name)}
