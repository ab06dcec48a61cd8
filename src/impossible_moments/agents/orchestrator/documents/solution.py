"""The head of the evaluation document: the answer by status, and what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from impossible_moments.agents.orchestrator.documents.breakthroughs import candidate_note
from impossible_moments.agents.orchestrator.documents.case import Case
from impossible_moments.domain.validation import MathematicsReport
from impossible_moments.domain.vocabulary import Status
from impossible_moments.mechanics.analysis import Analysis
from impossible_moments.mechanics.figures import figure
from impossible_moments.mechanics.status import Verdict
from impossible_moments.scenarios.markdown import NOTHING, block, bullets, inline, joined, table

# fmt: off
HEADINGS: Final[Mapping[Status, str]] = {
    # 6.1, tier 2
    "KS": "Verified Solution",
    "CT": "Best Known Approaches",
    "OF": "Evaluation Criteria",
    "PX": "Evaluation Criteria",
    "MT": "Evaluation Criteria",
    "DG": "Evaluation Criteria",
}
# fmt: on


def solution(case: Case) -> str:
    """Render the answer, the computed verdict and the outcome of every approach."""
    criteria = case.seed.solution_sketch.evaluation_criteria
    return joined(
        f"Correct outcome: {case.metadata.correct_outcome or NOTHING}.",
        _verdict(case),
        *_by_status(case),
        bullets(criteria) if criteria else "",
        _approaches(case),
        candidate_note(case.dossier),
    )


def _verdict(case: Case) -> str:
    verdict = case.report.verdict
    if verdict is None:
        errors = [str(finding) for finding in case.report.findings.errors]
        return joined("The mechanics could not be computed:", bullets(errors))
    status, reason = verdict.status or "undecided", inline(verdict.reason)
    within = "" if case.metadata.library in reason else f" It holds within library {case.metadata.library}."
    return f"Computed: {status}, because {reason}.{within}"


def _by_status(case: Case) -> Iterator[str]:
    analysis, verdict = case.report.analysis, case.report.verdict
    if analysis is not None and verdict is not None and case.status in _PARTS:
        yield from _PARTS[case.status](case, analysis, verdict)


def _contested(_case: Case, analysis: Analysis, verdict: Verdict) -> Iterator[str]:
    if verdict.crux is not None:
        yield f"The crux: `{figure(analysis.world, verdict.crux.quantity, verdict.crux.at)}`, a disputed value."


def _open(_case: Case, analysis: Analysis, verdict: Verdict) -> Iterator[str]:
    frontier = analysis.world.record.frontier
    if frontier is None:
        return
    gaps = verdict.frontier.gaps if verdict.frontier is not None else {}
    yield joined("**Knowledge boundary**: what has been shown, and where.", bullets(frontier.known))
    yield joined("**Evaluation envelope**: what any valid answer must satisfy.", bullets(frontier.envelope))
    yield joined("**What an answer states**", bullets(frontier.claims))
    if gaps:
        yield joined(
            "**The gap**: by which factor each limit must at least be passed.",
            bullets(f"{name}: {gap:.3g}" for name, gap in sorted(gaps.items())),
        )


def _paradox(case: Case, _analysis: Analysis, verdict: Verdict) -> Iterator[str]:
    report = case.dossier.latest(MathematicsReport)
    proof = (report.impossibility_proof if report else "") or case.seed.solution_sketch.impossibility_proof
    yield joined("**Impossibility proof**", block(proof)) if proof else ""
    if verdict.impossibility is not None:
        stopped = (f"`{name}`" for name in verdict.impossibility.blocked)
        yield joined("**The conditions that close every path**", bullets(stopped))
    if verdict.cells:
        rows = (
            (cell.thing, cell.mechanism, cell.closed_by or f"open: {cell.lacks}") for cell in verdict.cells
        )
        yield joined(
            "**Cover**: every boundary against every mechanism.",
            table(("Boundary", "Mechanism", "Closed by"), rows),
        )


def _metamorphic(_case: Case, analysis: Analysis, verdict: Verdict) -> Iterator[str]:
    lines = [
        line for line in analysis.world.record.never if line.partition("=")[0].strip() in verdict.premises
    ]
    yield joined("**The hidden premise**: inside it nothing works.", bullets(lines))


def _degenerate(_case: Case, _analysis: Analysis, verdict: Verdict) -> Iterator[str]:
    if verdict.degenerate:
        yield f"**The plain answer**: `{inline(' then '.join(verdict.degenerate[0].calls))}`."


_PARTS: Final[Mapping[str, Callable[[Case, Analysis, Verdict], Iterator[str]]]] = {
    "CT": _contested,
    "OF": _open,
    "PX": _paradox,
    "MT": _metamorphic,
    "DG": _degenerate,
}


def _approaches(case: Case) -> str:
    analysis = case.report.analysis
    if analysis is None or not analysis.outcomes:
        return ""
    why = {approach.name: approach.why for approach in analysis.world.record.approaches}
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
                why.get(name) or NOTHING,
            )
        )
    return joined(
        "Every approach, executed:", table(("Approach", "Plan", "Ends", "Margin", "Why it is tried"), rows)
    )
