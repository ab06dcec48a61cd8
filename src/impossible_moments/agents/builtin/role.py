"""The base class of agent programs, with a method for each deliverable that an agent may be asked for."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Final

from impossible_moments.agents.builtin.views import View
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import (
    Answer,
    Ballot,
    BreakthroughReview,
    ChallengeResponse,
    VetoReview,
)
from impossible_moments.domain.labels import Labelled
from impossible_moments.domain.refinement import (
    CalibrationVote,
    DistractorFinding,
    DistractorReview,
    ReadinessVote,
    ReviewMemo,
)
from impossible_moments.domain.seed import Distractor, SeedDocument
from impossible_moments.domain.tracing import AgentTrace, Decision
from impossible_moments.domain.vocabulary import Dimension
from impossible_moments.errors import ImpossibleMomentsError

_CALCULATED: Final = re.compile(r"\((?:calculation|proof|derivation)\)")
_POSITION: Final = re.compile(r"\n\n")


class Unasked(ImpossibleMomentsError):
    """An ask that the agent cannot answer: an unknown deliverable, or a missing document."""


class Role(ABC):
    """Base class of the agents of the built-in cast."""

    name: str

    def perform(self, view: View, returns: type[Labelled]) -> Labelled:
        """Make the deliverable of type `returns` from what the agent may see."""
        makers: dict[type[Labelled], Callable[[View], Labelled]] = {
            ReviewMemo: self.memo,
            CalibrationVote: self.calibration,
            DistractorReview: self.distractors,
            ReadinessVote: self.readiness,
            AgentTrace: self.trace,
            ChallengeResponse: self.response,
            Ballot: self.ballot,
            VetoReview: self.veto_review,
            BreakthroughReview: self.breakthrough_review,
            **self.reports(),
        }
        if returns not in makers:
            raise Unasked(f"{self.name} cannot make a {returns.__name__}.")
        return makers[returns](view)

    @abstractmethod
    def reports(self) -> Mapping[type[Labelled], Callable[[View], Labelled]]:
        """Return the functions that make the deliverables of the agent's own phases, by type."""

    @abstractmethod
    def memo(self, view: View) -> ReviewMemo:
        """Write the review of the whole scenario."""

    @abstractmethod
    def scores(self, view: View) -> tuple[Profile, Mapping[str, str]]:
        """Return the six difficulty scores and the reason for each."""

    @abstractmethod
    def of_distractor(self, each: Distractor, view: View) -> DistractorFinding:
        """Review one distractor."""

    @abstractmethod
    def found(self, view: View) -> tuple[str, tuple[Decision, ...]]:
        """Summarize what the agent found and decided, for its trace."""

    @abstractmethod
    def doubts(self, view: View) -> tuple[str, str]:
        """Return where the agent is least sure, and what would increase its confidence."""

    def seed(self, view: View) -> SeedDocument:
        """Return the seed document. Raise `UnanswerableAsk` if the view does not show it."""
        if view.seed is None:
            raise Unasked(f"{self.name} was asked without a seed document.")
        return view.seed

    def calibration(self, view: View) -> CalibrationVote:
        """Vote on I.D.C.B.T.X. A repeated vote after disagreement gives the same scores and reasons."""
        profile, reasons = self.scores(view)
        return CalibrationVote(profile=profile, rationale=dict(reasons), confidence=0.8)

    def distractors(self, view: View) -> DistractorReview:
        """Review the distractor inventory."""
        return DistractorReview(
            findings=tuple(self.of_distractor(each, view) for each in self.seed(view).distractor_inventory),
            confidence=0.85,
        )

    def readiness(self, view: View) -> ReadinessVote:
        """Vote to approve, with notes if the memo of the agent has concerns."""
        memo = view.whole(ReviewMemo, self.name)
        concerns = memo.concerns if memo is not None else ()
        if concerns:
            return ReadinessVote(vote="APPROVE-WITH-NOTES", notes=" ".join(concerns), confidence=0.8)
        return ReadinessVote(vote="APPROVE", notes="Nothing of mine is open.", confidence=0.9)

    def trace(self, view: View) -> AgentTrace:
        """Write the agent's trace of its own work."""
        found, decisions = self.found(view)
        unsure, would_help = self.doubts(view)
        return AgentTrace(
            asked_to=view.assignment.task,
            found=found,
            decisions=decisions,
            challenges_received=tuple(note for note in view.notes if "challenge" in note.lower()),
            overall_confidence=round(sum(each.confidence for each in decisions) / len(decisions), 2)
            if decisions
            else 0.8,
            least_confident=unsure,
            would_increase=would_help,
        )

    def response(self, view: View) -> ChallengeResponse:
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

    def ballot(self, view: View) -> Ballot:
        """Vote for the side that calculates if the other does not, else abstain."""
        sides = _POSITION.split(view.notes[-1])[1:] if view.notes else []
        shown = [bool(_CALCULATED.search(side)) for side in sides[:2]]
        if shown == [True, False]:
            return Ballot(choice="CHALLENGER", reason="Only the challenger calculates.", confidence=0.75)
        if shown == [False, True]:
            return Ballot(choice="CHALLENGED", reason="Only the challenged calculates.", confidence=0.75)
        return Ballot(
            choice="ABSTAIN",
            reason="The evidence is of equal weight, and the matter is not mine.",
            confidence=0.6,
        )

    def veto_review(self, view: View) -> VetoReview:
        """Report satisfaction with a revision. Agents that can veto override this."""
        return VetoReview(satisfied=True, reason="The revised scenario does not do what was objected to.")

    def breakthrough_review(self, view: View) -> BreakthroughReview:
        """Reject a breakthrough, because nothing in it can be computed within the envelope."""
        return BreakthroughReview(survives=False, text="Nothing computable shows that it meets the envelope.")


def reasons(profile: Profile, why: Mapping[str, str]) -> dict[str, str]:
    """Return a reason for each of the six dimensions by full name.

    Dimensions missing in `why` get a default.
    """
    return {
        dimension.value: why.get(
            dimension.name, f"{getattr(profile, dimension.name)} by the framework's scale"
        )
        for dimension in Dimension
    }
