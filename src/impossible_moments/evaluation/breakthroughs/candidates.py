"""Breakthroughs: a candidate answer to an open question, and the stages between it and a change of status.

Everything that happens is an event that is never changed; where a candidate stands follows from its events alone. Rules do
not act here: who votes, when, and where it is written down is the caller's.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.breakthroughs.events import (
    TIERS,
    Collected,
    Event,
    Judged,
    Judging,
    Tier,
    Verified,
    Voted,
)

PANEL: Final = 3
AGREEING: Final = 2
"""Votes of the panel that decide."""
CONSENSUS: Final = 5
"""Experts that a consensus needs."""
LONGEST_NAME: Final = 80
LONGEST_TEXT: Final = 4_000


class Stage(StrEnum):
    """What a candidate goes through, in this order."""

    FILTER = "automatic filter"
    NOVELTY = "novelty"
    PLAUSIBILITY = "plausibility"
    PANEL = "panel"
    VERIFICATION = "verification"


class Standing(StrEnum):
    """Where a candidate stands."""

    WAITING = "awaiting the panel"
    CONFIRMED = "candidate confirmed by panel"
    REJECTED = "rejected"
    VERIFIED = "verified"


@dataclass(frozen=True)
class Candidate:
    """All that has happened to one candidate."""

    collected: Collected
    judging: Judging | None = None
    votes: tuple[Voted, ...] = ()
    verified: Verified | None = None

    @property
    def name(self) -> str:
        """How it is called."""
        return self.collected.candidate

    @property
    def standing(self) -> Standing:
        """Where it stands: two equal votes decide, and a verification after them."""
        if self.verified is not None:
            return Standing.VERIFIED
        yes = sum(vote.confirms for vote in self.votes)
        if yes >= AGREEING:
            return Standing.CONFIRMED
        return Standing.REJECTED if len(self.votes) - yes >= AGREEING else Standing.WAITING

    @property
    def decided(self) -> bool:
        """Whether the panel has decided; until then nobody is told who answered and who voted what."""
        return self.standing is not Standing.WAITING

    def after(self, event: Judged | Voted | Verified) -> Candidate:
        """The candidate with one more event; one that breaks a rule is refused."""
        match event:
            case Judged():
                return replace(self, judging=event.judging)
            case Voted():
                self._refuse_vote(event)
                return replace(self, votes=(*self.votes, event))
            case Verified():
                self._refuse_verification(event)
                return replace(self, verified=event)

    def _refuse_vote(self, vote: Voted) -> None:
        _refuse_name(vote.expert)
        _refuse_text("--reason", vote.reason)
        if self.decided:
            raise ConfigurationError(
                f"{self.name} is decided ({self.standing}); two agreeing votes of {PANEL} are final. Vote on another candidate."
            )
        if _same(vote.expert) in {_same(each.expert) for each in self.votes}:
            raise ConfigurationError(
                f"{vote.expert} has voted on {self.name}; an expert votes once. Ask another expert."
            )

    def _refuse_verification(self, event: Verified) -> None:
        for each in event.experts:
            _refuse_name(each)
        _refuse_text("--evidence", event.evidence)
        if self.standing is not Standing.CONFIRMED:
            raise ConfigurationError(
                f"{self.name} stands at `{self.standing}`; only a candidate that the panel confirmed is verified, and once. "
                f"See `im breakthroughs show {self.name}`."
            )
        needed = CONSENSUS if event.tier is Tier.D else 1
        given = len({_same(each) for each in event.experts})
        if given < needed:
            raise ConfigurationError(
                f"{given} different experts are named; tier {event.tier} ({TIERS[event.tier]}) takes {needed} or more. "
                "Name each with --expert."
            )


def candidate_name(scenario_id: str, answer: str) -> str:
    """What an answer is called: the same words, however they are spaced and whoever said them, are one candidate."""
    digest = sha256(f"{scenario_id}\n{' '.join(answer.split())}".encode("utf-8", "replace")).hexdigest()
    return f"{scenario_id}-{digest[:12]}"


def replayed(events: Iterable[Event]) -> dict[str, Candidate]:
    """Every candidate by its name, in the order they were collected."""
    found: dict[str, Candidate] = {}
    for event in events:
        known = found.get(event.candidate)
        if isinstance(event, Collected):
            if known is not None:
                raise ConfigurationError(
                    f"{event.candidate} is collected twice; the log was changed by hand."
                )
            found[event.candidate] = Candidate(event, event.judging)
        elif known is None:
            raise ConfigurationError(
                f"{event.candidate} is {event.event} and was never collected; the log was changed by hand."
            )
        else:
            found[event.candidate] = known.after(event)
    return found


def _same(name: str) -> str:
    """A name without what two spellings of it differ in."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _refuse_name(name: str) -> None:
    if not _same(name) or len(name) > LONGEST_NAME or not name.isprintable():
        raise ConfigurationError(
            f"an expert is called {name[:LONGEST_NAME]!a}; a name has 1 to {LONGEST_NAME} characters that can be seen. "
            "Give it with --expert."
        )


def _refuse_text(option: str, text: str) -> None:
    if not text.strip() or len(text) > LONGEST_TEXT:
        raise ConfigurationError(
            f"{option} has {len(text.strip())} characters; it is published, and takes 1 to {LONGEST_TEXT:,}. Say it in words."
        )
