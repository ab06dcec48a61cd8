"""The head of the evaluation document: the answer by status, and what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from impossible_moments.agents.orchestrator.documents.breakthrough_log import render_candidate_notes
from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.domain.validation import MathematicsReport
from impossible_moments.mechanics.checks import StatusVerdict, WorldAnalysis
from impossible_moments.mechanics.world import format_quantity_value
from impossible_moments.scenarios import (
    NOTHING,
    escape_block,
    escape_inline,
    join_paragraphs,
    render_bullet_list,
    render_table,
)


def render_solution_section(case: FinishedCase) -> str:
    """Render the answer, the computed verdict and the outcome of every approach."""
    criteria = case.seed.solution_sketch.evaluation_criteria
    return join_paragraphs(
        f"Correct outcome: {case.metadata.correct_outcome or NOTHING}.",
        _render_computed_verdict(case),
        *_render_status_specific_paragraphs(case),
        render_bullet_list(criteria) if criteria else "",
        _render_approach_table(case),
        render_candidate_notes(case.dossier),
    )


def _render_computed_verdict(case: FinishedCase) -> str:
    verdict = case.report.verdict
    if verdict is None:
        errors = [str(finding) for finding in case.report.findings.errors]
        return join_paragraphs("The mechanics could not be computed:", render_bullet_list(errors))
    status, reason = verdict.status or "undecided", escape_inline(verdict.reason)
    library_note = (
        "" if case.metadata.library in reason else f" It holds within library {case.metadata.library}."
    )
    return f"Computed: {status}, because {reason}.{library_note}"


def _render_status_specific_paragraphs(case: FinishedCase) -> Iterator[str]:
    analysis, verdict = case.report.analysis, case.report.verdict
    if analysis is not None and verdict is not None and case.status in _PARTS:
        yield from _PARTS[case.status](case, analysis, verdict)


def _render_contested_crux(
    _case: FinishedCase, analysis: WorldAnalysis, verdict: StatusVerdict
) -> Iterator[str]:
    if verdict.crux is not None:
        yield f"The crux: `{format_quantity_value(analysis.world, verdict.crux.quantity, verdict.crux.at)}`, a disputed value."


def _render_open_frontier_boundaries(
    _case: FinishedCase, analysis: WorldAnalysis, verdict: StatusVerdict
) -> Iterator[str]:
    frontier = analysis.world.record.frontier
    if frontier is None:
        return
    gaps = verdict.frontier.gaps if verdict.frontier is not None else {}
    yield join_paragraphs(
        "**Knowledge boundary**: what has been shown, and where.", render_bullet_list(frontier.known)
    )
    yield join_paragraphs(
        "**Evaluation envelope**: what any valid answer must satisfy.", render_bullet_list(frontier.envelope)
    )
    yield join_paragraphs("**What an answer states**", render_bullet_list(frontier.claims))
    if gaps:
        yield join_paragraphs(
            "**The gap**: by which factor each limit must at least be passed.",
            render_bullet_list(f"{name}: {gap:.3g}" for name, gap in sorted(gaps.items())),
        )


def _render_impossibility_proof_and_cover(
    case: FinishedCase, _analysis: WorldAnalysis, verdict: StatusVerdict
) -> Iterator[str]:
    report = case.dossier.find_latest_deliverable(MathematicsReport)
    proof = (report.impossibility_proof if report else "") or case.seed.solution_sketch.impossibility_proof
    yield join_paragraphs("**Impossibility proof**", escape_block(proof)) if proof else ""
    if verdict.impossibility is not None:
        blocking_conditions = (f"`{name}`" for name in verdict.impossibility.blocking_conditions)
        yield join_paragraphs(
            "**The conditions that close every path**", render_bullet_list(blocking_conditions)
        )
    if verdict.cells:
        rows = (
            (cell.thing, cell.mechanism, cell.closed_by or f"open: {cell.lacks}") for cell in verdict.cells
        )
        yield join_paragraphs(
            "**Cover**: every boundary against every mechanism.",
            render_table(("Boundary", "Mechanism", "Closed by"), rows),
        )


def _render_hidden_premise(
    _case: FinishedCase, analysis: WorldAnalysis, verdict: StatusVerdict
) -> Iterator[str]:
    lines = [
        line for line in analysis.world.record.never if line.partition("=")[0].strip() in verdict.premises
    ]
    yield join_paragraphs("**The hidden premise**: inside it nothing works.", render_bullet_list(lines))


def _render_plain_answer(
    _case: FinishedCase, _analysis: WorldAnalysis, verdict: StatusVerdict
) -> Iterator[str]:
    if verdict.degenerate:
        yield f"**The plain answer**: `{escape_inline(' then '.join(verdict.degenerate[0].calls))}`."


_PARTS: Final[Mapping[str, Callable[[FinishedCase, WorldAnalysis, StatusVerdict], Iterator[str]]]] = {
    "CT": _render_contested_crux,
    "OF": _render_open_frontier_boundaries,
    "PX": _render_impossibility_proof_and_cover,
    "MT": _render_hidden_premise,
    "DG": _render_plain_answer,
}


def _render_approach_table(case: FinishedCase) -> str:
    analysis = case.report.analysis
    if analysis is None or not analysis.outcomes:
        return ""
    reasons = {approach.name: approach.why for approach in analysis.world.record.approaches}
    rows = []
    for name, outcome in analysis.outcomes.items():
        margin = outcome.least_margin if outcome.reaches_goal else outcome.failing_margin
        plan = " then ".join(move.text for move in analysis.plans[name])
        rows.append(
            (
                name,
                f"`{plan}`",
                outcome.end,
                NOTHING if margin is None else f"{margin:+.0%}",
                reasons.get(name) or NOTHING,
            )
        )
    return join_paragraphs(
        "Every approach, executed:",
        render_table(("Approach", "Plan", "Ends", "Margin", "Why it is tried"), rows),
    )
