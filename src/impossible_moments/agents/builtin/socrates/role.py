"""SOCRATES, the classifier of the built-in cast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median_low
from typing import Final

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.calibration_discussion import parse_discussed_scores
from impossible_moments.agents.builtin.confidence import ConfidenceBasis, compute_share, derive_confidence
from impossible_moments.agents.builtin.role import DesignPart, Role, UnanswerableAsk, complete_score_reasons
from impossible_moments.agents.builtin.socrates.blind_classification import (
    build_classification_report,
    describe_remaining_doubt,
)
from impossible_moments.agents.builtin.socrates.blind_reading import read_public_text
from impossible_moments.agents.builtin.socrates.design_examination import examine_design_as_reader
from impossible_moments.agents.builtin.socrates.distractor_fairness import review_distractor_fairness
from impossible_moments.agents.builtin.socrates.ethical_review import review_ethics
from impossible_moments.agents.builtin.socrates.informed_classification import (
    RevealedEvidence,
    build_informed_classification,
    judge_revealed_evidence,
)
from impossible_moments.agents.builtin.socrates.informed_difficulty import score_informed_profile
from impossible_moments.agents.orchestrator.difficulty_figures import DIFFICULTY_EVIDENCE
from impossible_moments.domain.agent_trace import Decision
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.refinement import (
    CalibrationVote,
    DistractorFinding,
    ReviewMemo,
    StatusVote,
)
from impossible_moments.domain.seed import Distractor, SeedDocument
from impossible_moments.domain.validation import JointAssessment, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import SOCRATES, DifficultyDimension, parse_main_status

_DOUBT: Final = "Your confidence is"
"""Words of the note that asks for what a confidence below its threshold rests on."""
_WIDEST_MOVE: Final = 4
"""The largest difference between two scores of a dimension."""


class Socrates(Role):
    """The agent that classifies scenarios blind, and again with full information."""

    name = SOCRATES

    def list_report_makers(self) -> Mapping[type[LabelledModel], Callable[[AssignmentView], LabelledModel]]:
        """Return the functions that make the blind and the informed classification."""
        return {ClassificationReport: self.classify_blind, InformedClassification: self.classify_informed}

    def classify_blind(self, view: AssignmentView) -> ClassificationReport:
        """Classify the scenario from the text that a solver sees, without title and without the catalogue."""
        fields = view.get_document_fields("SeedDocument")
        if "scenario" not in fields:
            raise UnanswerableAsk("SOCRATES was asked without a narrative to read.")
        reading = read_public_text(fields)
        report = build_classification_report(reading)
        if not any(_DOUBT in note for note in view.notes):
            return report
        again = f"{report.justification} {describe_remaining_doubt(reading)}"
        return report.model_copy(update={"justification": again})

    def classify_informed(self, view: AssignmentView) -> InformedClassification:
        """Classify the scenario from the revealed evidence, and compare with the blind classification."""
        blind = view.find_document(ClassificationReport, SOCRATES)
        return build_informed_classification(
            self._collect_evidence(view), blind, self._find_informed_profile(view)
        )

    def _find_informed_profile(self, view: AssignmentView) -> Profile:
        """Return the scores from the evidence, or after the reveal those that were handed in."""
        informed = view.find_document(InformedClassification, SOCRATES)
        if view.get_computed(DIFFICULTY_EVIDENCE) is None and informed is not None:
            return informed.profile
        return self.score_difficulty(view)[0]

    def _collect_evidence(self, view: AssignmentView) -> RevealedEvidence:
        return RevealedEvidence(
            self.require_seed_document(view),
            view.find_document(PhysicsReport),
            view.find_document(MathematicsReport),
            view.find_document(JointAssessment),
        )

    def describe_basis_of_claim(self, claim: str, view: AssignmentView) -> str:
        """Return the evidence for the status, if the status is challenged."""
        if not claim.startswith("The scenario is "):
            return ""
        return judge_revealed_evidence(self._collect_evidence(view))[1]

    def write_review_memo(self, view: AssignmentView) -> ReviewMemo:
        """Write how far the informed judgement is from the blind one, and whether the ethics change with the answer."""
        blind = view.find_document(ClassificationReport, SOCRATES)
        informed = view.find_document(InformedClassification, SOCRATES) or self.classify_informed(view)
        seed = self.require_seed_document(view)
        ethics = review_ethics(_list_solution_passages(seed))
        before = blind.ethics.status if blind is not None else "not reviewed"
        text = (
            f"{informed.delta} Ethics: read blind {before}; the solution, insights and distractors are {ethics.status}"
            f"{f' ({ethics.notes})' if ethics.notes else ''}."
        )
        concerns = []
        if ethics.status == "FAIL":
            concerns.append(f"The solution raises an ethical concern: {ethics.notes}")
        if blind is not None and informed.status == "MT" and blind.premise_named:
            concerns.append(
                f"The premise was named at first reading (“{blind.premise_named}”): hide it better."
            )
        if blind is not None and informed.status == blind.status == "DG":
            concerns.append("The trivial answer was seen at first reading: disguise it better.")
        status, evidence = judge_revealed_evidence(self._collect_evidence(view))
        claimed = str((seed.mechanics.get("status") or {}).get("claim", ""))
        if claimed and claimed.partition("-")[0] != status:
            concerns.append(
                f"The scenario is offered as {claimed}, and the evidence fits {status}: {evidence}"
            )
        return ReviewMemo(
            text=text,
            concerns=tuple(concerns),
            confidence=informed.confidence,
        )

    def score_difficulty(self, view: AssignmentView) -> tuple[Profile, Mapping[str, str]]:
        """Score the revealed difficulty, never far below the blind impression."""
        blind = view.find_document(ClassificationReport, SOCRATES)
        profile, reasons = score_informed_profile(
            self.require_difficulty_evidence(view), blind.profile if blind is not None else None
        )
        return profile, complete_score_reasons(profile, reasons)

    def vote_on_status(self, view: AssignmentView) -> StatusVote:
        """Vote for the status that the evidence supports.

        In a second vote SOCRATES yields to a computed status on which all others agree, and says so.
        """
        status, words = judge_revealed_evidence(self._collect_evidence(view))
        joint = view.get_document_fields("JointAssessment")
        computed = str(joint.get("computed_status", "")).partition("-")[0]
        divided = any("solution status: " in note for note in view.notes)
        if computed and computed != status and divided:
            return StatusVote(
                status=parse_main_status(computed),
                reason=f"By its description I would call it {status} ({words}); the computation, on which the others rely, decides for {computed}.",
                # the vote follows a computation that SOCRATES did not make, against its own reading
                confidence=derive_confidence(ConfidenceBasis(uncomputed=1.0, concerns=1)),
            )
        return StatusVote(status=status, reason=words, confidence=self.classify_informed(view).confidence)

    def vote_on_calibration(self, view: AssignmentView) -> CalibrationVote:
        """Vote on I.D.C.B.T.X.

        After a discussion the score of a divided dimension moves one step towards the median of the agents.
        """
        profile, reasons = self.score_difficulty(view)
        discussed = parse_discussed_scores(view.notes)
        scores, words = profile.model_dump(), dict(reasons)
        for letter, positions in discussed.items():
            middle, own = median_low(positions.values()), scores[letter]
            if middle != own:
                scores[letter] = own + (1 if middle > own else -1)
                words[DifficultyDimension[letter].value] += (
                    f" After the discussion {own} becomes {scores[letter]}: the median of the agents is {middle}."
                )
        voted = Profile(**scores)
        return CalibrationVote(
            profile=voted, rationale=words, confidence=self._compute_vote_confidence(view, voted)
        )

    def _compute_vote_confidence(self, view: AssignmentView, profile: Profile) -> float:
        """Return the mean of the confidence in the informed class and the agreement with the blind impression."""
        informed = self.classify_informed(view).confidence
        blind = view.find_document(ClassificationReport, SOCRATES)
        if blind is None:
            return informed
        moved = sum(abs(one - other) for one, other in zip(blind.profile.scores, profile.scores, strict=True))
        agreement = 1 - moved / (_WIDEST_MOVE * len(profile.scores))
        return round((informed + agreement) / 2, 2)

    def review_distractor(self, distractor: Distractor, view: AssignmentView) -> DistractorFinding:
        """Review a distractor: whether something that the text states excludes it, and whether it is harmless."""
        return review_distractor_fairness(distractor, self.require_seed_document(view))

    def rate_distractor_review(self, view: AssignmentView) -> ConfidenceBasis:
        """Count as not computed the distractors that words and not figures decide."""
        inventory = self.require_seed_document(view).distractor_inventory
        by_words = sum("figure" not in self.review_distractor(each, view).remark for each in inventory)
        return ConfidenceBasis(uncomputed=compute_share(by_words, len(inventory)))

    def examine_design(self, view: AssignmentView) -> Mapping[DesignPart, str]:
        """Examine name, style and objects as a reader meets them."""
        return examine_design_as_reader(self.require_seed_document(view))

    def summarize_findings(self, view: AssignmentView) -> tuple[str, tuple[Decision, ...]]:
        """Summarize the blind and the informed classification with their own confidences."""
        blind = view.find_document(ClassificationReport, SOCRATES)
        informed = view.find_document(InformedClassification, SOCRATES)
        decisions = []
        if blind is not None:
            decisions.append(
                Decision(
                    description=f"Blind: {blind.status}, type {blind.impossibility_type}, {blind.profile}; ethics {blind.ethics.status}; {blind.epistemology.deep_test}",
                    confidence=blind.blind_confidence,
                )
            )
        if informed is not None:
            decisions.append(
                Decision(
                    description=f"Informed: {informed.status}, {informed.profile}. {informed.justification}",
                    confidence=informed.confidence,
                )
            )
        return (informed.delta if informed is not None else "Only the blind report was made."), tuple(
            decisions
        )

    def state_doubts(self, view: AssignmentView) -> tuple[str, str]:
        """Return the strongest rejected class, and what would decide between it and the chosen one."""
        blind = view.find_document(ClassificationReport, SOCRATES)
        if blind is None or not blind.alternatives:
            return "The blind classification, which is not visible here.", "The blind report."
        rivals = ", ".join(each.status for each in blind.alternatives[:2])
        return (
            f"Whether other first readers would also say {blind.status} (I gave it {blind.blind_confidence:.0%}) and not {rivals}.",
            "Classifications by people who read the text without the solution.",
        )


def _list_solution_passages(seed: SeedDocument) -> tuple[str, ...]:
    """Return the passages of the revealed solution that an ethical review has to read."""
    return (
        *(each.text for each in seed.insight_chain),
        *(each.action for each in seed.solution_sketch.steps),
        *(f"{each.name}: {each.why_it_misleads} {each.why_irrelevant}" for each in seed.distractor_inventory),
        *(f"{each.answer} {each.why_wrong}" for each in seed.wrong_answers),
        seed.correct_outcome,
    )
