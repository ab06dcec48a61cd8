"""The base class of agent programs, with a method for each deliverable that an agent may be asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

from pydantic import TypeAdapter

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.ballots import cast_evidence_ballot
from impossible_moments.agents.builtin.calibration_votes import (
    find_scores_in_discussion,
    revise_scores,
    revise_tier,
)
from impossible_moments.agents.builtin.challenge_answers import (
    Recomputation,
    answer_by_computation,
    extract_challenged_claim,
    find_challenge_note,
)
from impossible_moments.agents.builtin.confidence import ConfidenceBasis, compute_share, derive_confidence
from impossible_moments.agents.builtin.decided_challenges import drop_decided_challenges
from impossible_moments.agents.builtin.position_evaluation import PositionEvaluator
from impossible_moments.agents.builtin.proposal_reading import list_unaddressed_criteria, read_proposal
from impossible_moments.agents.builtin.quantity_wording import format_count
from impossible_moments.agents.builtin.readiness import (
    OpenFinding,
    is_acceptable_answer,
    list_unanswered_concerns,
    vote_by_findings,
)
from impossible_moments.agents.orchestrator.difficulty_figures import DIFFICULTY_EVIDENCE
from impossible_moments.domain.agent_trace import AgentTrace, Decision
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.difficulty_scoring import score_difficulty_evidence
from impossible_moments.domain.disputes import (
    Ballot,
    BreakthroughReview,
    ChallengeResponse,
    VetoReview,
)
from impossible_moments.domain.refinement import (
    CalibrationVote,
    DesignVote,
    DistractorFinding,
    DistractorReview,
    ReadinessVote,
    RefinementBallot,
    ReviewMemo,
    StatusVote,
)
from impossible_moments.domain.seed import Distractor, SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, DifficultyDimension, parse_main_status
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.mechanics.difficulty import DifficultyEvidence
from impossible_moments.mechanics.records import Library

_EVIDENCE: Final = TypeAdapter(DifficultyEvidence)
DesignPart: TypeAlias = Literal["name", "style", "objects"]
"""The parts of the design that are voted on (1.4)."""


class UnanswerableAsk(ImpossibleMomentsError):
    """An ask that the agent cannot answer: an unknown deliverable, or a missing document."""


class Role(ABC):
    """Base class of the agents of the built-in cast."""

    name: str
    evidence_library: Library | None = None
    """The library with which expressions in disputes are evaluated. Without one nothing can be evaluated."""
    counted_dimensions: frozenset[str] = frozenset()
    """The letters of the difficulty dimensions that the agent counts. It estimates the others."""

    def make_deliverable(self, view: AssignmentView, returns: type[LabelledModel]) -> LabelledModel:
        """Make the deliverable of type `returns` from what the agent may see."""
        makers: dict[type[LabelledModel], Callable[[AssignmentView], LabelledModel]] = {
            ReviewMemo: self.write_review_memo,
            RefinementBallot: self.fill_in_ballot,
            AgentTrace: self.write_agent_trace,
            ChallengeResponse: self.answer_challenge,
            Ballot: self.cast_ballot,
            VetoReview: self.review_vetoed_revision,
            BreakthroughReview: self.review_breakthrough,
            **self.list_report_makers(),
        }
        if returns not in makers:
            raise UnanswerableAsk(f"{self.name} cannot make a {returns.__name__}.")
        return drop_decided_challenges(makers[returns](view), view.notices)

    @abstractmethod
    def list_report_makers(self) -> Mapping[type[LabelledModel], Callable[[AssignmentView], LabelledModel]]:
        """Return the functions that make the deliverables of the agent's own phases, by type."""

    @abstractmethod
    def write_review_memo(self, view: AssignmentView) -> ReviewMemo:
        """Write the review of the whole scenario."""

    @abstractmethod
    def score_difficulty(self, view: AssignmentView) -> tuple[Profile, Mapping[str, str]]:
        """Return the six difficulty scores and the reason for each."""

    @abstractmethod
    def review_distractor(self, distractor: Distractor, view: AssignmentView) -> DistractorFinding:
        """Review one distractor."""

    @abstractmethod
    def summarize_findings(self, view: AssignmentView) -> tuple[str, tuple[Decision, ...]]:
        """Summarize what the agent found and decided, for its trace."""

    @abstractmethod
    def state_doubts(self, view: AssignmentView) -> tuple[str, str]:
        """Return where the agent is least sure, and what would increase its confidence."""

    def score_evidence(self, view: AssignmentView) -> tuple[Profile, dict[str, str]]:
        """Score the six dimensions from the evidence that executing the record gave, with a reason for each letter.

        Raise `UnanswerableAsk` if the view has no evidence, because labels alone show no difficulty.
        """
        return score_difficulty_evidence(self.require_difficulty_evidence(view))

    def require_difficulty_evidence(self, view: AssignmentView) -> DifficultyEvidence:
        """Return the evidence on the difficulty. Raise `UnanswerableAsk` if the view has none."""
        found = view.get_computed(DIFFICULTY_EVIDENCE)
        if found is None:
            raise UnanswerableAsk(
                f"{self.name} was asked for the difficulty without evidence from the record."
            )
        return _EVIDENCE.validate_python(found)

    def require_seed_document(self, view: AssignmentView) -> SeedDocument:
        """Return the seed document. Raise `UnanswerableAsk` if the view does not show it."""
        if view.seed is None:
            raise UnanswerableAsk(f"{self.name} was asked without a seed document.")
        return view.seed

    def fill_in_ballot(self, view: AssignmentView) -> RefinementBallot:
        """Vote on difficulty, distractors, status, design and readiness."""
        return RefinementBallot(
            calibration=self.vote_on_calibration(view),
            distractors=self.review_distractor_inventory(view),
            status=self.vote_on_status(view),
            design=self.vote_on_design(view),
            readiness=self.vote_on_readiness(view),
        )

    def vote_on_status(self, view: AssignmentView) -> StatusVote:
        """Vote for the status that the joint assessment computed, less surely if the agent has open findings."""
        joint = view.get_document_fields("JointAssessment")
        computed = str(joint.get("computed_status", ""))
        if not computed:
            raise UnanswerableAsk(f"{self.name} was asked for the status without a joint assessment.")
        findings = self.list_open_findings(view)
        against = (
            f"{format_count(len(findings), 'finding')} of mine {'is' if len(findings) == 1 else 'are'} open"
            if findings
            else "no finding of mine is open"
        )
        return StatusVote(
            status=parse_main_status(computed),
            reason=f"The record computes as {computed}. {self.describe_status_evidence(view)}{against.capitalize()}.",
            confidence=derive_confidence(ConfidenceBasis(concerns=len(findings))),
        )

    def describe_status_evidence(self, view: AssignmentView) -> str:
        """Return what the agent's own work shows about the status, as sentences with a space at the end."""
        return ""

    def vote_on_design(self, view: AssignmentView) -> DesignVote:
        """Vote on the parts of the design that the agent examines, and abstain on the others."""
        objections = self.examine_design(view)
        reasons = [text for text in objections.values() if text]
        return DesignVote(
            approves_name=_approve_part(objections, "name"),
            approves_style=_approve_part(objections, "style"),
            approves_objects=_approve_part(objections, "objects"),
            suggestion=" ".join(reasons),
            confidence=derive_confidence(self.rate_design_vote(view)),
        )

    def examine_design(self, view: AssignmentView) -> Mapping[DesignPart, str]:
        """Return the objection to each part of the design that the agent examines, empty if there is none."""
        return {}

    def rate_design_vote(self, view: AssignmentView) -> ConfidenceBasis:
        """Return what the confidence of the design vote rests on. An agent that examines nothing computes nothing."""
        objections = self.examine_design(view)
        return ConfidenceBasis(
            uncomputed=0.0 if objections else 1.0, concerns=sum(map(bool, objections.values()))
        )

    def vote_on_calibration(self, view: AssignmentView) -> CalibrationVote:
        """Vote on I.D.C.B.T.X. In a repeated vote, estimated scores move towards the median of all votes."""
        profile, reasons = self.score_difficulty(view)
        disputed = find_scores_in_discussion(view.notes)
        profile, reasons = revise_scores(profile, reasons, disputed, self.counted_dimensions)
        estimated = compute_share(
            len(DifficultyDimension) - len(self.counted_dimensions), len(DifficultyDimension)
        )
        confidence = derive_confidence(ConfidenceBasis(estimates=estimated, concerns=len(disputed)))
        return CalibrationVote(
            profile=profile,
            rationale=dict(reasons),
            tier=revise_tier(view.notes, self.name),
            confidence=confidence,
        )

    def review_distractor_inventory(self, view: AssignmentView) -> DistractorReview:
        """Review the distractor inventory."""
        return DistractorReview(
            findings=self._review_distractors(view),
            confidence=derive_confidence(self.rate_distractor_review(view)),
        )

    def _review_distractors(self, view: AssignmentView) -> tuple[DistractorFinding, ...]:
        return tuple(
            self.review_distractor(each, view)
            for each in self.require_seed_document(view).distractor_inventory
        )

    def rate_distractor_review(self, view: AssignmentView) -> ConfidenceBasis:
        """Return what the confidence of the distractor review rests on: nothing computed, unless overridden."""
        return ConfidenceBasis(uncomputed=1.0)

    def list_open_findings(self, view: AssignmentView) -> tuple[OpenFinding, ...]:
        """Return what must change before the agent approves. Agents with findings of their own override this."""
        return ()

    def vote_on_readiness(self, view: AssignmentView) -> ReadinessVote:
        """Vote by what is still open on the current seed document, including its distractors."""
        amiss = tuple(
            OpenFinding(
                f"{each.name} is {each.verdict}: {each.remark}",
                f"revise this distractor, it is {each.verdict}",
                each.name,
            )
            for each in self._review_distractors(view)
            if each.verdict != "right"
        )
        memo = view.find_document(ReviewMemo, self.name)
        return vote_by_findings(
            (*self.list_open_findings(view), *amiss),
            list_unanswered_concerns(memo.concerns if memo is not None else (), view.answered_points),
            accepted=tuple(each for each in view.answered_points if is_acceptable_answer(each)),
            submissions=view.count_submissions("SeedDocument", ATHENA),
            confidence=(memo.confidence if memo is not None else 0.0)
            or derive_confidence(ConfidenceBasis(uncomputed=1.0)),
        )

    def write_agent_trace(self, view: AssignmentView) -> AgentTrace:
        """Write the agent's trace of its own work."""
        found, decisions = self.summarize_findings(view)
        doubts, would_help = self.state_doubts(view)
        overall = (
            round(sum(each.confidence for each in decisions) / len(decisions), 2)
            if decisions
            else derive_confidence(ConfidenceBasis(uncomputed=1.0))
        )
        return AgentTrace(
            found=found,
            decisions=decisions,
            resolution_confidence=overall if view.notes else None,  # the notes list the agent's disputes
            overall_confidence=overall,
            least_confident=doubts,
            would_increase=would_help,
        )

    def recompute_claim(self, claim: str, view: AssignmentView) -> Recomputation | None:
        """Compute a challenged claim again. Return None if the agent cannot; then only the evidence is evaluated."""
        found = self._make_evaluator(view).evaluate_claim(claim)
        return None if found is None else Recomputation(found.supports_claim, f"{found.text}.")

    def answer_challenge(self, view: AssignmentView) -> ChallengeResponse:
        """Answer a challenge by computing the challenged claim and the evidence again."""
        note = find_challenge_note(view.notes)
        recomputed = self.recompute_claim(extract_challenged_claim(note), view)
        basis = self.describe_basis_of_claim(extract_challenged_claim(note), view)
        return answer_by_computation(note, recomputed, self._make_evaluator(view), basis=basis)

    def describe_basis_of_claim(self, claim: str, view: AssignmentView) -> str:
        """Return what a challenged claim that cannot be computed again rests on, or an empty text."""
        return ""

    def cast_ballot(self, view: AssignmentView) -> Ballot:
        """Vote for the side whose computation holds with the record that the agent may see."""
        return cast_evidence_ballot(view.notes[-1] if view.notes else "", self._make_evaluator(view))

    def _make_evaluator(self, view: AssignmentView) -> PositionEvaluator:
        return PositionEvaluator(view.seed, self.evidence_library)

    def review_vetoed_revision(self, view: AssignmentView) -> VetoReview:
        """Report satisfaction with a revision. Agents that can veto override this."""
        return VetoReview(satisfied=True, reason="The revised scenario does not do what was objected to.")

    def review_breakthrough(self, view: AssignmentView) -> BreakthroughReview:
        """Review whether a proposal addresses every criterion of the seed document."""
        criteria = self.require_seed_document(view).solution_sketch.evaluation_criteria
        missing = list_unaddressed_criteria(read_proposal(view.notes), criteria)
        if missing or not criteria:
            text = "; ".join(missing) or "the scenario states no criteria"
            return BreakthroughReview(survives=False, text=f"It does not address: {text}")
        return BreakthroughReview(survives=True, text=f"It addresses all {len(criteria)} criteria.")


def _approve_part(objections: Mapping[DesignPart, str], part: DesignPart) -> bool | None:
    """Return whether an agent approves a part of the design, or None if it did not examine the part."""
    return not objections[part] if part in objections else None


def complete_score_reasons(profile: Profile, reasons: Mapping[str, str]) -> dict[str, str]:
    """Return a reason for each of the six dimensions by full name.

    Dimensions missing in `reasons` get a default.
    """
    return {
        dimension.value: reasons.get(
            dimension.name, f"{getattr(profile, dimension.name)} by the framework's scale"
        )
        for dimension in DifficultyDimension
    }
