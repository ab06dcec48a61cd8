"""GALILEO, the research scientist of the built-in cast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.calibration_discussion import parse_discussed_scores
from impossible_moments.agents.builtin.confidence import ConfidenceBasis, compute_share, derive_confidence
from impossible_moments.agents.builtin.galileo.cognitive_constructs import build_construct
from impossible_moments.agents.builtin.galileo.contamination import CorpusPosition
from impossible_moments.agents.builtin.galileo.cues import examine_cues
from impossible_moments.agents.builtin.galileo.difficulty_votes import score_by_research
from impossible_moments.agents.builtin.galileo.distractor_constructs import review_distractor_construct
from impossible_moments.agents.builtin.galileo.grounding_report import (
    build_grounding_report,
    collect_grounding_evidence,
)
from impossible_moments.agents.builtin.galileo.performance_prediction import (
    build_insight_chain,
    compare_with_tier,
    measure_weak_solvers,
)
from impossible_moments.agents.builtin.galileo.prior_proposals import review_prior_proposals
from impossible_moments.agents.builtin.proposal_reading import read_proposal
from impossible_moments.agents.builtin.quantity_wording import format_count
from impossible_moments.agents.builtin.role import DesignPart, Role, complete_score_reasons
from impossible_moments.domain.agent_trace import Decision
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import BreakthroughReview
from impossible_moments.domain.grounding import Construct, GroundingReport
from impossible_moments.domain.refinement import (
    CalibrationVote,
    DistractorFinding,
    ReadinessVote,
    ReviewMemo,
)
from impossible_moments.domain.seed import Distractor, SeedDocument
from impossible_moments.domain.vocabulary import GALILEO, DifficultyDimension
from impossible_moments.solver import KnownSituations

_SURPRISED_READER: Final = 5.0
"""Points by which a blind misreading lowers the prediction for direct answers."""


class Galileo(Role):
    """The agent that grounds scenarios in research."""

    name = GALILEO

    def __init__(self, situations: KnownSituations) -> None:
        self.situations = situations

    def list_report_makers(self) -> Mapping[type[LabelledModel], Callable[[AssignmentView], LabelledModel]]:
        """Return the function that makes the grounding report."""
        return {GroundingReport: self.ground_scenario}

    def ground_scenario(self, view: AssignmentView) -> GroundingReport:
        """Ground the scenario: constructs, contamination, prediction, rubric fit and confounds."""
        seed = self.require_seed_document(view)
        position = CorpusPosition.from_context(view.get_computed("nearest"), view.get_computed("corpus"))
        evidence = collect_grounding_evidence(seed, position, measure_weak_solvers(seed, self.situations))
        return build_grounding_report(evidence)

    def _find_own_report(self, view: AssignmentView) -> GroundingReport:
        """Return GALILEO's own report, or a new one without measurements if it is not visible in full."""
        own = view.find_document(GroundingReport, GALILEO)
        if own is not None:
            return own
        return build_grounding_report(collect_grounding_evidence(self.require_seed_document(view)))

    def write_review_memo(self, view: AssignmentView) -> ReviewMemo:
        """Write whether the grounding holds for the validated solution, what else is tested, and the prediction."""
        seed, report = self.require_seed_document(view), self._find_own_report(view)
        blind = view.find_document(ClassificationReport)
        further = _find_further_constructs(seed, report, blind)
        claimed = str((seed.mechanics.get("status") or {}).get("claim", ""))
        grounded = {each.insight for each in report.constructs}
        missing = [number for number in range(1, len(seed.insight_chain) + 1) if number not in grounded]
        insights = format_count(len(seed.insight_chain), "insight")
        works = format_count(len(report.cited_keys), "work")
        sentences = [
            f"The grounding covers {len(seed.insight_chain) - len(missing)} of {insights} of the validated solution with {works}."
        ]
        if further:
            names = "; ".join(f"{each.construct_tested}: {each.prediction}" for each in further)
            sentences.append(f"Constructs that were not mapped in GROUND: {names}.")
        else:
            sentences.append(
                "The validated solution and the blind reading show no construct that GROUND missed."
            )
        sentences.append(_describe_revised_prediction(report, blind, claimed))
        sentences.append(f"The scientific merit is {report.merit}.")
        tier = compare_with_tier(build_insight_chain(seed), seed.concept_summary.difficulty_tier)
        if tier:
            sentences.append(tier)
        return ReviewMemo(
            text=" ".join(sentences),
            suggestions=report.recommendations,
            confidence=report.confidence or derive_confidence(ConfidenceBasis(uncomputed=1.0)),
        )

    def describe_status_evidence(self, view: AssignmentView) -> str:
        """Return what the first reader took the scenario for."""
        blind = view.find_document(ClassificationReport)
        return "" if blind is None else f"A first reader took it for {blind.status}. "

    def review_breakthrough(self, view: AssignmentView) -> BreakthroughReview:
        """Search for earlier proposals of the same kind."""
        return review_prior_proposals(read_proposal(view.notes), view.seed)

    def vote_on_readiness(self, view: AssignmentView) -> ReadinessVote:
        """Vote as usual, and state a low merit with its reasons where nothing else is open."""
        vote, report = super().vote_on_readiness(view), self._find_own_report(view)
        if vote.vote != "APPROVE" or report.merit != "LOW":
            return vote
        note = f"The scientific merit stays LOW. {report.construct_validity}"
        return vote.model_copy(update={"vote": "APPROVE-WITH-NOTES", "notes": note})

    def examine_design(self, view: AssignmentView) -> Mapping[DesignPart, str]:
        """Examine whether the name primes an insight, and whether the objects hold something to ignore."""
        return examine_cues(self.require_seed_document(view))

    def score_difficulty(self, view: AssignmentView) -> tuple[Profile, Mapping[str, str]]:
        """Score the difficulty by the evidence, weighed by how rarely each needed habit is broken."""
        profile, reasons = score_by_research(self.require_difficulty_evidence(view))
        return profile, complete_score_reasons(profile, reasons)

    def vote_on_calibration(self, view: AssignmentView) -> CalibrationVote:
        """Vote on I.D.C.B.T.X.

        After a discussion, scores that rest on judgement (I, C, B, X) move one step towards the mean of the others.
        Scores that rest on a count or a computed margin (D, T) stay.
        """
        profile, reasons = self.score_difficulty(view)
        scores, words = profile.model_dump(), dict(reasons)
        for letter, positions in parse_discussed_scores(view.notes).items():
            others = [score for agent, score in positions.items() if agent != GALILEO]
            mean = sum(others) / len(others) if others else float(scores[letter])
            name = DifficultyDimension[letter].value
            if letter in "DT":
                words[name] += f" The others average {mean:.1f}; the count stands."
            elif abs(mean - scores[letter]) >= 1:
                scores[letter] += 1 if mean > scores[letter] else -1
                words[name] += f" Moved one step: the others average {mean:.1f}."
        return CalibrationVote(
            profile=Profile(**scores),
            rationale=words,
            confidence=self._find_own_report(view).confidence
            or derive_confidence(ConfidenceBasis(uncomputed=1.0)),
        )

    def review_distractor(self, distractor: Distractor, view: AssignmentView) -> DistractorFinding:
        """Review a distractor: which construct it tests, and whether the scenario means to test it."""
        return review_distractor_construct(distractor, self.require_seed_document(view))

    def rate_distractor_review(self, view: AssignmentView) -> ConfidenceBasis:
        """Count as not computed the distractors whose failure no wrong answer shows."""
        inventory = self.require_seed_document(view).distractor_inventory
        unshown = sum(
            "Failing it shows" not in self.review_distractor(each, view).remark for each in inventory
        )
        return ConfidenceBasis(uncomputed=compute_share(unshown, len(inventory)))

    def summarize_findings(self, view: AssignmentView) -> tuple[str, tuple[Decision, ...]]:
        """Summarize the constructs, the citations in full, the contamination check and the prediction."""
        report = self._find_own_report(view)
        confidence = report.confidence or derive_confidence(ConfidenceBasis(uncomputed=1.0))
        constructs = ", ".join(dict.fromkeys(each.construct_tested for each in report.constructs))
        references = " ".join(dict.fromkeys(line for each in report.constructs for line in each.references))
        predicted = report.predicted
        decisions = (
            Decision(description=f"Mapped {constructs}. Cited: {references}", confidence=confidence),
            Decision(description=f"Contamination: {report.contamination_resistance}", confidence=confidence),
            Decision(
                description=f"Predicted direct {predicted.direct_answer:.0f}, chain of thought {predicted.chain_of_thought:.0f}, "
                f"extended {predicted.extended_reasoning:.0f}, agentic {predicted.agentic:.0f} of 100.",
                confidence=round(confidence * 0.8, 2),
            ),
        )
        return f"Merit {report.merit}. {report.compositional_chain}", decisions

    def state_doubts(self, view: AssignmentView) -> tuple[str, str]:
        """Name what the prediction rests on least."""
        report = self._find_own_report(view)
        if "no solver was run" in report.compositional_chain:
            return (
                "The predicted scores: they rest on shares from studies of other tasks, and no solver was measured.",
                "Scores of models on scenarios of this kind.",
            )
        return (
            f"How far the measured solvers stand for language models; the confounds are {len(report.confounds)}.",
            "Scores of models on this scenario, with and without its distractors.",
        )


def _find_further_constructs(
    seed: SeedDocument, report: GroundingReport, blind: ClassificationReport | None
) -> tuple[Construct, ...]:
    """Return constructs that the blind reading and the validated plan show and that the report lacks."""
    known = {each.construct_tested for each in report.constructs}
    found = []
    if blind is not None and blind.premise_named:
        found.append(
            build_construct(
                1,
                "constraint relaxation",
                ("knoblich1999constraint", "ormerod2002dynamics"),
                f"a blind reader took “{blind.premise_named}” for a restriction",
            )
        )
    if any(each.depends_on for each in seed.insight_chain) and len(seed.solution_sketch.steps) > 1:
        found.append(
            build_construct(
                1,
                "ordering of dependent steps",
                ("newell1972human", "valmeekam2023planbench"),
                f"the plan has {len(seed.solution_sketch.steps)} steps, and an insight depends on another",
            )
        )
    if blind is not None and blind.epistemology.metacognitive_demand == "HIGH":
        found.append(
            build_construct(
                1,
                "metacognitive monitoring",
                ("flavell1979metacognition", "kadavath2022language"),
                "the blind reading rates the metacognitive demand HIGH",
            )
        )
    return tuple(each for each in found if each.construct_tested not in known)


def _describe_revised_prediction(
    report: GroundingReport, blind: ClassificationReport | None, claimed: str
) -> str:
    """Return the prediction for direct answers, corrected by what the blind reading showed."""
    predicted = report.predicted.direct_answer
    if blind is None:
        return f"The prediction of {predicted:.0f} for direct answers stands: no blind reading is visible."
    if claimed.startswith(blind.status):
        return f"The blind reader saw {blind.status}, as it is; the prediction of {predicted:.0f} for direct answers stands."
    lowered = max(predicted - _SURPRISED_READER, 0)
    return f"The blind reader took it for {blind.status} and not for {claimed}; the prediction for direct answers falls from {predicted:.0f} to {lowered:.0f}."
