"""Breakthrough candidates: answers to open questions, and the stages up to a change of status.

Everything that happens is an immutable event, and the state of a candidate follows from its events alone.
This module only applies the rules. The caller decides who votes, when, and where events are stored.
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
"""The number of agreeing votes that decide."""
CONSENSUS: Final = 5
"""The number of experts that a consensus needs."""
LONGEST_NAME: Final = 80
LONGEST_TEXT: Final = 4_000


class Stage(StrEnum):
    """The stages of a candidate, in order."""

    FILTER = "automatic filter"
    NOVELTY = "novelty"
    PLAUSIBILITY = "plausibility"
    PANEL = "panel"
    VERIFICATION = "verification"


class Standing(StrEnum):
    """The current state of a candidate."""

    WAITING = "awaiting the panel"
    CONFIRMED = "candidate confirmed by panel"
    REJECTED = "rejected"
    VERIFIED = "verified"


@dataclass(frozen=True)
class Candidate:
    """A candidate with all its events."""

    collected: Collected
    judging: Judging | None = None
    votes: tuple[Voted, ...] = ()
    verified: Verified | None = None

    @property
    def name(self) -> str:
        """The name of the candidate."""
        return self.collected.candidate

    @property
    def standing(self) -> Standing:
        """The current state. Two agreeing votes decide, and a verification may follow."""
        if self.verified is not None:
            return Standing.VERIFIED
        yes = sum(vote.confirms for vote in self.votes)
        if yes >= AGREEING:
            return Standing.CONFIRMED
        return Standing.REJECTED if len(self.votes) - yes >= AGREEING else Standing.WAITING

    @property
    def decided(self) -> bool:
        """Whether the panel has decided. Until then authors and votes are hidden."""
        return self.standing is not Standing.WAITING

    def after(self, event: Judged | Voted | Verified) -> Candidate:
        """Return the candidate with one more event. Raises `ConfigurationError` if it breaks a rule."""
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
                f"{self.name} is already decided ({self.standing}); two agreeing votes of {PANEL} are final. Vote on another candidate."
            )
        if _same(vote.expert) in {_same(each.expert) for each in self.votes}:
            raise ConfigurationError(
                f"{vote.expert} has already voted on {self.name}; an expert votes only once. Ask another expert."
            )

    def _refuse_verification(self, event: Verified) -> None:
        for each in event.experts:
            _refuse_name(each)
        _refuse_text("--evidence", event.evidence)
        if self.standing is not Standing.CONFIRMED:
            raise ConfigurationError(
                f"{self.name} is in the state `{self.standing}`; only a candidate confirmed by the panel can be verified, and only once. "
                f"See `im breakthroughs show {self.name}`."
            )
        needed = CONSENSUS if event.tier is Tier.D else 1
        given = len({_same(each) for each in event.experts})
        if given < needed:
            raise ConfigurationError(
                f"{given} different experts are named; tier {event.tier} ({TIERS[event.tier]}) needs at least {needed}. "
                "Name each with --expert."
            )


def candidate_name(scenario_id: str, answer: str) -> str:
    """Return the name of an answer. Answers that differ only in white space have the same name."""
    digest = sha256(f"{scenario_id}\n{' '.join(answer.split())}".encode("utf-8", "replace")).hexdigest()
    return f"{scenario_id}-{digest[:12]}"


def replayed(events: Iterable[Event]) -> dict[str, Candidate]:
    """Return all candidates by name, in the order in which they were collected."""
    found: dict[str, Candidate] = {}
    for event in events:
        known = found.get(event.candidate)
        if isinstance(event, Collected):
            if known is not None:
                raise ConfigurationError(
                    f"{event.candidate} was collected twice; the log was edited by hand."
                )
            found[event.candidate] = Candidate(event, event.judging)
        elif known is None:
            raise ConfigurationError(
                f"{event.candidate} was {event.event} but never collected; the log was edited by hand."
            )
        else:
            found[event.candidate] = known.after(event)
    return found


def _same(name: str) -> str:
    """Return a name in a form in which different spellings of it are equal."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _refuse_name(name: str) -> None:
    if not _same(name) or len(name) > LONGEST_NAME or not name.isprintable():
        raise ConfigurationError(
            f"{name[:LONGEST_NAME]!a} is not a valid expert name; use 1 to {LONGEST_NAME} printable characters. "
            "Give it with --expert."
        )


def _refuse_text(option: str, text: str) -> None:
    if not text.strip() or len(text) > LONGEST_TEXT:
        raise ConfigurationError(
            f"{option} has {len(text.strip())} characters; it is published and must have 1 to {LONGEST_TEXT:,}."
        )
