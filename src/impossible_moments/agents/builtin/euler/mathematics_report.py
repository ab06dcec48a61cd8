"""EULER's part of the validation report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from impossible_moments.agents.builtin.confidence import ConfidenceBasis, compute_share, derive_confidence
from impossible_moments.agents.builtin.euler.calculations import (
    CalculatedClaim,
    calculate_claim,
    list_condition_margins,
)
from impossible_moments.agents.builtin.euler.interval_timing import TimingSum, build_timing_rows, sum_times
from impossible_moments.agents.builtin.euler.objections import (
    Objection,
    Weight,
    find_contest_objections,
    find_sketch_objections,
    find_status_objections,
    find_timing_objections,
)
from impossible_moments.agents.builtin.euler.record_errors import (
    list_record_corrections,
    object_to_finding,
    select_execution_errors,
)
from impossible_moments.agents.builtin.euler.record_workings import RecordWorkings, build_workings
from impossible_moments.agents.builtin.euler.sensitivities import compute_sensitivities
from impossible_moments.agents.builtin.euler.status_arguments import (
    describe_impossibility_proof,
    describe_optimization,
    find_dimensional_errors,
    find_failing_approaches,
)
from impossible_moments.agents.builtin.figure_formats import format_duration
from impossible_moments.agents.builtin.quantity_wording import format_count
from impossible_moments.agents.builtin.seed_content import (
    CACHED_SEEDS,
    parse_seed_content,
    serialize_seed_content,
)
from impossible_moments.domain.difficulty import NEAR_MISS
from impossible_moments.domain.disputes import Evidence, Veto
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import Correction, MathematicsReport, Sensitivity
from impossible_moments.mechanics.checks import find_numbers_behind_plan
from impossible_moments.mechanics.records import Library, QuantityKind


@dataclass(frozen=True)
class MathematicalAnalysis:
    """Everything that EULER computed about a seed document."""

    workings: RecordWorkings
    claims: tuple[CalculatedClaim, ...]
    dimensions: tuple[str, ...]
    timing: TimingSum | None
    objections: tuple[Objection, ...]
    sensitivities: tuple[Sensitivity, ...]

    @property
    def confidence_basis(self) -> ConfidenceBasis:
        """The facts that the confidence of the report is derived from."""
        workings, plan = self.workings, self.workings.main_plan
        verdict = workings.verdict
        margins = [abs(each.margin) for each in self.claims if each.margin is not None]
        if plan is not None and plan.outcome.least_margin is not None:
            margins.append(abs(plan.outcome.least_margin))
        used, uncertain = self._count_numbers()
        undecided = verdict is None or verdict.status is None
        uncomputed = sum(not each.computed for each in self.claims) + undecided
        return ConfidenceBasis(
            least_margin=min(margins, default=None),
            estimates=compute_share(uncertain, used),
            uncomputed=compute_share(uncomputed, len(self.claims) + 1),
            exhausted=verdict is not None and verdict.exhausted,
            concerns=sum(each.weight is Weight.CONCERN for each in self.objections),
        )

    def _count_numbers(self) -> tuple[int, int]:
        """Return how many numbers the claims and the main plan read, and how many of them are uncertain."""
        workings, plan = self.workings, self.workings.main_plan
        used, uncertain = (
            sum(each.numbers for each in self.claims),
            sum(each.uncertain for each in self.claims),
        )
        if plan is not None and workings.analysis is not None:
            quantities = workings.analysis.world.quantities
            names = find_numbers_behind_plan(workings.analysis.executor, plan.moves)
            kinds = [quantities[name] for name in names]
            used += len(kinds)
            uncertain += sum(
                each.kind is QuantityKind.DISPUTED or (each.kind is QuantityKind.ASSUMED and each.is_estimate)
                for each in kinds
            )
        return used, uncertain


def analyse_mathematics(seed: SeedDocument, library: Library) -> MathematicalAnalysis:
    """Compute everything once for each content of a seed document."""
    return _analyse_content(serialize_seed_content(seed), library)


@lru_cache(maxsize=CACHED_SEEDS)
def _analyse_content(content: str, library: Library) -> MathematicalAnalysis:
    seed = parse_seed_content(content)
    workings = build_workings(seed, library)
    plan = workings.main_plan
    timing = sum_times(workings, plan) if plan is not None else None
    objections = [
        *find_sketch_objections(workings),
        *find_status_objections(workings),
        *find_contest_objections(workings),
    ]
    if plan is not None and timing is not None:
        objections += find_timing_objections(workings, plan, timing)
    for other in workings.plans:
        if other is not plan:
            objections += (
                each
                for each in find_timing_objections(workings, other, sum_times(workings, other))
                if each.subject in {step.call for step in seed.solution_sketch.steps}
            )
    return MathematicalAnalysis(
        workings,
        tuple(calculate_claim(claim, workings, library) for claim in seed.solution_sketch.claims),
        find_dimensional_errors(workings),
        timing,
        tuple(dict.fromkeys(objections)),
        tuple(compute_sensitivities(workings)),
    )


def build_mathematics_report(analysis: MathematicalAnalysis) -> MathematicsReport:
    """Build the mathematics report from what was computed."""
    workings, timing = analysis.workings, analysis.timing
    plan = workings.main_plan
    confidence = derive_confidence(analysis.confidence_basis)
    disputed = [each for each in analysis.objections if each.weight is Weight.CHALLENGE]
    return MathematicsReport(
        claims=tuple(each.calculation for each in analysis.claims),
        timing_budget=build_timing_rows(timing) if timing is not None else (),
        deadline_seconds=timing.deadline if timing is not None else None,
        margin=plan.outcome.time_margin if plan is not None else None,
        calculations=(*_describe_sums(timing), *(list_condition_margins(plan) if plan is not None else ())),
        dimensional_analysis="ERRORS-FOUND" if analysis.dimensions else "CONSISTENT",
        sensitivity=analysis.sensitivities,
        fragile=workings.status == "KS-Fragile",
        optimization=describe_optimization(workings),
        impossibility_proof=describe_impossibility_proof(workings),
        edge_cases=tuple(_describe_edge_cases(analysis)),
        corrections_needed=tuple(_list_corrections(analysis)),
        parameter_adjustments=tuple(
            each.describe_adjustment()
            for each in analysis.objections
            if each.weight is Weight.CONCERN and each.proposal
        ),
        alternative_paths=tuple(
            " then ".join(move.text for move in each.moves) for each in workings.plans if each is not plan
        ),
        mirage_convincing=_describe_failing_approaches(workings),
        challenges=(
            *(
                _object_to_claim(each).build_challenge(confidence)
                for each in analysis.claims
                if _is_disputed(each)
            ),
            *(
                object_to_finding(each).build_challenge(confidence)
                for each in select_execution_errors(workings)
            ),
            *(each.build_challenge(confidence) for each in disputed),
        ),
        vetoes=tuple(_build_vetoes(analysis)),
        confidence=confidence,
    )


def _describe_sums(timing: TimingSum | None) -> tuple[str, ...]:
    if timing is None or not timing.steps:
        return ()
    total = timing.seconds
    terms = " + ".join(format_duration(step.seconds, like=total) for step in timing.steps if step.seconds)
    line = f"Own sum of the durations: {terms or '0'} = {format_duration(total)}; execution takes {format_duration(timing.executed_seconds)}"
    if timing.deadline is not None:
        line += f"; deadline {format_duration(timing.deadline)}"
    if timing.worst_margin is not None:
        line += f"; worst case {format_duration(timing.longest)}, margin {timing.worst_margin:.0%}"
    return (f"{line}.",)


def _describe_edge_cases(analysis: MathematicalAnalysis) -> Iterator[str]:
    workings, plan = analysis.workings, analysis.workings.main_plan
    if plan is not None:
        conditions = [
            (margin, step.call, name)
            for step in plan.outcome.steps
            for name, margin in step.margins
            if margin is not None
        ]
        if conditions:
            least, call, name = min(conditions)
            yield f"The tightest condition is `{name}` of {call}: it holds by {least:.1%}."
    if analysis.timing is not None and analysis.timing.worst_margin is not None:
        worst = analysis.timing.worst_margin
        verdict = "misses the deadline" if worst < 0 else f"leaves {worst:.0%} of it"
        yield f"With every assumed quantity at its slow end at once the plan takes {analysis.timing.longest:.4g} s of {analysis.timing.earliest_deadline:.4g} s and {verdict}."
    yield from (each.evidence for each in analysis.objections if each.weight is Weight.CONCERN)
    near_misses = sorted(
        (abs(margin), name, end)
        for name, end, margin in find_failing_approaches(workings)
        if margin is not None
    )
    for margin, name, end in near_misses[:2]:
        yield f"The approach `{name}` fails by {margin:.0%} (`{end}`)."
    somewhere = [
        each.claim.claim_id
        for each in analysis.claims
        if each.holds and each.computed and each.always_holds is None and each.uncertain
    ]
    if somewhere:
        yield f"These claims hold as stated but not over all stated ranges: {', '.join(somewhere)}."
    breaking = [each.quantity for each in analysis.sensitivities if each.breaks]
    varied = format_count(len(analysis.sensitivities), "number")
    yield f"At stated values the record computes as {workings.status}; of {varied}, {len(breaking)} break a plan when they change by 20 %."


def _describe_failing_approaches(workings: RecordWorkings) -> str:
    traps = list(find_failing_approaches(workings))
    near_misses = [name for name, _, margin in traps if margin is not None and abs(margin) <= NEAR_MISS]
    late = sum(end == "late" for _, end, _ in traps)
    return (
        f"{format_count(len(traps), 'failing approach')}, {len(near_misses)} of them by at most {NEAR_MISS:.0%} and {late} by the clock: "
        f"{', '.join(near_misses).replace('_', ' ') or 'none'} can be distinguished from a solution only by calculating."
    )


def _is_disputed(each: CalculatedClaim) -> bool:
    return not each.holds and bool(each.claim.expression)


def _object_to_claim(each: CalculatedClaim) -> Objection:
    return Objection(
        each.claim.text,
        "evaluation of the claim's own expression",
        each.calculation.calculation,
        Weight.CHALLENGE,
        each.claim.claim_id,
        each.correction.proposal if each.correction is not None else "",
        each.claim.expression,
    )


def _list_corrections(analysis: MathematicalAnalysis) -> Iterator[Correction]:
    yield from (Correction(problem="Units do not agree.", evidence=text) for text in analysis.dimensions)
    if not analysis.dimensions:
        yield from (each.correction for each in analysis.claims if each.correction is not None)
        yield from list_record_corrections(analysis.workings)
    for each in analysis.objections:
        if each.weight is not Weight.CONCERN:
            yield each.build_correction()


def _build_vetoes(analysis: MathematicalAnalysis) -> Iterator[Veto]:
    """Yield the vetoes: inconsistent units, a sketch that fails, or a status other than the claimed one."""
    if analysis.dimensions:
        yield Veto(
            claim="The record's formulas are consistent.",
            law="dimensional homogeneity: both sides of a comparison measure the same",
            proof=(
                Evidence(
                    kind="derivation", text=f"1 of {len(analysis.dimensions)}: {analysis.dimensions[0]}"
                ),
            ),
            corrective_proposal="Correct the unit or the formula that is named.",
        )
        return
    vetoes = [each for each in analysis.objections if each.weight is Weight.VETO]
    # One revision answers one veto, so the status is vetoed only if the sketch itself works.
    yield from (each.build_veto() for each in vetoes[:1])
