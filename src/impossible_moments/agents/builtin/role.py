"""A role as a program: a method for each deliverable it may be asked for."""

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
    """A deliverable that a role does not make."""


class Role(ABC):
    """One of the cast."""

    name: str

    def perform(self, view: View, returns: type[Labelled]) -> Labelled:
        """What the role hands in."""
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
            raise Unasked(f"{self.name} was asked for a {returns.__name__}, which it does not make.")
        return makers[returns](view)

    @abstractmethod
    def reports(self) -> Mapping[type[Labelled], Callable[[View], Labelled]]:
        """The deliverables of the role's own phases."""

    @abstractmethod
    def memo(self, view: View) -> ReviewMemo:
        """The review of the whole scenario."""

    @abstractmethod
    def scores(self, view: View) -> tuple[Profile, Mapping[str, str]]:
        """The six scores, and why."""

    @abstractmethod
    def of_distractor(self, each: Distractor, view: View) -> DistractorFinding:
        """What the role says of one distractor."""

    @abstractmethod
    def found(self, view: View) -> tuple[str, tuple[Decision, ...]]:
        """What the role found in its work, and what it decided, for its trace."""

    @abstractmethod
    def doubts(self, view: View) -> tuple[str, str]:
        """Where the role is least sure, and what would make it surer."""

    def seed(self, view: View) -> SeedDocument:
        """The seed document; roles that work on it are always shown it."""
        if view.seed is None:
            raise Unasked(f"{self.name} was asked without a seed document to look at.")
        return view.seed

    def calibration(self, view: View) -> CalibrationVote:
        """The vote on I.D.C.B.T.X; told that opinions lie apart, the role repeats its reasons and its vote."""
        profile, reasons = self.scores(view)
        return CalibrationVote(profile=profile, rationale=dict(reasons), confidence=0.8)

    def distractors(self, view: View) -> DistractorReview:
        """The review of the inventory."""
        return DistractorReview(
            findings=tuple(self.of_distractor(each, view) for each in self.seed(view).distractor_inventory),
            confidence=0.85,
        )

    def readiness(self, view: View) -> ReadinessVote:
        """Approves, with notes if its memo has concerns."""
        memo = view.whole(ReviewMemo, self.name)
        concerns = memo.concerns if memo is not None else ()
        if concerns:
            return ReadinessVote(vote="APPROVE-WITH-NOTES", notes=" ".join(concerns), confidence=0.8)
        return ReadinessVote(vote="APPROVE", notes="Nothing of mine is open.", confidence=0.9)

    def trace(self, view: View) -> AgentTrace:
        """The role's account of its own work."""
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
        """A challenge that calculates is accepted; one that only asserts is not."""
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
        """For the side that calculates where the other does not; else no vote."""
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
        """Who raises no veto has none to review."""
        return VetoReview(satisfied=True, reason="The revised scenario does not do what was objected to.")

    def breakthrough_review(self, view: View) -> BreakthroughReview:
        """What cannot be computed within the envelope is not taken for a breakthrough."""
        return BreakthroughReview(survives=False, text="Nothing computable shows that it meets the envelope.")


def reasons(profile: Profile, why: Mapping[str, str]) -> dict[str, str]:
    """A reason for each of the six dimensions, under the dimension's own name."""
    return {
        dimension.value: why.get(
            dimension.name, f"{getattr(profile, dimension.name)} by the framework's scale"
        )
        for dimension in Dimension
    }
