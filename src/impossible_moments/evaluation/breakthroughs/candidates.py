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

from impossible_moments.domain.evaluation_protocol import CONSENSUS, LEAST_AGREEING_EXPERTS, PANEL
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.breakthroughs.events import (
    VERIFICATION_METHODS,
    CandidateCollected,
    CandidateJudged,
    CandidateVerified,
    Event,
    ExpertVote,
    JudgingSummary,
    VerificationTier,
)

LONGEST_NAME: Final = 80
LONGEST_TEXT: Final = 4_000


class CandidateStage(StrEnum):
    """The stages of a candidate, in order."""

    FILTER = "automatic filter"
    NOVELTY = "novelty"
    PLAUSIBILITY = "plausibility"
    PANEL = "panel"
    VERIFICATION = "verification"


class CandidateStanding(StrEnum):
    """The current state of a candidate."""

    WAITING = "awaiting the panel"
    CONFIRMED = "candidate confirmed by panel"
    REJECTED = "rejected"
    VERIFIED = "verified"
    REFUTED = "refuted by verification"


@dataclass(frozen=True)
class BreakthroughCandidate:
    """A candidate with all its events."""

    collected: CandidateCollected
    judging: JudgingSummary | None = None
    votes: tuple[ExpertVote, ...] = ()
    verified: CandidateVerified | None = None

    @property
    def name(self) -> str:
        """The name of the candidate."""
        return self.collected.candidate

    @property
    def standing(self) -> CandidateStanding:
        """The current state. Two agreeing votes decide, and a verification may follow."""
        if self.verified is not None:
            return (
                CandidateStanding.VERIFIED
                if self.verified.result == "confirmed"
                else CandidateStanding.REFUTED
            )
        confirmations = sum(vote.confirms for vote in self.votes)
        if confirmations >= LEAST_AGREEING_EXPERTS:
            return CandidateStanding.CONFIRMED
        return (
            CandidateStanding.REJECTED
            if len(self.votes) - confirmations >= LEAST_AGREEING_EXPERTS
            else CandidateStanding.WAITING
        )

    @property
    def is_decided(self) -> bool:
        """Whether the panel has decided. Until then authors and votes are hidden."""
        return self.standing is not CandidateStanding.WAITING

    def apply_event(self, event: CandidateJudged | ExpertVote | CandidateVerified) -> BreakthroughCandidate:
        """Return the candidate with one more event. Raises `ConfigurationError` if it breaks a rule."""
        match event:
            case CandidateJudged():
                return replace(self, judging=event.judging)
            case ExpertVote():
                self._check_vote(event)
                return replace(self, votes=(*self.votes, event))
            case CandidateVerified():
                self._check_verification(event)
                return replace(self, verified=event)

    def _check_vote(self, vote: ExpertVote) -> None:
        _check_expert_name(vote.expert)
        _require_text_length("--reason", vote.reason)
        if self.is_decided:
            raise ConfigurationError(
                f"The candidate {self.name} is already decided ({self.standing}); two agreeing votes of {PANEL} are final. Vote on another candidate."
            )
        if _normalize_name(vote.expert) in {_normalize_name(each.expert) for each in self.votes}:
            raise ConfigurationError(
                f"{vote.expert} has already voted on the candidate {self.name}; an expert votes only once. Ask another expert."
            )

    def _check_verification(self, event: CandidateVerified) -> None:
        for each in event.experts:
            _check_expert_name(each)
        _require_text_length("--reason", event.evidence)
        if self.standing is not CandidateStanding.CONFIRMED:
            raise ConfigurationError(
                f"The candidate {self.name} is in the state `{self.standing}`; only a candidate confirmed by the panel can be verified, and only once. "
                f"See `im breakthroughs show {self.name}`."
            )
        needed_experts = CONSENSUS if event.tier is VerificationTier.D else 1
        expert_count = len({_normalize_name(each) for each in event.experts})
        if expert_count < needed_experts:
            raise ConfigurationError(
                f"{expert_count} different experts are named; tier {event.tier} ({VERIFICATION_METHODS[event.tier]}) needs at least {needed_experts}. "
                "Name each with --by."
            )


def compute_candidate_name(scenario_id: str, answer: str) -> str:
    """Return the name of an answer. Answers that differ only in white space have the same name."""
    digest = sha256(f"{scenario_id}\n{' '.join(answer.split())}".encode("utf-8", "replace")).hexdigest()
    return f"{scenario_id}-{digest[:12]}"


def rebuild_candidates_from_events(events: Iterable[Event]) -> dict[str, BreakthroughCandidate]:
    """Return all candidates by name, in the order in which they were collected."""
    found: dict[str, BreakthroughCandidate] = {}
    for event in events:
        known = found.get(event.candidate)
        if isinstance(event, CandidateCollected):
            if known is not None:
                raise ConfigurationError(
                    f"The breakthrough candidate {event.candidate} was collected twice; the log was edited by hand. Restore it from a backup."
                )
            found[event.candidate] = BreakthroughCandidate(event, event.judging)
        elif known is None:
            raise ConfigurationError(
                f"The breakthrough candidate {event.candidate} was {event.event} but never collected; the log was edited by hand. Restore it from a backup."
            )
        else:
            found[event.candidate] = known.apply_event(event)
    return found


def _normalize_name(name: str) -> str:
    """Return a name in a form in which different spellings of it are equal."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _check_expert_name(name: str) -> None:
    if not _normalize_name(name) or len(name) > LONGEST_NAME or not name.isprintable():
        raise ConfigurationError(
            f"{name[:LONGEST_NAME]!a} is not a valid expert name; use 1 to {LONGEST_NAME} printable characters. "
            "Give it with --expert."
        )


def _require_text_length(option: str, text: str) -> None:
    if not text.strip() or len(text) > LONGEST_TEXT:
        raise ConfigurationError(
            f"{option} has {len(text.strip())} characters; it is published and must have 1 to {LONGEST_TEXT:,}."
        )
