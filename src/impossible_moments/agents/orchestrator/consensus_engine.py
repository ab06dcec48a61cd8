"""The consensus engine: how many votes a decision needs, and whether it has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from impossible_moments.domain.refinement import Readiness

ABSTAIN: Final = "ABSTAIN"
UNSURE_BELOW: Final = 0.5
"""1.7: a confidence below this requires a human."""


class Level(StrEnum):
    """1.4: the three levels of agreement."""

    UNANIMOUS = "Unanimous"
    SUPERMAJORITY = "Supermajority"
    SIMPLE_MAJORITY = "Simple majority"


class Decision(StrEnum):
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
REQUIRED: Final[Mapping[Decision, Level]] = {
    # 1.4
    Decision.CLASSIFICATION:    Level.UNANIMOUS,
    Decision.VETO_CONFIRMATION: Level.UNANIMOUS,
    Decision.TIER:              Level.SUPERMAJORITY,
    Decision.DISTRACTOR:        Level.SUPERMAJORITY,
    Decision.ADVANCEMENT:       Level.SUPERMAJORITY,
    Decision.NARRATIVE_STYLE:   Level.SIMPLE_MAJORITY,
    Decision.OBJECT_SELECTION:  Level.SIMPLE_MAJORITY,
    Decision.SCENARIO_NAME:     Level.SIMPLE_MAJORITY,
    # 4.1, step 5
    Decision.CHALLENGE:         Level.SIMPLE_MAJORITY,
    # 5.5 of phase 5
    Decision.READINESS:         Level.SUPERMAJORITY,
}
# fmt: on


@dataclass(frozen=True, slots=True)
class Tally:
    """A count of votes: the votes for each choice, the number needed, and the winner."""

    level: Level
    counts: Mapping[str, int]
    """Votes for each choice, in descending order. Ties are sorted alphabetically."""
    needed: int
    abstained: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    """Voters whose confidence is so low that a human must review."""

    @property
    def cast(self) -> int:
        """The number of votes that count. Abstentions do not count."""
        return sum(self.counts.values())

    @property
    def winner(self) -> str | None:
        """The choice that reached the required level, if any."""
        return next((choice for choice, votes in self.counts.items() if votes >= self.needed), None)

    def __str__(self) -> str:
        votes = ", ".join(f"{choice} {number}" for choice, number in self.counts.items()) or "no votes"
        return f"{votes}; {self.level.lower()} of {self.cast} needs {self.needed}"


def needed(level: Level, cast: int) -> int:
    """Return how many of the cast votes a level needs: at least one, and more than half."""
    return max(_SHARE[level](cast), 1)


_SHARE: Final[Mapping[Level, Callable[[int], int]]] = {
    Level.UNANIMOUS: lambda cast: cast,
    Level.SUPERMAJORITY: lambda cast: -(-4 * cast // 5),  # four fifths, rounded up
    Level.SIMPLE_MAJORITY: lambda cast: cast // 2 + 1,
}


def tally(votes: Mapping[str, str], level: Level, confidences: Mapping[str, float] | None = None) -> Tally:
    """Count votes, given as a mapping from voter to choice."""
    cast = {voter: choice for voter, choice in votes.items() if choice != ABSTAIN}
    counted = Counter(cast.values())
    return Tally(
        level=level,
        counts=dict(sorted(counted.items(), key=lambda each: (-each[1], each[0]))),
        needed=needed(level, len(cast)),
        abstained=tuple(sorted(votes.keys() - cast.keys())),
        unsure=tuple(
            sorted(
                voter for voter, sure in (confidences or {}).items() if voter in votes and sure < UNSURE_BELOW
            )
        ),
    )


READY: Final = "APPROVE"
_APPROVING: Final = frozenset({"APPROVE", "APPROVE-WITH-NOTES"})


def readiness(votes: Mapping[str, Readiness], confidences: Mapping[str, float] | None = None) -> Tally:
    """Count the final vote.

    Approval with notes counts as approval. The scenario advances if the winner is `READY`.
    """
    positions = {voter: READY if vote in _APPROVING else vote for voter, vote in votes.items()}
    return tally(positions, REQUIRED[Decision.READINESS], confidences)
