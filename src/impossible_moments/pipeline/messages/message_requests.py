"""Requests: the messages by which the orchestrator passes on what an agent is shown, and asks for a reply."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from impossible_moments.agents.orchestrator import OPEN_PHASES, Ask
from impossible_moments.domain.message import Message, MessageContent
from impossible_moments.domain.vocabulary import EULER, HUMAN, NEWTON, ORCHESTRATOR, MessageType, Phase
from impossible_moments.pipeline.messages.message_building import (
    Envelope,
    build_messages,
    drop_duplicates,
    list_message_ids,
)
from impossible_moments.pipeline.messages.message_drafts import shorten_to_sentence
from impossible_moments.pipeline.messages.message_forwards import (
    RaisedPoint,
    extract_note_evidence,
    find_note_origin,
    select_quoted_points,
)

# fmt: off
REQUEST_TYPES: Final[Mapping[str, MessageType]] = {
    # The type of a request, by the reply that it asks for. All others request deliverables.
    "ChallengeResponse":  MessageType.CHALLENGE,
    "BreakthroughReview": MessageType.BREAKTHROUGH,
    "VetoReview":         MessageType.RESPONSE,  # the revised seed is the reply to the veto
    "Ballot":             MessageType.VOTE,
    "RefinementBallot":   MessageType.VOTE,
}
# fmt: on
SUBJECT_REQUESTS: Final = frozenset({"ChallengeResponse", "BreakthroughReview", "VetoReview", "Ballot"})
"""The replies whose request has a subject: its last note, which is part of the request."""
_VALIDATION_REPORTS: Final = ((NEWTON, "PhysicsReport"), (EULER, "MathematicsReport"))
"""The reports from which the orchestrator computes the documents that it adds."""


@dataclass
class SentMessages:
    """What was sent so far in a run, as far as requests refer to it."""

    documents: dict[tuple[str, str], list[tuple[str, ...]]] = field(default_factory=dict)
    """The messages of every document by author and type, one entry for each iteration."""
    points: list[RaisedPoint] = field(default_factory=list)
    """The points that were raised, in the order of the flow."""
    forwards: set[str] = field(default_factory=set)
    """The forwards that were sent. What is shown again is not sent again."""

    def find_document_ids(self, section: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the messages of the document of a section. Empty if no reply contained the document.

        A hidden iteration is the newest.
        """
        iterations = self.documents.get((section["author"], section["document"]), [()])
        number = section.get("iteration")
        return iterations[-1 if number is None else min(number, len(iterations) - 1)]

    def downgrade_vetoes(self, points: Sequence[RaisedPoint], challenged: str) -> tuple[RaisedPoint, ...]:
        """Return the points with vetoes, which an agent must answer, as challenges. They stay so from now on."""
        vetoes = {
            point: replace(point, kind=MessageType.CHALLENGE, party=challenged)
            for point in points
            if point.kind is MessageType.VETO
        }
        self.points = [vetoes.get(point, point) for point in self.points]
        return tuple(vetoes.get(point, point) for point in points)


@dataclass(frozen=True)
class BuiltRequest:
    """The messages of one request. The last is the request, or its last part."""

    messages: tuple[Message, ...]
    subject: tuple[RaisedPoint, ...]
    """The points that the request asks about."""

    @property
    def request(self) -> Message:
        """The request itself."""
        return self.messages[-1]


@dataclass
class RequestBuilder:
    """Builds the messages of one request."""

    scenario: str
    ask: Ask
    sent_at: float
    sent: SentMessages
    _messages: list[Message] = field(default_factory=list)
    _dependencies: list[str] = field(default_factory=list)

    def build_request(self) -> BuiltRequest:
        """Build the forwards that are new, and the request that depends on everything its agent is shown."""
        context, returns = self.ask.assignment.context, self.ask.assignment.returns
        sections = _list_sections(context)
        for section in sections:
            self._add_document(section)
        notes = [str(note) for note in context.get("notes", ())]
        subjects = [notes.pop()] if returns in SUBJECT_REQUESTS and notes else []
        own_notes = [note for note in notes if not self._forward_note(note)]
        points = select_quoted_points("\n".join(subjects) or _find_escalated_text(context), self.sent.points)
        if returns == "ChallengeResponse":
            points = self.sent.downgrade_vetoes(points, self.ask.agent)
        self._dependencies += [each for point in points for each in point.message_ids]
        body = {
            "task": self.ask.assignment.task,
            "returns": returns,
            "token_budget": self.ask.assignment.token_budget,
            "shown": [f"{each['author']} {each['document']}" for each in sections],
            "notes": [*own_notes, *subjects],
        }
        self._add_request(body, subjects, points)
        return BuiltRequest(tuple(self._messages), points)

    def _add_document(self, section: Mapping[str, Any]) -> None:
        """Add a shown document to the dependencies. One that is in no reply, but was computed, is sent first."""
        if ids := self.sent.find_document_ids(section):
            self._dependencies += ids
            return
        body = json.dumps(section["fields"], ensure_ascii=False, indent=1)
        reports = (
            self.sent.documents[each][-1] for each in _VALIDATION_REPORTS if each in self.sent.documents
        )
        content = MessageContent(
            summary=f"{section['document']}, computed by the {ORCHESTRATOR}",
            body=body,
            dependencies=tuple(each for ids in reports for each in ids),
        )
        self._forward(section["document"], MessageType.DELIVERABLE, content)

    def _forward_note(self, note: str) -> bool:
        """Send a note that passes on another message as a message. Return whether it does."""
        origin = find_note_origin(note, self.ask.agent, self.sent.points)
        ids = tuple(each for point in origin.points for each in point.message_ids)
        # In DOCUMENT notes remind an agent of its disputes, which were passed on before.
        if origin.kind is None or self.ask.assignment.phase is Phase.DOCUMENT:
            self._dependencies += ids
            return False
        content = MessageContent(
            summary=shorten_to_sentence(note),
            body=note,
            evidence=extract_note_evidence(note)
            or _collect_evidence([each for each in origin.points if each.kind is origin.kind]),
            dependencies=drop_duplicates(ids),
        )
        self._forward(str(origin.kind), origin.kind, content, origin.points)
        return True

    def _forward(
        self, name: str, kind: MessageType, content: MessageContent, points: Sequence[RaisedPoint] = ()
    ) -> None:
        digest = hashlib.sha256(content.body.encode("utf-8", "replace")).hexdigest()
        key = f"{ORCHESTRATOR}>{self.ask.agent}/{name}/{digest}"
        messages = build_messages(self.scenario, self._address(key, kind, points), content)
        self._dependencies += list_message_ids(messages)
        if key not in self.sent.forwards:
            self.sent.forwards.add(key)
            self._messages += messages

    def _add_request(
        self, body: Mapping[str, Any], subjects: Sequence[str], points: Sequence[RaisedPoint]
    ) -> None:
        returns = self.ask.assignment.returns
        kind = REQUEST_TYPES.get(returns, MessageType.DELIVERABLE)
        content = MessageContent(
            summary=shorten_to_sentence(f"Asks for {returns}: {self.ask.assignment.task}"),
            body=json.dumps(body, ensure_ascii=False, indent=1),
            evidence=tuple(line for each in subjects for line in extract_note_evidence(each)),
            dependencies=drop_duplicates(self._dependencies),
        )
        envelope = self._address(
            f"{self.ask.key}?", MessageType.ESCALATION if self.ask.agent == HUMAN else kind, points
        )
        self._messages += build_messages(self.scenario, envelope, content)

    def _address(self, key: str, kind: MessageType, points: Sequence[RaisedPoint]) -> Envelope:
        assignment = self.ask.assignment
        stated = [each.confidence for each in points if each.kind is kind]
        # The confidence of a forwarded dispute is hidden before the reveal.
        is_open = assignment.phase in OPEN_PHASES or assignment.agent == HUMAN
        return Envelope(
            key=key,
            sent_at=self.sent_at,
            phase=assignment.phase,
            sender=ORCHESTRATOR,
            recipient=assignment.agent,
            kind=kind,
            confidence=stated[-1] if stated and is_open else None,
        )


def _list_sections(context: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """Return the documents in the context of an agent, or in the package that a human gets."""
    return tuple(context.get("sections") or context.get("scenario", {}).get("sections", ()))


def _find_escalated_text(context: Mapping[str, Any]) -> str:
    """Return what a human is asked to decide, with the positions of the agents."""
    disagreement = context.get("disagreement", {})
    return "\n".join((disagreement.get("question", ""), *disagreement.get("positions", {}).values()))


def _collect_evidence(points: Sequence[RaisedPoint]) -> tuple[str, ...]:
    return tuple(line for point in points for line in point.evidence)
