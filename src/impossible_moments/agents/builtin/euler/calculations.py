"""Calculated claims, conditions with their margins, and the arguments for each status."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.builtin.euler.record_workings import AnsweringPlan, RecordWorkings
from impossible_moments.domain.seed import PhysicalClaim
from impossible_moments.domain.validation import ClaimCalculation
from impossible_moments.mechanics.checks import WorldAnalysis
from impossible_moments.mechanics.language import (
    UNDEFINED,
    ExpressionError,
    ExpressionTypeError,
    NonNumericType,
    parse_expression,
)
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import Library
from impossible_moments.mechanics.world import WorldEngine, format_quantity_value

MOST_LINES: Final = 12
_DIMENSIONAL: Final = frozenset(
    {
        "expression.dimension",
        "expression.type",
        "property.dimension",
        "formula.argument",
        "literal.unnamed",
        "property.type",
        "condition.type",
    }
)


def calculate_claim(claim: PhysicalClaim, workings: RecordWorkings, library: Library) -> ClaimCalculation:
    """Calculate a claim of the seed document with its numbers inserted."""
    analysis = workings.analysis
    if analysis is None:
        errors = "; ".join(str(finding) for finding in workings.report.findings.errors[:2])
        return ClaimCalculation(
            claim_id=claim.claim_id, verdict="INVALID", calculation=f"The record cannot be computed: {errors}"
        )
    if not claim.expression.strip():
        return _judge_claim_by_status(claim, workings)
    try:
        tree = parse_expression(claim.expression, library.templates)
        _require_expression_is_condition(tree, analysis.engine)
        holds = bool(analysis.engine.evaluate_expression(tree))
        comparison = _format_comparison_with_numbers(tree, analysis)
    except (ExpressionError, ExpressionTypeError, KeyError) as problem:
        return ClaimCalculation(
            claim_id=claim.claim_id, verdict="INVALID", calculation=f"It cannot be computed: {problem}"
        )
    except UNDEFINED:
        return ClaimCalculation(
            claim_id=claim.claim_id, verdict="INVALID", calculation="It has no value at the stated numbers."
        )
    return ClaimCalculation(
        claim_id=claim.claim_id,
        verdict="VALID" if holds else "INVALID",
        calculation=f"{comparison}: {'it holds' if holds else 'it does not hold'}",
    )


def _require_expression_is_condition(tree: ex.Expression, engine: WorldEngine) -> None:
    if engine.infer_expression_type(tree) is not NonNumericType.TRUTH:
        raise ExpressionTypeError("it is no comparison, and nothing follows from it")


def _judge_claim_by_status(claim: PhysicalClaim, workings: RecordWorkings) -> ClaimCalculation:
    """Judge a claim without an expression by whether the record computes as the status it claims."""
    agrees = workings.status == workings.claimed_status
    reason = workings.verdict.reason if workings.verdict is not None else "nothing could be computed"
    return ClaimCalculation(
        claim_id=claim.claim_id,
        verdict="VALID" if agrees else "INVALID",
        calculation=f"The record computes as {workings.status}, and claims {workings.claimed_status}: {reason}.",
    )


def _format_comparison_with_numbers(tree: ex.Expression, analysis: WorldAnalysis) -> str:
    """Format a comparison such as `you.reach + step.height >= sill` with the value of each side."""
    if not isinstance(tree, ex.Comparison):
        return ex.format_expression(tree)
    return f"{_format_operand_with_number(tree.left, analysis.engine)} {tree.operator} {_format_operand_with_number(tree.right, analysis.engine)}"


def _format_operand_with_number(tree: ex.Expression, engine: WorldEngine) -> str:
    value = engine.evaluate_expression(tree)
    if isinstance(value, bool | str):
        return f"{ex.format_expression(tree)} ({value})"
    name = next(iter(ex.collect_paths(tree)), "") if isinstance(tree, ex.Name | ex.Property) else ""
    if name in engine.world.quantities:
        return format_quantity_value(engine.world, name, float(value)).replace(" = ", " (", 1) + ")"
    return f"{ex.format_expression(tree)} ({float(value):.4g} SI)"


def list_condition_margins(plan: AnsweringPlan) -> tuple[str, ...]:
    """Return every condition of the plan with the margin by which it holds."""
    lines = [
        f"{step.call}: `{name}` holds by {margin:.0%}"
        for step in plan.outcome.steps
        for name, margin in step.margins
        if margin is not None
    ]
    return tuple(dict.fromkeys(lines))[:MOST_LINES]


def find_dimensional_errors(workings: RecordWorkings) -> tuple[str, ...]:
    """Return the findings about units or types that do not agree."""
    return tuple(
        str(finding)
        for finding in workings.report.findings.errors
        if finding.code in _DIMENSIONAL
        or "dimension" in finding.code
        or "type" in finding.code
        or finding.code == "deadline.form"
    )


def describe_optimization(workings: RecordWorkings) -> str:
    """Describe the optimization problem behind a contested scenario, or the distance to an open frontier.

    Return an empty text for other scenarios.
    """
    analysis, verdict = workings.analysis, workings.verdict
    if analysis is None or verdict is None:
        return ""
    if verdict.crux is not None:
        prefer = analysis.world.record.prefer or "most margin"
        crux = format_quantity_value(analysis.world, verdict.crux.quantity, verdict.crux.at)
        low, high = (
            ways[0].calls if ways else ("nothing",) for ways in (verdict.crux.all_low, verdict.crux.all_high)
        )
        return (
            f"Objective: {prefer}, subject to the goal `{analysis.world.record.goal}` in time. Decision: which plan. "
            f"The optimum changes at {crux}: below it {' then '.join(low)}, above it {' then '.join(high)}. "
            "No plan is best over the whole disputed range, so no single optimum exists before the dispute is settled."
        )
    frontier = analysis.world.record.frontier
    if frontier is not None and verdict.frontier is not None:
        gaps = ", ".join(
            f"{name} by a factor of {gap:.3g}" for name, gap in sorted(verdict.frontier.gaps.items())
        )
        example = ", ".join(
            f"{name} = {value:.4g}" for name, value in sorted(verdict.frontier.example.items())
        )
        return (
            f"Decision variables: {'; '.join(frontier.claims)}. Constraints: {'; '.join(frontier.envelope)}. "
            f"Known limits: {'; '.join(line.partition('@')[0].strip() for line in frontier.known)}. "
            f"The constraints can be met (for instance {example or 'at the stated values'}), and not within the known limits: "
            f"these must be passed, {gaps or 'by an amount that no single limit shows'}."
        )
    return ""


def describe_impossibility_proof(workings: RecordWorkings) -> str:
    """Describe the impossibility proof: what was closed, how, and what conflicts.

    Return an empty text if none exists.
    """
    analysis, verdict = workings.analysis, workings.verdict
    if (
        analysis is None
        or verdict is None
        or verdict.impossibility is None
        or not verdict.impossibility.proved
    ):
        return ""
    found = verdict.impossibility
    block = workings.seed.mechanics.get("status") or {}
    conflict = ", ".join(f"`{name}`" for name in block.get("conflict", ()))
    sentences = [
        f"Every plan of the record's and the library's actions was followed over the whole box of assumed values, {found.nodes} partial plans in all.",
        f"Each is stopped by one of {', '.join(f'`{name}`' for name in found.blocking_conditions)}.",
    ]
    if found.refuted_plans:
        sentences.append(
            f"{len(found.refuted_plans)} of them could reach the goal only by conditions that exclude each other; "
            "the contradiction was derived and read again by a second procedure."
        )
    if conflict and "status.conflict" not in workings.report.findings.codes:
        sentences.append(
            f"The smallest set that already forbids the goal is {conflict}: with these enforced nothing works, and without any one of them something would."
        )
    if verdict.cells:
        sentences.append(f"All {len(verdict.cells)} pairs of boundary and mechanism are closed.")
    return " ".join(sentences)


def find_failing_approaches(workings: RecordWorkings) -> Iterator[tuple[str, str, float | None]]:
    """Yield the approaches that fail: name, end, and the margin by which they fail."""
    if workings.analysis is not None:
        for name, outcome in workings.analysis.outcomes.items():
            if not outcome.reaches_goal:
                yield name, outcome.end, outcome.failing_margin
