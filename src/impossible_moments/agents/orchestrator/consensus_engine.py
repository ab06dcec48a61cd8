"""The consensus engine: how many votes a decision needs, and whether it has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from impossible_moments.domain.refinement import APPROVING_VOTES, Readiness
from impossible_moments.domain.thresholds import LOWEST_CONFIDENCE

ABSTAIN: Final = "ABSTAIN"


class ConsensusLevel(StrEnum):
    """1.4: the three levels of agreement."""

    UNANIMOUS = "Unanimous"
    SUPERMAJORITY = "Supermajority"
    SIMPLE_MAJORITY = "Simple majority"


class ConsensusDecision(StrEnum):
    """The decisions that agents take by vote, in the specification's words."""

    CLASSIFICATION = "Final solution status classification"
    VETO_CONFIRMATION = "Veto confirmation"
    TIER = "Difficulty tier assignment"
    DISTRACTOR = "Distractor classification"
    ADVANCEMENT = "Scenario advancement past quality gates"
    NARRATIVE_STYLE = "Narrative style"
    OBJECT_SELECTION = "Object selection"
    SCENARIO_NAME = "Scenario name"
    CHALLENGE = "Challenge"
    READINESS = "Scenario readiness"


# fmt: off
REQUIRED: Final[Mapping[ConsensusDecision, ConsensusLevel]] = {
    # 1.4
    ConsensusDecision.CLASSIFICATION:    ConsensusLevel.UNANIMOUS,
    ConsensusDecision.VETO_CONFIRMATION: ConsensusLevel.UNANIMOUS,
    ConsensusDecision.TIER:              ConsensusLevel.SUPERMAJORITY,
    ConsensusDecision.DISTRACTOR:        ConsensusLevel.SUPERMAJORITY,
    ConsensusDecision.ADVANCEMENT:       ConsensusLevel.SUPERMAJORITY,
    ConsensusDecision.NARRATIVE_STYLE:   ConsensusLevel.SIMPLE_MAJORITY,
    ConsensusDecision.OBJECT_SELECTION:  ConsensusLevel.SIMPLE_MAJORITY,
    ConsensusDecision.SCENARIO_NAME:     ConsensusLevel.SIMPLE_MAJORITY,
    # 4.1, step 5
    ConsensusDecision.CHALLENGE:         ConsensusLevel.SIMPLE_MAJORITY,
    # 5.5 of phase 5
    ConsensusDecision.READINESS:         ConsensusLevel.SUPERMAJORITY,
}
# fmt: on


@dataclass(frozen=True, slots=True)
class VoteTally:
    """A count of votes: the votes for each choice, the number needed, and the winner."""

    level: ConsensusLevel
    counts: Mapping[str, int]
    """Votes for each choice, in descending order. Ties are sorted alphabetically."""
    needed: int
    abstained: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    """Voters whose confidence is below the lowest that a decision may rest on."""
    winning_unsure: int = 0
    """How many votes for the leading choice come from unsure voters."""

    @property
    def votes_cast(self) -> int:
        """The number of votes that count. Abstentions do not count."""
        return sum(self.counts.values())

    @property
    def winner(self) -> str | None:
        """The choice that reached the required level, if any."""
        return next((choice for choice, votes in self.counts.items() if votes >= self.needed), None)

    @property
    def is_decided_by_unsure_votes(self) -> bool:
        """Whether the winner would not have won without voters who are unsure."""
        winner = self.winner
        return winner is not None and self.counts[winner] - self.winning_unsure < count_needed_votes(
            self.level, self.votes_cast - len(self.unsure)
        )

    def __str__(self) -> str:
        votes = ", ".join(f"{choice} {number}" for choice, number in self.counts.items()) or "no votes"
        return f"{votes}; {self.level.lower()} of {self.votes_cast} needs {self.needed}"


def count_needed_votes(level: ConsensusLevel, cast_votes: int) -> int:
    """Return how many of the cast votes a level needs: at least one, and more than half."""
    return max(_SHARE[level](cast_votes), 1)


_SHARE: Final[Mapping[ConsensusLevel, Callable[[int], int]]] = {
    ConsensusLevel.UNANIMOUS: lambda cast: cast,
    ConsensusLevel.SUPERMAJORITY: lambda cast: -(-4 * cast // 5),  # four fifths, rounded up
    ConsensusLevel.SIMPLE_MAJORITY: lambda cast: cast // 2 + 1,
}


def tally_votes(
    votes: Mapping[str, str], level: ConsensusLevel, *, confidences: Mapping[str, float] | None = None
) -> VoteTally:
    """Count votes, given as a mapping from voter to choice."""
    cast_votes = {voter: choice for voter, choice in votes.items() if choice != ABSTAIN}
    votes_by_choice = Counter(cast_votes.values())
    ordered = dict(sorted(votes_by_choice.items(), key=lambda each: (-each[1], each[0])))
    unsure = tuple(
        sorted(
            voter
            for voter, sure in (confidences or {}).items()
            if voter in cast_votes and sure < LOWEST_CONFIDENCE
        )
    )
    leading = next(iter(ordered), None)
    return VoteTally(
        level=level,
        counts=ordered,
        needed=count_needed_votes(level, len(cast_votes)),
        abstained=tuple(sorted(votes.keys() - cast_votes.keys())),
        unsure=unsure,
        winning_unsure=sum(cast_votes[voter] == leading for voter in unsure),
    )


READY: Final = "APPROVE"
APPROVED: Final = "approved"
REJECTED: Final = "rejected"
"""The choices in a vote on name, style or objects."""


def tally_readiness_votes(
    votes: Mapping[str, Readiness], *, confidences: Mapping[str, float] | None = None
) -> VoteTally:
    """Count the final vote.

    Approval with notes counts as approval. The scenario advances if the winner is `READY`.
    """
    positions = {voter: READY if vote in APPROVING_VOTES else vote for voter, vote in votes.items()}
    return tally_votes(positions, REQUIRED[ConsensusDecision.READINESS], confidences=confidences)
