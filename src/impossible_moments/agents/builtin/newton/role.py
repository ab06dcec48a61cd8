"""NEWTON, the physicist of the built-in cast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.challenge_answers import Recomputation
from impossible_moments.agents.builtin.confidence import ConfidenceBasis, compute_share, derive_confidence
from impossible_moments.agents.builtin.figure_formats import format_duration
from impossible_moments.agents.builtin.newton.distractor_review import review_distractor_physically
from impossible_moments.agents.builtin.newton.feasibility import check_physical_feasibility
from impossible_moments.agents.builtin.newton.frontier_review import review_physics_of_proposal
from impossible_moments.agents.builtin.newton.physical_fault import Gravity
from impossible_moments.agents.builtin.newton.physics_report import (
    PhysicalAnalysis,
    analyse_physics,
    build_physics_report,
    list_concerns,
)
from impossible_moments.agents.builtin.proposal_reading import read_proposal
from impossible_moments.agents.builtin.quantity_wording import format_all, format_count
from impossible_moments.agents.builtin.readiness import OpenFinding
from impossible_moments.agents.builtin.role import DesignPart, Role, complete_score_reasons
from impossible_moments.domain.agent_trace import Decision
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import BreakthroughReview, VetoReview
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import DistractorFinding, ReviewMemo
from impossible_moments.domain.seed import Distractor
from impossible_moments.domain.validation import FeasibilityCheck, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import NEWTON
from impossible_moments.mechanics.records import Library

MOST_CONCERNS: Final = 5


class Newton(Role):
    """The agent that checks the physics of a scenario by computation and against the library."""

    name = NEWTON
    counted_dimensions = frozenset({"I", "D", "B"})

    def __init__(self, library: Library) -> None:
        self.library = self.evidence_library = library

    def list_report_makers(self) -> Mapping[type[LabelledModel], Callable[[AssignmentView], LabelledModel]]:
        """Return the function that makes the physics report."""
        return {
            PhysicsReport: self._make_report,
            FeasibilityCheck: check_physical_feasibility,
        }

    def _make_report(self, view: AssignmentView) -> PhysicsReport:
        return build_physics_report(self._analyse(view))

    def _analyse(self, view: AssignmentView) -> PhysicalAnalysis:
        return analyse_physics(self.require_seed_document(view), self.library)

    def write_review_memo(self, view: AssignmentView) -> ReviewMemo:
        """Write what the whole scenario shows beyond the report: differences from EULER, and effects in the grounding."""
        analysis = self._analyse(view)
        report = self._make_report(view)
        margins = [
            f"{each.claim.claim_id} {each.margin:.0%}" for each in analysis.claims if each.margin is not None
        ]
        sentences = [
            f"Computed on the final seed, the scenario is {report.feasibility}; margins of the claims: {', '.join(margins) or 'none measurable'}.",
            *_compare_with_mathematics(view.find_document(MathematicsReport), report),
            *_compare_with_grounding(view.find_document(GroundingReport), analysis),
        ]
        return ReviewMemo(
            text=" ".join(sentences),
            concerns=list_concerns(analysis)[:MOST_CONCERNS],
            suggestions=tuple(each.proposal for each in report.corrections_needed if each.proposal),
            confidence=report.confidence,
        )

    def describe_status_evidence(self, view: AssignmentView) -> str:
        """Return how many claims behind the status hold, and how near the nearest is to its limit."""
        claims = self._analyse(view).claims
        measured = [each for each in claims if each.holds and each.margin is not None]
        nearest = min(measured, key=lambda each: each.margin or 0.0, default=None)
        limit = "" if nearest is None else f", {nearest.claim.claim_id} by the least, {nearest.margin:.1%}"
        held = sum(each.holds for each in claims)
        return (
            f"Physically {held} of {format_count(len(claims), 'claim')} computed as true{limit}. "
            if claims
            else ""
        )

    def review_breakthrough(self, view: AssignmentView) -> BreakthroughReview:
        """Compute every condition of the envelope at the proposed figures."""
        return review_physics_of_proposal(read_proposal(view.notes), self._analyse(view).facts)

    def examine_design(self, view: AssignmentView) -> Mapping[DesignPart, str]:
        """Examine whether the objects can be what they are said to be."""
        unreal = [
            f"{each.label}: {each.fault.problem}"
            for each in self._analyse(view).materials
            if each.fault is not None and each.fault.gravity is not Gravity.CONCERN
        ]
        return {"objects": f"These objects are not real: {'; '.join(unreal)}." if unreal else ""}

    def rate_design_vote(self, view: AssignmentView) -> ConfidenceBasis:
        """Count as not computed the objects whose mass could not be compared with their size and material."""
        objects = len(self.require_seed_document(view).scenario.objects)
        judged = min(len(self._analyse(view).materials), objects)
        return ConfidenceBasis(
            uncomputed=compute_share(objects - judged, objects),
            concerns=sum(map(bool, self.examine_design(view).values())),
        )

    def score_difficulty(self, view: AssignmentView) -> tuple[Profile, Mapping[str, str]]:
        """Score the difficulty by what executing the record shows."""
        profile, reasons = self.score_evidence(view)
        return profile, complete_score_reasons(profile, reasons)

    def review_distractor(self, distractor: Distractor, view: AssignmentView) -> DistractorFinding:
        """Review a distractor: whether a plan that uses it reaches the goal, and how near the others come."""
        return review_distractor_physically(distractor, self._analyse(view))

    def rate_distractor_review(self, view: AssignmentView) -> ConfidenceBasis:
        """Return what the confidence of the distractor review rests on: the share of distractors that were tried."""
        analysis = self._analyse(view)
        count = len(analysis.facts.seed.distractor_inventory)
        tried = sum(bool(trials) for trials in analysis.trials.values())
        return ConfidenceBasis(uncomputed=compute_share(count - tried, count))

    def review_vetoed_revision(self, view: AssignmentView) -> VetoReview:
        """Report satisfaction if a new report on the revised seed document raises no veto."""
        analysis = self._analyse(view)
        again = build_physics_report(analysis)
        if again.vetoes:
            veto = again.vetoes[0]
            return VetoReview(satisfied=False, reason=f"{veto.law}: {veto.proof[0].text}")
        steps = sum(len(run.moments) for run in analysis.facts.sketch_runs)
        return VetoReview(
            satisfied=True,
            reason=f"Computed again: {format_count(len(analysis.materials), 'thing')} and {format_count(steps, 'step')} of the sketch violate no law.",
        )

    def recompute_claim(self, claim: str, view: AssignmentView) -> Recomputation | None:
        """Compute a challenged statement of the report again."""
        analysis = self._analyse(view)
        for each in analysis.claims:
            if claim.strip() in {each.claim.claim_id, each.claim.text.strip()}:
                return Recomputation(
                    holds=each.holds if each.computed else None,
                    text=f"{each.claim.claim_id}: {each.verdict.reasoning}",
                    expression=each.claim.expression,
                    margin=each.margin,
                )
        if "physically" in claim:
            return self._recompute_feasibility(claim, analysis)
        return None

    def _recompute_feasibility(self, claim: str, analysis: PhysicalAnalysis) -> Recomputation:
        report = build_physics_report(analysis)
        late = [
            run.outcome
            for run in analysis.facts.sketch_runs
            if run.outcome is not None and not run.outcome.reaches_goal
        ]
        if late:
            outcome = late[0]
            deadline = f" of {format_duration(outcome.deadline)}" if outcome.deadline is not None else ""
            text = f"Executed again, the sketch ends `{outcome.end}` after {format_duration(outcome.time)}{deadline}."
            return Recomputation(holds=False, text=text, margin=outcome.failing_margin)
        text = f"Executed again, every plan of the sketch reaches the goal, and the report is {report.feasibility}."
        return Recomputation(holds=report.feasibility in claim, text=text)

    def list_open_findings(self, view: AssignmentView) -> tuple[OpenFinding, ...]:
        """Return what still speaks against the current seed document."""
        report = self._make_report(view)
        return tuple(
            OpenFinding(str(each), each.proposal or each.problem, each.subject, bool(report.vetoes))
            for each in report.corrections_needed
        )

    def summarize_findings(self, view: AssignmentView) -> tuple[str, tuple[Decision, ...]]:
        """Summarize what was computed."""
        analysis = self._analyse(view)
        report = build_physics_report(analysis)
        computed = sum(each.computed for each in analysis.claims)
        judged, invalid = (
            format_count(len(analysis.claims), "claim"),
            sum(not each.holds for each in analysis.claims),
        )
        faulty = [each.label for each in analysis.materials if each.fault is not None]
        things = format_count(len(analysis.materials), "thing")
        decisions = (
            Decision(
                description=f"Judged {judged}, {computed} of them by their numbers; {invalid} are INVALID.",
                confidence=derive_confidence(analysis.confidence_basis),
            ),
            Decision(
                description=f"Compared {things} with their materials; {len(faulty)} do not fit{': ' + ', '.join(faulty) if faulty else ''}.",
                confidence=report.confidence,
            ),
        )
        found = [f"Feasibility: {report.feasibility}.", *report.concerns[:2], *report.edge_cases[:2]]
        return " ".join(each.rstrip(".") + "." for each in found), decisions

    def state_doubts(self, view: AssignmentView) -> tuple[str, str]:
        """Name the assumed numbers that claims rest on."""
        analysis = self._analyse(view)
        assumed = sorted(
            {source.words for claim in analysis.claims for source in claim.sources if source.reference}
        )
        if not assumed:
            return (
                "No claim rests on a value that is not stated; the doubt is whether the claims cover all that the steps need.",
                "An expert's list of what each step needs in practice.",
            )
        return (
            f"Claims rest on values that the scenario does not state: {', '.join(assumed[:MOST_CONCERNS])}.",
            "Measured values for these, or their statement in the scenario.",
        )


def _compare_with_mathematics(other: MathematicsReport | None, report: PhysicsReport) -> tuple[str, ...]:
    if other is None:
        return ()
    theirs = {each.claim_id: each.verdict for each in other.claims}
    different = [
        each.claim_id for each in report.claims if theirs.get(each.claim_id, each.verdict) != each.verdict
    ]
    if different:
        return (f"EULER's verdict differs on {', '.join(different)}.",)
    margin = f", whose timing leaves {other.margin:.0%} of the deadline" if other.margin is not None else ""
    return (f"EULER's verdicts agree on {format_all(len(report.claims), 'claim')}{margin}.",)


def _compare_with_grounding(grounding: GroundingReport | None, analysis: PhysicalAnalysis) -> tuple[str, ...]:
    """Return which physical quantities the grounding speaks of that no claim computes."""
    if grounding is None or analysis.facts.world is None:
        return ()
    text = grounding.model_dump_json().lower()
    read = {source.path.rpartition(".")[2] for claim in analysis.claims for source in claim.sources}
    stated = {name.rpartition(".")[2] for name in analysis.facts.world.own_paths}
    named = sorted(
        name
        for name in stated - read
        if len(name) > 4 and f" {name.replace('_', ' ')} " in text  # noqa: PLR2004 - shorter names are ordinary words
    )
    if named:
        return (f"The grounding mentions {', '.join(named)}, which no claim computes.",)
    return (f"The grounding names none of the {len(stated - read)} stated properties that no claim reads.",)
