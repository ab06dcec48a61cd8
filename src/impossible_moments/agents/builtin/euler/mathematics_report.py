"""EULER's part of the validation report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.builtin.euler.calculations import (
    calculate_claim,
    describe_impossibility_proof,
    describe_optimization,
    find_dimensional_errors,
    find_failing_approaches,
    list_condition_margins,
)
from impossible_moments.agents.builtin.euler.record_workings import AnsweringPlan, RecordWorkings
from impossible_moments.agents.builtin.euler.timing_budget import (
    build_timing_budget,
    find_misstated_times,
    run_with_slowest_times,
)
from impossible_moments.domain.difficulty import ADEQUATE_TIME, NEAR_MISS
from impossible_moments.domain.disputes import Challenge, Evidence, Veto
from impossible_moments.domain.validation import ClaimCalculation, MathematicsReport, Sensitivity
from impossible_moments.domain.vocabulary import ATHENA
from impossible_moments.mechanics.checks import compute_sensitivity_profile
from impossible_moments.mechanics.findings import Finding
from impossible_moments.mechanics.records import Library

LOW_CONFIDENCE: Final = 0.75
HIGH_CONFIDENCE: Final = 0.92


def build_mathematics_report(workings: RecordWorkings, library: Library) -> MathematicsReport:
    """Build the mathematics report on a seed document."""
    plan = workings.main_plan
    claims = tuple(
        calculate_claim(claim, workings, library) for claim in workings.seed.solution_sketch.claims
    )
    dimensions = find_dimensional_errors(workings)
    outcome = plan.outcome if plan is not None else None
    return MathematicsReport(
        claims=claims,
        timing_budget=build_timing_budget(workings, plan) if plan is not None else (),
        deadline_seconds=outcome.deadline if outcome is not None else None,
        margin=outcome.time_margin if outcome is not None else None,
        calculations=list_condition_margins(plan) if plan is not None else (),
        dimensional_analysis="ERRORS-FOUND" if dimensions else "CONSISTENT",
        sensitivity=tuple(_compute_sensitivities(workings)),
        fragile=workings.status == "KS-Fragile",
        optimization=describe_optimization(workings),
        impossibility_proof=describe_impossibility_proof(workings),
        edge_cases=tuple(_describe_edge_cases(workings, plan)),
        parameter_adjustments=tuple(_suggest_deadline_adjustments(plan)),
        alternative_paths=tuple(
            " then ".join(move.text for move in each.moves) for each in workings.plans if each is not plan
        ),
        mirage_convincing=_describe_failing_approaches(workings),
        challenges=tuple(_build_challenges(workings, plan, claims)),
        vetoes=tuple(_build_vetoes(workings, dimensions)),
        confidence=_estimate_confidence(workings, plan),
    )


def _compute_sensitivities(workings: RecordWorkings) -> Iterator[Sensitivity]:
    """Yield the effect of a 20 % change of each number over all plans.

    A number that breaks any plan breaks.
    """
    rows: dict[str, list[str]] = {}
    analysis = workings.analysis
    if analysis is None:
        return
    for plan in workings.plans:
        for each in compute_sensitivity_profile(analysis.executor, plan.moves, plan.lifted):
            ends = rows.setdefault(each.quantity, [])
            if each.breaks:
                ends.append(f"20 % less: {each.lower}; 20 % more: {each.higher}")
    for name, broken in rows.items():
        yield Sensitivity(
            quantity=name, breaks=bool(broken), how=broken[0] if broken else "the plan works either way"
        )


def _describe_edge_cases(workings: RecordWorkings, plan: AnsweringPlan | None) -> Iterator[str]:
    if plan is not None:
        least = min(
            (
                (margin, step.call, name)
                for step in plan.outcome.steps
                for name, margin in step.margins
                if margin is not None
            ),
            default=None,
        )
        if least is not None:
            yield f"The tightest condition is `{least[2]}` of {least[1]}: it holds by {least[0]:.0%}."
        slow = run_with_slowest_times(workings, plan)
        if slow is not None:
            verdict = "misses the deadline" if slow.is_late else "still makes it"
            yield f"With every assumed time at its slow end at once the plan takes {slow.seconds:.4g} s of {slow.deadline:.4g} s and {verdict}."
    near_misses = sorted(
        (
            (abs(margin), name, end)
            for name, end, margin in find_failing_approaches(workings)
            if margin is not None
        ),
    )
    for margin, name, end in near_misses[:2]:
        yield f"The approach `{name}` fails by {margin:.0%} (`{end}`)."
    yield f"At stated values the record computes as {workings.status}."


def _suggest_deadline_adjustments(plan: AnsweringPlan | None) -> Iterator[str]:
    if plan is not None and plan.outcome.time_margin is not None and plan.outcome.time_margin < ADEQUATE_TIME:
        yield f"Lengthen the deadline a little: {plan.outcome.time_margin:.0%} of it is left, and 10 % is the least."


def _describe_failing_approaches(workings: RecordWorkings) -> str:
    traps = list(find_failing_approaches(workings))
    near_misses = [name for name, _, margin in traps if margin is not None and abs(margin) <= NEAR_MISS]
    return (
        f"{len(traps)} approaches fail, {len(near_misses)} of them by less than a third: "
        f"{'one has to calculate to see it' if near_misses else 'they are seen to fail without much arithmetic'}."
    )


def _build_challenges(
    workings: RecordWorkings, plan: AnsweringPlan | None, claims: tuple[ClaimCalculation, ...]
) -> Iterator[Challenge]:
    flagged = {claim.claim_id: claim for claim in workings.seed.solution_sketch.claims}
    for each in claims:
        if each.verdict == "INVALID" and flagged[each.claim_id].expression:
            yield _challenge_claim(
                flagged[each.claim_id].text, each.calculation, expression=flagged[each.claim_id].expression
            )
    for finding in _select_execution_errors(workings):
        yield _challenge_claim(
            finding.what,
            f"{finding.code}: found {finding.found or 'nothing'}, 1 of {len(workings.report.findings.errors)} errors; {finding.expected}",
        )
    for planned in workings.plans:
        for call, stated_time, found in find_misstated_times(workings, planned):
            yield _challenge_claim(
                f"{call} takes {stated_time:g} s.",
                f"Computed from the stated quantities it takes {found:.4g} s, not {stated_time:g} s.",
            )
    if plan is None:
        return
    slow = run_with_slowest_times(workings, plan)
    if slow is not None and slow.is_late and workings.status == "KS-Singular":
        yield _challenge_claim(
            "The plan fits into the deadline.",
            f"With every assumed time at the slow end of its own range the steps take {slow.seconds:.4g} s, and {slow.deadline:.4g} s are given.",
            recommendation="Lengthen the deadline, or give the assumed times narrower ranges.",
        )


def _select_execution_errors(workings: RecordWorkings) -> tuple[Finding, ...]:
    """Return at most two errors of execution: approaches that do not end as stated, or unlisted plans."""
    return tuple(
        each for each in workings.report.findings.errors if each.code.startswith(("approach.", "status."))
    )[:2]


def _challenge_claim(claim: str, text: str, *, expression: str = "", recommendation: str = "") -> Challenge:
    evidence = Evidence(kind="calculation", text=text, expression=expression)
    return Challenge(
        challenged=ATHENA,
        claim=claim,
        evidence=(evidence,),
        recommendation=recommendation,
        confidence=HIGH_CONFIDENCE,
    )


def _build_vetoes(workings: RecordWorkings, dimensions: tuple[str, ...]) -> Iterator[Veto]:
    """Yield the vetoes: inconsistent units, or a status other than the claimed one."""
    if dimensions:
        yield Veto(
            claim="The record's formulas are consistent.",
            law="dimensional homogeneity: both sides of a comparison measure the same",
            proof=(Evidence(kind="derivation", text=f"1 of {len(dimensions)}: {dimensions[0]}"),),
            corrective_proposal="Correct the unit or the formula that is named.",
        )
    elif workings.verdict is not None and workings.status != workings.claimed_status:
        yield Veto(
            claim=f"The scenario is {workings.claimed_status}.",
            law="proof by exhaustion: the search of all the record's own actions decides the status",
            proof=(
                Evidence(kind="calculation", text=f"computed = {workings.status}: {workings.verdict.reason}"),
            ),
            corrective_proposal=f"Change the constraints until the record computes as {workings.claimed_status}, or claim {workings.status}.",
        )


def _estimate_confidence(workings: RecordWorkings, plan: AnsweringPlan | None) -> float:
    """Return a high confidence if the search was exhaustive and the margin is not tiny, else a lower one."""
    if workings.verdict is None or workings.status == "undecided" or not workings.verdict.exhausted:
        return LOW_CONFIDENCE
    least = plan.outcome.least_margin if plan is not None else None
    return LOW_CONFIDENCE if least is not None and least < 0.02 else HIGH_CONFIDENCE  # noqa: PLR2004 - two per cent is within rounding
