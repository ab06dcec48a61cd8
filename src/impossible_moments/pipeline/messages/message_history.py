"""The messages of a run: what the orchestrator and the agents send each other, with every field of the specification.

Messages are built here from the asks and replies of a flow, so that running, resuming and replaying give the same
ones. Every message is checked with the rules of communication. One that breaks a rule is kept with its problems.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from impossible_moments.agents.orchestrator import (
    Ask,
    MessageContext,
    choose_disposition,
    find_message_problems,
)
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.message import (
    Disposition,
    FiledMessage,
    Message,
    MessageContent,
    MessagePlace,
)
from impossible_moments.domain.vocabulary import EULER, NEWTON, ORCHESTRATOR, MessageType
from impossible_moments.ledger import AnsweredAsk
from impossible_moments.pipeline.messages.message_building import Envelope, build_messages, list_message_ids
from impossible_moments.pipeline.messages.message_drafts import MessageDraft, list_reply_drafts
from impossible_moments.pipeline.messages.message_forwards import describe_raised_point
from impossible_moments.pipeline.messages.message_requests import BuiltRequest, RequestBuilder, SentMessages


@dataclass(frozen=True, slots=True)
class _SentPart:
    """A part of a reply, and the messages that it became."""

    draft: MessageDraft
    messages: tuple[Message, ...]


@dataclass
class MessageHistory:
    """Builds the messages of one scenario, round by round, in the order of the flow."""

    scenario: str
    vetoers: frozenset[str] = frozenset({NEWTON, EULER})
    round_number: int = 0
    _sent: SentMessages = field(default_factory=SentMessages)
    _ask_numbers: dict[str, int] = field(default_factory=dict)
    """The numbers of the asks of the open round, by key."""
    _requests: dict[str, BuiltRequest] = field(default_factory=dict)
    _replies: dict[str, tuple[_SentPart, ...]] = field(default_factory=dict)
    """The replies of the open round, by key."""

    def open_round(self, asks: tuple[Ask, ...], get_time: Callable[[Ask], float]) -> tuple[FiledMessage, ...]:
        """Begin the next round, and return the requests to its agents. `get_time` says when each was sent."""
        self.round_number += 1
        self._ask_numbers = {ask.key: number for number, ask in enumerate(asks, start=1)}
        self._replies = {}
        self._requests = {
            ask.key: RequestBuilder(self.scenario, ask, get_time(ask), self._sent).build_request()
            for ask in asks
        }
        return tuple(
            filed
            for ask in asks
            for filed in self._file_messages(ask, self._requests[ask.key].messages, is_reply=False)
        )

    def build_reply(self, ask: Ask, answer: AnsweredAsk, reply: LabelledModel) -> tuple[FiledMessage, ...]:
        """Return the messages of a reply to an ask of the open round: the reply, and each dispute in it."""
        parts = self._replies[ask.key] = self._build_parts(ask, answer, reply, ask.key)
        return tuple(self._file_messages(ask, _list_messages(parts), is_reply=True))

    def build_refusal(self, ask: Ask, answer: AnsweredAsk, reply: LabelledModel) -> tuple[FiledMessage, ...]:
        """Return the messages of a reply that is refused, and the orchestrator's message that says why.

        The ask stays open. Its accepted reply will have other identifiers.
        """
        key = f"{ask.key}!{hashlib.sha256(answer.reply).hexdigest()}"
        parts = self._build_parts(ask, answer, reply, key)
        refused = tuple(self._file_messages(ask, _list_messages(parts), is_reply=True))
        text = describe_refusal(refused)
        envelope = Envelope(
            key=f"{key}?",
            sent_at=answer.answered_at,
            phase=ask.assignment.phase,
            sender=ORCHESTRATOR,
            recipient=ask.agent,
            kind=MessageType.RESPONSE,
        )
        content = MessageContent(summary=text, body=text, dependencies=(refused[0].message.message_id,))
        said = build_messages(self.scenario, envelope, content)
        return (*refused, *self._file_messages(ask, said, is_reply=True, first=len(refused) + 1))

    def close_round(self) -> None:
        """Make the replies of the open round known to later requests, in the order of its asks."""
        for key in self._ask_numbers:
            for part in self._replies.get(key, ()):
                self._register_part(key, part)

    def _register_part(self, key: str, part: _SentPart) -> None:
        author, ids = part.messages[0].sender, list_message_ids(part.messages)
        if part.draft.is_document:
            document = type(part.draft.carrier).__name__
            self._sent.documents.setdefault((author, document), []).append(ids)
        challengers = [each.author for each in self._requests[key].subject if each.author != author]
        point = describe_raised_point(part.draft, author, ids, challengers[0] if challengers else None)
        if point is not None:
            self._sent.points.append(point)

    def _build_parts(
        self, ask: Ask, answer: AnsweredAsk, reply: LabelledModel, key: str
    ) -> tuple[_SentPart, ...]:
        request = self._requests[ask.key]
        points = tuple(each for point in request.subject for each in point.message_ids)
        parts: list[_SentPart] = []
        for draft in list_reply_drafts(reply, ask.agent):
            answered = request.request if draft.is_document else parts[0].messages[0]
            is_response = draft.is_document and draft.kind is MessageType.RESPONSE
            dependencies = (answered.message_id, *(points if is_response else ()))
            parts.append(_SentPart(draft, self._build_draft(ask, answer, draft, key, dependencies)))
        return tuple(parts)

    def _build_draft(
        self, ask: Ask, answer: AnsweredAsk, draft: MessageDraft, key: str, dependencies: tuple[str, ...]
    ) -> tuple[Message, ...]:
        document = type(draft.carrier).__name__
        envelope = Envelope(
            key=f"{key}#{draft.suffix}" if draft.suffix else key,
            sent_at=answer.answered_at,
            phase=ask.assignment.phase,
            sender=ask.agent,
            recipient=ORCHESTRATOR,
            kind=draft.kind,
            confidence=draft.confidence,
            agent_version=" ".join(filter(None, (answer.model, answer.prompt_hash))),
            context_window_usage=float(answer.usage.get("context_window_usage") or 0.0),
            iteration=len(self._sent.documents.get((ask.agent, document), ())),
        )
        content = MessageContent(
            summary=draft.summary,
            body=draft.body,
            evidence=draft.evidence,
            concerns=draft.concerns,
            dependencies=dependencies,
        )
        return build_messages(self.scenario, envelope, content)

    def _file_messages(
        self, ask: Ask, messages: Iterable[Message], *, is_reply: bool, first: int = 1
    ) -> Iterator[FiledMessage]:
        answered = self._requests[ask.key].request if is_reply else None
        context = MessageContext(self.vetoers, answered)
        for number, message in enumerate(messages, start=first):
            problems = find_message_problems(message, context)
            yield FiledMessage(
                MessagePlace(self.round_number, is_reply, self._ask_numbers[ask.key], number),
                ask.key,
                message,
                tuple(map(str, problems)),
                choose_disposition(problems),
            )


def describe_refusal(filed: Iterable[FiledMessage]) -> str:
    """Return why the messages of a reply are refused, as a sentence to their sender. Empty if none is."""
    problems = [
        problem for each in filed if each.disposition is Disposition.REFUSED for problem in each.problems
    ]
    return f"Refused: {'; '.join(dict.fromkeys(problems))}." if problems else ""


def _list_messages(parts: Iterable[_SentPart]) -> tuple[Message, ...]:
    return tuple(message for part in parts for message in part.messages)
