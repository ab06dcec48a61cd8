"""EULER, the mathematician of the built-in cast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.challenge_answers import Recomputation
from impossible_moments.agents.builtin.confidence import ConfidenceBasis, compute_share, derive_confidence
from impossible_moments.agents.builtin.euler.distractor_review import (
    find_nearest_approach_of,
    review_distractor_by_figures,
)
from impossible_moments.agents.builtin.euler.feasibility import check_computed_feasibility
from impossible_moments.agents.builtin.euler.frontier_proposals import propose_extension, review_novelty
from impossible_moments.agents.builtin.euler.idle_objects import object_to_idle_objects
from impossible_moments.agents.builtin.euler.mathematics_report import (
    MathematicalAnalysis,
    analyse_mathematics,
    build_mathematics_report,
)
from impossible_moments.agents.builtin.euler.objections import NEEDED_MARGIN, Weight
from impossible_moments.agents.builtin.figure_formats import format_duration
from impossible_moments.agents.builtin.proposal_reading import read_proposal
from impossible_moments.agents.builtin.quantity_wording import format_all, format_count
from impossible_moments.agents.builtin.readiness import OpenFinding
from impossible_moments.agents.builtin.role import DesignPart, Role, complete_score_reasons
from impossible_moments.domain.agent_trace import Decision
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import BreakthroughReview, VetoReview
from impossible_moments.domain.refinement import DistractorFinding, ReviewMemo, StatusVote
from impossible_moments.domain.seed import Distractor
from impossible_moments.domain.validation import FeasibilityCheck, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import EULER, parse_main_status
from impossible_moments.mechanics.records import Library, QuantityKind

MOST_NAMED: Final = 5


class Euler(Role):
    """The agent that checks the mathematics of a scenario by computation."""

    name = EULER
    counted_dimensions = frozenset({"I", "D", "T", "X"})

    def __init__(self, library: Library) -> None:
        self.library = self.evidence_library = library

    def list_report_makers(self) -> Mapping[type[LabelledModel], Callable[[AssignmentView], LabelledModel]]:
        """Return the function that makes the mathematics report."""
        return {
            MathematicsReport: self._make_report,
            FeasibilityCheck: lambda view: check_computed_feasibility(view, self.require_seed_document(view)),
        }

    def _make_report(self, view: AssignmentView) -> MathematicsReport:
        analysis = self._analyse(view)
        report = build_mathematics_report(analysis)
        return report.model_copy(update={"breakthrough": propose_extension(analysis.workings)})

    def review_breakthrough(self, view: AssignmentView) -> BreakthroughReview:
        """Check the novelty of a proposal: its figures against the envelope and the known limits."""
        return review_novelty(read_proposal(view.notes), self._analyse(view).workings)

    def _analyse(self, view: AssignmentView) -> MathematicalAnalysis:
        return analyse_mathematics(self.require_seed_document(view), self.library)

    def write_review_memo(self, view: AssignmentView) -> ReviewMemo:
        """Write status, fragility and margins as computed on the final seed, and differences from NEWTON."""
        analysis = self._analyse(view)
        workings, timing = analysis.workings, analysis.timing
        report = self._make_report(view)
        agrees = workings.status == workings.claimed_status
        sentences = [
            f"Computed on the final seed, the record is {workings.status}"
            + (", as claimed." if agrees else f", and {workings.claimed_status} is claimed.")
        ]
        if timing is not None and timing.deadline is not None and timing.worst_margin is not None:
            spent = format_duration(timing.seconds, like=timing.deadline)
            sentences.append(
                f"The steps take {spent} of {format_duration(timing.deadline)}; in the worst case {timing.worst_margin:.0%} of the deadline is left."
            )
        breaking = [each for each in analysis.sensitivities if each.breaks]
        sentences.append(
            f"{len(breaking)} of {format_count(len(analysis.sensitivities), 'number')} break a plan within 20 %"
            + (
                f", for instance {breaking[0].quantity}: {breaking[0].how.partition(';')[0]}."
                if breaking
                else "."
            )
        )
        sentences += _compare_with_physics(view.find_document(PhysicsReport), report)
        concerns = [each.evidence for each in analysis.objections if not each.proposal]
        if report.margin is not None and report.margin < NEEDED_MARGIN:
            concerns.append(f"Only {report.margin:.1%} of the deadline is left at stated values.")
        return ReviewMemo(
            text=" ".join(sentences),
            concerns=tuple(dict.fromkeys(concerns))[:MOST_NAMED],
            suggestions=report.parameter_adjustments[:MOST_NAMED],
            confidence=report.confidence,
        )

    def score_difficulty(self, view: AssignmentView) -> tuple[Profile, Mapping[str, str]]:
        """Score the difficulty by executed plans: calls that carry an insight, near misses, and time left."""
        profile, reasons = self.score_evidence(view)
        return profile, complete_score_reasons(profile, reasons)

    def review_distractor(self, distractor: Distractor, view: AssignmentView) -> DistractorFinding:
        """Review a distractor: whether its quantities open a path, and how near it comes."""
        return review_distractor_by_figures(distractor, self._analyse(view).workings)

    def rate_distractor_review(self, view: AssignmentView) -> ConfidenceBasis:
        """Return what the confidence of the distractor review rests on: measured distances and the search."""
        workings = self._analyse(view).workings
        inventory = workings.seed.distractor_inventory
        nearest = [find_nearest_approach_of(each, workings) for each in inventory]
        unmeasured = sum(each is None or each.missed is None for each in nearest)
        verdict = workings.verdict
        return ConfidenceBasis(
            uncomputed=compute_share(unmeasured, 2 * len(inventory)),
            exhausted=verdict is not None and verdict.exhausted,
        )

    def review_vetoed_revision(self, view: AssignmentView) -> VetoReview:
        """Report satisfaction if a new report on the revised seed document raises no veto."""
        analysis = self._analyse(view)
        again = build_mathematics_report(analysis)
        if again.vetoes:
            return VetoReview(
                satisfied=False, reason=f"{again.vetoes[0].law}: {again.vetoes[0].proof[0].text}"
            )
        working = sum(each.works for each in analysis.workings.sketch)
        plans = format_count(len(analysis.workings.sketch), "plan")
        return VetoReview(
            satisfied=True,
            reason=f"Computed again: {working} of {plans} of the sketch work, units agree, and it is {analysis.workings.status} as claimed.",
        )

    def recompute_claim(self, claim: str, view: AssignmentView) -> Recomputation | None:
        """Compute a challenged statement of the report again."""
        analysis = self._analyse(view)
        for each in analysis.claims:
            if claim.strip() in {each.claim.claim_id, each.claim.text.strip()}:
                return Recomputation(
                    holds=each.holds if each.computed else None,
                    text=f"{each.claim.claim_id}: {each.calculation.calculation}",
                    expression=each.claim.expression,
                    margin=each.margin,
                )
        if claim.startswith("The margin is") and analysis.timing is not None and analysis.timing.deadline:
            timing, deadline = analysis.timing, analysis.timing.deadline
            margin = (deadline - timing.seconds) / deadline
            spent = format_duration(timing.seconds, like=deadline)
            text = f"The durations sum to {spent} of {format_duration(deadline)}, which leaves {margin:.1%}."
            return Recomputation(holds=f"{margin:.1%}" in claim, text=text, margin=margin)
        return None

    def vote_on_status(self, view: AssignmentView) -> StatusVote:
        """Vote for the status that the agent's own search and proof give."""
        analysis = self._analyse(view)
        workings = analysis.workings
        if workings.verdict is None or workings.verdict.status is None:
            return super().vote_on_status(view)
        return StatusVote(
            status=parse_main_status(workings.status),
            reason=f"Searched and proved on the final record: {workings.verdict.reason}.",
            confidence=derive_confidence(analysis.confidence_basis),
        )

    def examine_design(self, view: AssignmentView) -> Mapping[DesignPart, str]:
        """Examine whether the objects take part in the record."""
        return {"objects": object_to_idle_objects(self._analyse(view).workings)}

    def list_open_findings(self, view: AssignmentView) -> tuple[OpenFinding, ...]:
        """Return what still speaks against the current seed document."""
        analysis = self._analyse(view)
        report = build_mathematics_report(analysis)
        vetoed = {each.evidence for each in analysis.objections if each.weight is Weight.VETO}
        return tuple(
            OpenFinding(str(each), each.proposal or each.problem, each.subject, each.evidence in vetoed)
            for each in report.corrections_needed
        )

    def summarize_findings(self, view: AssignmentView) -> tuple[str, tuple[Decision, ...]]:
        """Summarize what was computed."""
        analysis = self._analyse(view)
        workings, confidence = analysis.workings, derive_confidence(analysis.confidence_basis)
        reason = workings.verdict.reason if workings.verdict is not None else "it could not be read"
        agrees = workings.status == workings.claimed_status
        decisions = [
            Decision(
                description=f"{'Confirmed' if agrees else 'Refused the claim of ' + workings.claimed_status + ' and computed'} {workings.status}.",
                confidence=confidence,
            )
        ]
        if (
            analysis.timing is not None
            and analysis.timing.worst_margin is not None
            and workings.main_plan is not None
        ):
            margin = workings.main_plan.outcome.time_margin
            decisions.append(
                Decision(
                    description=f"Margin {margin:.0%} of the deadline as stated, {analysis.timing.worst_margin:.0%} in the worst case.",
                    confidence=derive_confidence(ConfidenceBasis(least_margin=analysis.timing.worst_margin)),
                )
            )
        return f"The record computes as {workings.status}: {reason}.", tuple(decisions)

    def state_doubts(self, view: AssignmentView) -> tuple[str, str]:
        """Name the estimates that change the result most."""
        analysis = self._analyse(view)
        world = analysis.workings.analysis.world if analysis.workings.analysis is not None else None
        estimates = [
            each.quantity
            for each in analysis.sensitivities
            if world is not None
            and world.quantities[each.quantity].kind is QuantityKind.ASSUMED
            and world.quantities[each.quantity].is_estimate
        ]
        if not estimates:
            return (
                "No plan rests on an estimate; the doubt is whether the record's actions are all there are.",
                "A further reading of the text for actions that the record lacks.",
            )
        return (
            f"{len(estimates)} of {format_count(len(analysis.sensitivities), 'number')} behind the plans are estimates: {', '.join(estimates[:MOST_NAMED])}.",
            f"Measured values for {', '.join(estimates[:MOST_NAMED])}.",
        )


def _compare_with_physics(other: PhysicsReport | None, report: MathematicsReport) -> list[str]:
    if other is None:
        return []
    theirs = {each.claim_id: each.verdict for each in other.claims}
    different = [
        each.claim_id for each in report.claims if theirs.get(each.claim_id, each.verdict) != each.verdict
    ]
    if different:
        return [f"NEWTON's verdict differs on {', '.join(different)}."]
    return [f"NEWTON calls it {other.feasibility} and agrees on {format_all(len(report.claims), 'claim')}."]
