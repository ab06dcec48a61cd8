"""Forwards: which earlier messages the notes of an assignment pass on to its agent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.orchestrator import is_passed_on_to
from impossible_moments.domain.disputes import Breakthrough, Challenge, ChallengeResponse, Veto
from impossible_moments.domain.vocabulary import MessageType
from impossible_moments.pipeline.messages.message_drafts import MessageDraft

_EVIDENCE_LINE: Final = re.compile(r"^(?:Evidence|Proof) \((?P<kind>[^()]+)\): (?P<text>.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class RaisedPoint:
    """A challenge, a response, a veto, a breakthrough or an escalation that a note may quote."""

    kind: MessageType
    author: str
    message_ids: tuple[str, ...]
    quote: str
    """The words by which a note that passes it on is recognised."""
    evidence: tuple[str, ...]
    party: str | None
    """The challenged agent of a challenge, or the challenger that a response is for. None if unknown."""
    confidence: float | None


@dataclass(frozen=True, slots=True)
class NoteOrigin:
    """Where a note comes from."""

    kind: MessageType | None
    """The type of the message that the note forwards, or None if it belongs to the request."""
    points: tuple[RaisedPoint, ...]
    """The points that the note quotes."""


def describe_raised_point(
    draft: MessageDraft, author: str, message_ids: tuple[str, ...], challenger: str | None
) -> RaisedPoint | None:
    """Return the point that a part of a reply raises, or None if notes never quote such a part.

    `challenger` is the agent whose challenge a response answers.
    """
    content, party = draft.content, None
    match content:
        case Challenge():
            quote, party = content.claim, content.challenged
        case Veto():
            quote = content.claim
        case Breakthrough():
            quote = content.proposal
        case ChallengeResponse():
            quote, party = content.text, challenger
        case str():
            quote = content
        case _:
            return None
    words = _join_words(quote)
    if not words:
        return None
    return RaisedPoint(draft.kind, author, message_ids, words, draft.evidence, party, draft.confidence)


def find_note_origin(note: str, recipient: str, points: Iterable[RaisedPoint]) -> NoteOrigin:
    """Return what a note to `recipient` forwards. A quotation of the recipient's own point is not a forward."""
    quoted = select_quoted_points(note, points)
    routed = [
        each
        for each in quoted
        if each.author != recipient and is_passed_on_to(each.kind, recipient, each.party)
    ]
    return NoteOrigin(routed[-1].kind if routed else None, quoted)


def select_quoted_points(note: str, points: Iterable[RaisedPoint]) -> tuple[RaisedPoint, ...]:
    """Return the quoted points in the order in which they were raised.

    Of several with the same words, the one with most evidence in the note is quoted, and the newest if they are
    equal. A veto may be quoted as a challenge, and a response is never confused with what it answers.
    """
    text = _join_words(note)
    groups: dict[tuple[bool, str], list[RaisedPoint]] = {}
    for point in points:
        if re.search(rf"(?<!\w){re.escape(point.quote)}(?!\w)", text):
            groups.setdefault((point.kind is MessageType.RESPONSE, point.quote), []).append(point)
    return tuple(_choose_best_point(group, text) for group in groups.values())


def extract_note_evidence(note: str) -> tuple[str, ...]:
    """Return the evidence that a note lists, each in the form `kind: text`."""
    return tuple(f"{each['kind']}: {each['text']}" for each in _EVIDENCE_LINE.finditer(note))


def _choose_best_point(group: Sequence[RaisedPoint], text: str) -> RaisedPoint:
    def count_quoted_evidence(place: int) -> tuple[int, int]:
        lines = (_join_words(each.partition(": ")[2]) for each in group[place].evidence)
        return sum(1 for line in lines if line and line in text), place

    return group[max(range(len(group)), key=count_quoted_evidence)]


def _join_words(text: str) -> str:
    return " ".join(text.split())
