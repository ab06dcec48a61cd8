"""Arguments about the status: units, the optimum of a contest, the frontier, and the impossibility proof."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.builtin.euler.record_workings import RecordWorkings
from impossible_moments.agents.builtin.quantity_wording import format_count
from impossible_moments.mechanics.world import format_quantity_value

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
        name = verdict.crux.quantity
        optima = "; ".join(
            f"up to {format_quantity_value(analysis.world, name, each.high)} "
            + (" then ".join(each.best[0].calls) if each.best else "nothing works")
            for each in analysis.crux_intervals
        )
        return (
            f"Objective: {prefer}, subject to the goal `{analysis.world.record.goal}` in time. Decision: which plan. "
            f"The optimum over the disputed range, from its low end: {optima}. "
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
    conflict = "; ".join(f"`{name}`" for name in block.get("conflict", ()))
    sentences = []
    if found.nodes:
        sentences.append(
            f"Every plan of the record's and the library's actions was followed for all assumed values, {format_count(found.nodes, 'partial plan')} in all."
        )
    sentences.append(
        f"Each plan is stopped by one of these: {'; '.join(f'`{name}`' for name in found.blocking_conditions)}."
    )
    if found.refuted_plans:
        sentences.append(
            f"{format_count(len(found.refuted_plans), 'plan')} could reach the goal only by conditions that exclude each other; "
            "the contradiction was derived and checked by a second procedure."
        )
    if conflict and "status.conflict" not in workings.report.findings.codes:
        sentences.append(
            f"The smallest set that already forbids the goal: {conflict}. With these enforced nothing works, and without any one of them something would."
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
