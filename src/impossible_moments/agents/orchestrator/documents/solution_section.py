"""The head of the evaluation document: the answer by status, and what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.solution_plans import describe_premises
from impossible_moments.agents.orchestrator.documents.trace_parts.breakthrough_log import (
    render_candidate_notes,
)
from impossible_moments.agents.orchestrator.documents.wording.crux_wording import (
    describe_changes_of_best_plan,
)
from impossible_moments.agents.orchestrator.documents.wording.record_wording import (
    RecordWording,
    format_margin,
)
from impossible_moments.agents.orchestrator.documents.wording.verdict_reason import describe_verdict_reason
from impossible_moments.domain.validation import MathematicsReport
from impossible_moments.mechanics.checks import Crux, StatusVerdict
from impossible_moments.mechanics.execution import PlanOutcome
from impossible_moments.mechanics.records import LineError, parse_line
from impossible_moments.scenarios import (
    NOTHING,
    escape_block,
    escape_inline,
    join_paragraphs,
    render_bullet_list,
    render_table,
)

_CLOSED_BY: Final = {
    "library": "the library: no plan with everyday means that does this reaches the goal",
    "quote": "a statement of the text",
}


def render_solution_section(case: FinishedCase) -> str:
    """Render the answer, the computed verdict and the outcome of every approach.

    The criteria stand before all tables, because judges are shown the lists above the first table.
    """
    criteria = case.seed.solution_sketch.evaluation_criteria
    return join_paragraphs(
        f"Correct outcome: {escape_inline(case.seed.correct_outcome).rstrip('.') or NOTHING}.",
        _render_computed_verdict(case),
        render_bullet_list(criteria) if criteria else "",
        *_render_status_specific_paragraphs(case),
        _render_approach_table(case),
        render_candidate_notes(case.dossier),
    )


def _render_computed_verdict(case: FinishedCase) -> str:
    verdict, wording = case.report.verdict, case.wording
    if verdict is None or wording is None:
        errors = [str(finding) for finding in case.report.findings.errors]
        return join_paragraphs("The mechanics could not be computed:", render_bullet_list(errors))
    status, reason = verdict.status or "undecided", escape_inline(describe_verdict_reason(wording, verdict))
    return f"Computed: {status}, because {reason}. It holds within library {case.metadata.library}."


def _render_status_specific_paragraphs(case: FinishedCase) -> Iterator[str]:
    verdict, wording = case.report.verdict, case.wording
    if verdict is not None and wording is not None and case.status in _PARTS:
        yield from _PARTS[case.status](case, wording, verdict)


def _render_contested_crux(
    _case: FinishedCase, wording: RecordWording, verdict: StatusVerdict
) -> Iterator[str]:
    if verdict.crux is not None:
        name = wording.name_quantity(verdict.crux.quantity)
        changes = escape_inline(describe_changes_of_best_plan(wording, verdict.crux))
        yield f"The crux: {escape_inline(name)}, a disputed value. {changes}."


def _render_open_frontier_boundaries(
    _case: FinishedCase, wording: RecordWording, verdict: StatusVerdict
) -> Iterator[str]:
    form, frontier = wording.world.record.frontier, verdict.frontier
    if form is None or frontier is None:
        return
    sources = dict(_iterate_line_evidence(form.known))
    known = [
        (
            wording.describe_tree(tree).replace(" must be ", " was "),
            sources.get(name, ""),
            _format_gap(frontier.gaps.get(name)),
        )
        for name, tree in frontier.known.items()
    ]
    yield join_paragraphs(
        "**Knowledge boundary**: what has been shown, where, and by which factor an answer must at least pass it, "
        "over all values assumed and with the other limits kept if possible.",
        render_table(("Shown", "Where", "Least factor"), known),
    )
    envelope = [(wording.describe_tree(tree),) for tree in frontier.envelope.values()]
    yield join_paragraphs(
        "**Evaluation envelope**: what any valid answer must satisfy.",
        render_table(("Requirement",), envelope),
    )
    stated = [
        (wording.name_quantity(name), _format_range(wording, name, quantity.low, quantity.high))
        for name, quantity in frontier.claims.items()
    ]
    yield join_paragraphs("**What an answer states**", render_table(("Quantity", "Between"), stated))


def _iterate_line_evidence(lines: list[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        try:
            parsed = parse_line(line, example="")
        except LineError:
            continue
        yield parsed.head, parsed.evidence


def _format_gap(gap: float | None) -> str:
    return "depends on the other values" if gap is None else f"{gap:.3g}"


def _format_range(wording: RecordWording, name: str, low: float | None, high: float | None) -> str:
    ends = [wording.format_value(name, end) or f"{end:g}" for end in (low, high) if end is not None]
    return " and ".join(ends) or "any value"


def _render_impossibility_proof_and_cover(
    case: FinishedCase, wording: RecordWording, verdict: StatusVerdict
) -> Iterator[str]:
    report = case.dossier.find_latest_deliverable(MathematicsReport)
    for heading, proof in (
        ("**Impossibility proof**", case.seed.solution_sketch.impossibility_proof),
        ("**The same by exhaustive search**", report.impossibility_proof if report else ""),
    ):
        if proof:
            yield join_paragraphs(heading, escape_block(case.replace_record_names(proof)))
    if verdict.impossibility is not None:
        names = verdict.impossibility.blocking_conditions
        deciding = [name for name in names if not wording.acts.is_bookkeeping(name)] or names
        rows = list(dict.fromkeys((_describe_blocking_condition(wording, name),) for name in deciding))
        if rows:
            yield join_paragraphs(
                "**What would have to hold together, and cannot**", render_table(("Condition",), rows)
            )
    if verdict.cells:
        cells = (
            (
                wording.name_thing(cell.thing),
                cell.mechanism.replace("_", " "),
                _describe_closure(cell.closed_by) if cell.closed_by else f"open: {cell.lacks}",
            )
            for cell in verdict.cells
        )
        yield join_paragraphs(
            "**Cover**: every boundary of the situation, and every kind of attempt to get past it.",
            render_table(("Boundary", "Kind of attempt", "Closed by"), cells),
        )


def _describe_blocking_condition(wording: RecordWording, name: str) -> str:
    """Describe a condition that closes paths, by a move that it stops."""
    sentence = wording.acts.find_condition(name)
    rule = next((each for each in wording.world.never_rules if each.name == name), None)
    if rule is not None:
        return sentence or wording.render_text(rule.evidence) or name.replace("_", " ")
    verb, _, last = name.partition(".")
    found = wording.explain_condition(name, wording.describe_condition_of_verb(verb, last))
    if found:
        return found
    if wording.acts.is_bookkeeping(name):
        return f"the order of the steps: “{wording.describe_verb(verb)}” comes after what it builds on"
    return f"“{last.replace('_', ' ')}” must hold to {verb.replace('_', ' ')}" if last else f"the {verb}"


def _describe_closure(closed_by: str) -> str:
    kind, _, name = closed_by.partition(" ")
    if kind == "approach":
        return f"the approach “{name.replace('_', ' ')}”, which was executed and fails"
    return _CLOSED_BY.get(kind, closed_by)


def _render_hidden_premise(
    _case: FinishedCase, wording: RecordWording, verdict: StatusVerdict
) -> Iterator[str]:
    if verdict.premises:
        words = escape_inline(describe_premises(wording, verdict))
        yield f"**The hidden premise**: {words}. Inside it nothing works."


def _render_plain_answer(
    _case: FinishedCase, wording: RecordWording, verdict: StatusVerdict
) -> Iterator[str]:
    if verdict.degenerate:
        yield f"**The plain answer**: {escape_inline(wording.describe_plan(verdict.degenerate[0].calls))}."


_PARTS: Final[Mapping[str, Callable[[FinishedCase, RecordWording, StatusVerdict], Iterator[str]]]] = {
    "CT": _render_contested_crux,
    "OF": _render_open_frontier_boundaries,
    "PX": _render_impossibility_proof_and_cover,
    "MT": _render_hidden_premise,
    "DG": _render_plain_answer,
}


def _render_approach_table(case: FinishedCase) -> str:
    wording = case.wording
    if wording is None or not wording.analysis.outcomes:
        return ""
    verdict = case.report.verdict
    if verdict is not None and verdict.crux is not None:
        return _render_contested_approach_table(wording, verdict.crux)
    reasons = {approach.name: approach.why for approach in wording.world.record.approaches}
    rows = []
    for name, outcome in wording.analysis.outcomes.items():
        margin = outcome.least_margin if outcome.reaches_goal else outcome.failing_margin
        calls = tuple(move.text for move in wording.analysis.plans[name])
        rows.append(
            (
                wording.describe_plan(calls),
                wording.describe_end(outcome.end, calls),
                format_margin(margin),
                reasons.get(name) or "it is the plan of the design",
            )
        )
    return join_paragraphs(
        "Every approach, executed:",
        render_table(("Plan", "How it ends", "Margin", "Why it is tried"), rows),
    )


def _render_contested_approach_table(wording: RecordWording, crux: Crux) -> str:
    """Render how every approach ends at both ends of the disputed range."""
    analysis, quantity = wording.analysis, wording.world.quantities[crux.quantity]
    ends = [value for value in (quantity.low, quantity.high) if value is not None]
    rows = []
    for approach in wording.world.record.approaches:
        plan = analysis.plans.get(approach.name)
        if plan is None:
            continue
        calls = tuple(move.text for move in plan)
        outcomes = [analysis.executor.run_plan(plan, changes={crux.quantity: value}) for value in ends]
        cells = [_describe_outcome_with_margin(wording, outcome, calls) for outcome in outcomes]
        rows.append((wording.describe_plan(calls), *cells, approach.why))
    headings = (f"At {wording.format_value(crux.quantity, value)}" for value in ends)
    return join_paragraphs(
        f"Every approach, executed at both ends of the dispute ({escape_inline(wording.name_quantity(crux.quantity))}):",
        render_table(("Plan", *headings, "Why it is tried"), rows),
    )


def _describe_outcome_with_margin(
    wording: RecordWording, outcome: PlanOutcome, calls: tuple[str, ...]
) -> str:
    margin = outcome.least_margin if outcome.reaches_goal else outcome.failing_margin
    end = wording.describe_end(outcome.end, calls)
    return end if margin is None else f"{end}, {format_margin(margin)}"
