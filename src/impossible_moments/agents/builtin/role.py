"""The base class of agent programs, with a method for each deliverable that an agent may be asked for."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Final

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.domain.agent_trace import AgentTrace, Decision
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import (
    Answer,
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
from impossible_moments.domain.vocabulary import DifficultyDimension, parse_main_status
from impossible_moments.errors import ImpossibleMomentsError

_CALCULATED: Final = re.compile(r"\((?:calculation|proof|derivation)\)")
_POSITION: Final = re.compile(r"\n\n")


class UnanswerableAsk(ImpossibleMomentsError):
    """An ask that the agent cannot answer: an unknown deliverable, or a missing document."""


class Role(ABC):
    """Base class of the agents of the built-in cast."""

    name: str

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
        return makers[returns](view)

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
        """Vote for the status that the joint assessment computed."""
        joint = view.get_document_fields("JointAssessment")
        computed = str(joint.get("computed_status", ""))
        if not computed:
            raise UnanswerableAsk(f"{self.name} was asked for the status without a joint assessment.")
        return StatusVote(
            status=parse_main_status(computed),
            reason=f"The record computes as {computed}, and nothing I found contradicts it.",
            confidence=0.9,
        )

    def vote_on_design(self, view: AssignmentView) -> DesignVote:
        """Approve name, style and objects."""
        self.require_seed_document(view)
        return DesignVote(confidence=0.8)

    def vote_on_calibration(self, view: AssignmentView) -> CalibrationVote:
        """Vote on I.D.C.B.T.X. A repeated vote after disagreement gives the same scores and reasons."""
        profile, reasons = self.score_difficulty(view)
        return CalibrationVote(profile=profile, rationale=dict(reasons), confidence=0.8)

    def review_distractor_inventory(self, view: AssignmentView) -> DistractorReview:
        """Review the distractor inventory."""
        return DistractorReview(
            findings=tuple(
                self.review_distractor(each, view)
                for each in self.require_seed_document(view).distractor_inventory
            ),
            confidence=0.85,
        )

    def vote_on_readiness(self, view: AssignmentView) -> ReadinessVote:
        """Vote to approve, with notes if the memo of the agent has concerns."""
        memo = view.find_document(ReviewMemo, self.name)
        concerns = memo.concerns if memo is not None else ()
        if concerns:
            return ReadinessVote(vote="APPROVE-WITH-NOTES", notes=" ".join(concerns), confidence=0.8)
        return ReadinessVote(vote="APPROVE", notes="Nothing of mine is open.", confidence=0.9)

    def write_agent_trace(self, view: AssignmentView) -> AgentTrace:
        """Write the agent's trace of its own work."""
        found, decisions = self.summarize_findings(view)
        doubts, would_help = self.state_doubts(view)
        return AgentTrace(
            asked_to=view.assignment.task,
            found=found,
            decisions=decisions,
            challenges_received=tuple(note for note in view.notes if "challenge" in note.lower()),
            overall_confidence=round(sum(each.confidence for each in decisions) / len(decisions), 2)
            if decisions
            else 0.8,
            least_confident=doubts,
            would_increase=would_help,
        )

    def answer_challenge(self, view: AssignmentView) -> ChallengeResponse:
        """Answer a challenge: accept it if it contains a calculation, else defend the claim."""
        note = view.notes[-1] if view.notes else ""
        if _CALCULATED.search(note):
            return ChallengeResponse(
                answer=Answer.ACCEPT,
                text="The calculation shows it; the claim will be revised.",
                confidence=0.85,
            )
        return ChallengeResponse(
            answer=Answer.DEFEND,
            text="No calculation speaks against the claim, and it was computed.",
            confidence=0.75,
        )

    def cast_ballot(self, view: AssignmentView) -> Ballot:
        """Vote for the side that calculates if the other does not, else abstain."""
        sides = _POSITION.split(view.notes[-1])[1:] if view.notes else []
        has_calculation = [bool(_CALCULATED.search(side)) for side in sides[:2]]
        if has_calculation == [True, False]:
            return Ballot(choice="CHALLENGER", reason="Only the challenger calculates.", confidence=0.75)
        if has_calculation == [False, True]:
            return Ballot(choice="CHALLENGED", reason="Only the challenged calculates.", confidence=0.75)
        return Ballot(
            choice="ABSTAIN",
            reason="The evidence is of equal weight, and the matter is not mine.",
            confidence=0.6,
        )

    def review_vetoed_revision(self, view: AssignmentView) -> VetoReview:
        """Report satisfaction with a revision. Agents that can veto override this."""
        return VetoReview(satisfied=True, reason="The revised scenario does not do what was objected to.")

    def review_breakthrough(self, view: AssignmentView) -> BreakthroughReview:
        """Reject a breakthrough, because nothing in it can be computed within the envelope."""
        return BreakthroughReview(survives=False, text="Nothing computable shows that it meets the envelope.")


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
