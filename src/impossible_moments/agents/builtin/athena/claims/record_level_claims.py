"""Claims that belong to a status or to the puzzles of a record, and not to a step of a plan."""

from __future__ import annotations

import re
from collections.abc import Iterator

from impossible_moments.agents.builtin.athena.claims.claim_wording import RELATION, ClaimWriter
from impossible_moments.agents.builtin.athena.claims.comparison_trees import collect_comparisons
from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign
from impossible_moments.domain.seed import PhysicalClaim
from impossible_moments.mechanics.language import UNDEFINED, ExpressionError, parse_expression
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import LineError, parse_line


def list_record_level_claims(declared: DeclaredDesign, writer: ClaimWriter) -> Iterator[PhysicalClaim]:
    """Yield the claims of an open envelope, a disputed value, a premise, a conflict, and of puzzles."""
    yield from _iterate_envelope_claims(declared, writer)
    yield from _iterate_dispute_claims(declared, writer)
    yield from _iterate_premise_claims(declared)
    yield from _iterate_conflict_claims(declared)
    yield from _iterate_puzzle_claims(declared)
    yield from _iterate_rate_claims(declared, writer)


def _iterate_envelope_claims(declared: DeclaredDesign, writer: ClaimWriter) -> Iterator[PhysicalClaim]:
    """Yield what any answer to an open problem must satisfy, and what is the best that was shown."""
    frontier = declared.design.record.frontier
    if frontier is None:
        return
    for lines, opening in (
        (frontier.envelope, "Any answer must satisfy"),
        (frontier.known, "What has been shown stops at"),
    ):
        for line in lines:
            try:
                parts = parse_line(line, example="enough = uptake >= need")
                tree = parse_expression(parts.body, declared.world.library.templates)
            except (LineError, ExpressionError):
                continue
            text = _describe_frontier_condition(tree, declared, writer)
            source = f" ({parts.evidence})" if parts.evidence else ""
            yield _make_claim(f"{opening} `{parts.head}`: {text}{source}.")


def _describe_frontier_condition(tree: ex.Expression, declared: DeclaredDesign, writer: ClaimWriter) -> str:
    if isinstance(tree, ex.Comparison) and declared.engine.has_all_names(tree):
        try:
            return writer.describe_comparison(tree, declared.engine.build_start_values())
        except UNDEFINED:
            return f"`{ex.format_expression(tree)}`"
    stated = [
        f"{path} {writer.format_value(path, declared.engine.build_start_values())}"
        for path in sorted(ex.collect_paths(tree))
        if path in declared.world.quantities
    ]
    return f"`{ex.format_expression(tree)}`" + (f" with {', '.join(stated)}" if stated else "")


def _iterate_dispute_claims(declared: DeclaredDesign, writer: ClaimWriter) -> Iterator[PhysicalClaim]:
    """Yield the comparison that turns on the disputed value, at both ends of its range."""
    name = str(declared.block.get("crux"))
    quantity = declared.world.quantities.get(name)
    if quantity is None:
        return
    for approach in declared.answering:
        end = declared.get_end_of_disputed_range(approach)
        shown = writer.format_value(name, declared.engine.build_start_values(end))
        compared = [
            writer.describe_comparison(comparison, step.values)
            for step, _, tree in declared.iterate_conditions(approach)
            for comparison in collect_comparisons(tree, declared.engine, step.values)
            if name in declared.world.collect_stated_quantities(comparison)
            and declared.can_evaluate(comparison)
        ]
        reason = f": {compared[0]}" if compared else ""
        yield _make_claim(
            f"At {shown} (`{name}`, which is disputed) `{approach}` is the better plan{reason}."
        )


def _iterate_premise_claims(declared: DeclaredDesign) -> Iterator[PhysicalClaim]:
    premise = declared.block.get("premise")
    for rule in declared.world.never_rules:
        if rule.name == premise:
            yield _make_claim(
                f"Only the suggested premise “{rule.evidence}” (`{ex.format_expression(rule.tree)}`) stands against "
                f"{', '.join(f'`{name}`' for name in declared.answering)}; nothing in the situation imposes it."
            )


def _iterate_conflict_claims(declared: DeclaredDesign) -> Iterator[PhysicalClaim]:
    """Yield the constraints of a paradox that are not conditions of a step: rules, the deadline and puzzles."""
    conflict = list(declared.block.get("conflict") or ())
    if not conflict:
        return
    closest = ", ".join(f"`{name}`" for name in declared.block.get("chains") or declared.traps)
    yield _make_claim(
        f"Together {', '.join(f'`{name}`' for name in conflict)} exclude the goal `{ex.format_expression(declared.world.goal)}`; "
        f"the closest attempts are {closest}."
    )
    for rule in declared.world.never_rules:
        if rule.name in conflict:
            yield _make_claim(
                f"The rule `{rule.name}` ends every plan in which `{ex.format_expression(rule.tree)}` comes to hold."
            )


def _iterate_puzzle_claims(declared: DeclaredDesign) -> Iterator[PhysicalClaim]:
    """Yield that the clues of each puzzle leave the stated answer and no other."""
    answers = {
        move.arguments[0]: move.arguments[1].strip("'\"")
        for name in declared.answering
        for move in declared.plans[name]
        if move.verb == "answer" and len(move.arguments) > 1
    }
    for puzzle in declared.design.record.puzzles:
        clues = len(getattr(puzzle, "clues", ()) or getattr(puzzle, "observations", ()))
        stated = f"The {clues} clues of" if clues else "The stated facts of"
        if puzzle.name in answers:
            yield _make_claim(
                f"{stated} `{puzzle.name}` leave the answer “{answers[puzzle.name].replace('_', ' ')}” and no other."
            )
        elif f"answer.{puzzle.name}" in (declared.block.get("conflict") or ()):
            yield _make_claim(f"{stated} `{puzzle.name}` leave no answer at all.")


def _iterate_rate_claims(declared: DeclaredDesign, writer: ClaimWriter) -> Iterator[PhysicalClaim]:
    """Yield from which value on what changes by itself brings a danger, or which value of it the goal asks for."""
    limits = [(f"The danger `{rule.name}` comes once", rule.tree) for rule in declared.world.never_rules]
    for opening, tree in (*limits, ("The goal asks that", declared.world.goal)):
        for comparison in _iterate_plain_comparisons(tree):
            changing = sorted(
                declared.world.collect_stated_quantities(comparison) & declared.world.rates.keys()
            )
            if not changing or not declared.engine.has_all_names(comparison):
                continue
            sentence = _describe_limit(comparison, declared, writer)
            rates = " ".join(_describe_rate(name, comparison, declared, writer) for name in changing)
            yield _make_claim(f"{opening} {sentence}. {rates}")


def _describe_limit(comparison: ex.Comparison, declared: DeclaredDesign, writer: ClaimWriter) -> str:
    """Describe a limit with its names in backticks, or with its value if it is a single quantity."""
    limit = comparison.right
    shown = f"`{ex.format_expression(limit)}`"
    if isinstance(limit, ex.Number):
        shown = re.sub(r"\[(.+)\]", r" \1", ex.format_expression(limit))
    if isinstance(limit, ex.Name | ex.Property):
        path = limit.name if isinstance(limit, ex.Name) else limit.path
        shown = writer.format_value(path, declared.engine.build_start_values())
    return f"`{ex.format_expression(comparison.left)}` {RELATION[comparison.operator]} {shown}"


def _describe_rate(
    name: str, comparison: ex.Comparison, declared: DeclaredDesign, writer: ClaimWriter
) -> str:
    """Describe from which value on and how fast a quantity changes by itself."""
    start, rate = declared.engine.build_start_values(), declared.world.rates[name]
    subject = "It" if comparison.left == ex.Name(name) else f"`{name}`"
    begins = f"{subject} is {writer.format_value(name, start)} at the start"
    try:
        speed = writer.format_rate(rate, start)
    except UNDEFINED:
        speed = ""
    changes = f"at first by {speed}, which is" if speed and ex.collect_paths(rate) else "by"
    return f"{begins} and changes {changes} `{ex.format_expression(rate)}`."


def _iterate_plain_comparisons(tree: ex.Expression) -> Iterator[ex.Comparison]:
    for node in ex.walk_nodes(tree):
        if isinstance(node, ex.Comparison) and node.operator not in {"==", "!="}:
            yield node


def _make_claim(text: str) -> PhysicalClaim:
    return PhysicalClaim(claim_id="C", text=text)
