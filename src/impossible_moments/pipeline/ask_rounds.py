"""Rounds of asks: recorded answers are read from the ledger, and the rest is performed and committed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from pydantic import ValidationError

from impossible_moments.agents.adapters import Performer
from impossible_moments.agents.orchestrator import Ask
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.message import FiledMessage
from impossible_moments.domain.thresholds import HOURS_TO_RESPOND
from impossible_moments.domain.vocabulary import HUMAN
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.ledger import (
    AnsweredAsk,
    AskEvent,
    AskEventKind,
    HumanQuestion,
    LedgerStore,
    record_answer_with_messages,
    record_ask_event,
    record_messages,
    suspend_for_questions,
)
from impossible_moments.pipeline.clock import Clock
from impossible_moments.pipeline.messages import MessageHistory, convert_to_row, describe_refusal
from impossible_moments.pipeline.replay import FlowRecording, require_ordered_assignment, serialize_assignment


class WrongReplyError(ImpossibleMomentsError):
    """An agent handed in something other than it was asked for."""

    def __init__(self, key: str, wanted: str, found: str) -> None:
        super().__init__(key, wanted, found)
        self.key, self.wanted, self.found = key, wanted, found

    def __str__(self) -> str:
        return (
            f"The reply to the ask {self.key} cannot be used: expected a {self.wanted}, and {self.found} was handed in. "
            "A reply must have the expected type and survive a round trip through JSON. It was not stored."
        )


class RefusedReplyError(ImpossibleMomentsError):
    """An agent's reply breaks a rule of communication."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(key, reason)
        self.key, self.reason = key, reason

    def __str__(self) -> str:
        return (
            f"The reply to the ask {self.key} is not accepted. {self.reason} The reply is kept among the messages of the "
            "scenario, and the ask stays open: run the scenario again to ask again."
        )


class AwaitingHumanReview(Exception):
    """The flow cannot continue until humans have answered."""

    def __init__(self, keys: tuple[str, ...]) -> None:
        super().__init__(keys)
        self.keys = keys


@dataclass(frozen=True)
class AskRounds:
    """Answers the rounds of one scenario's flow."""

    store: LedgerStore
    performer: Performer
    clock: Clock
    owner: str
    code_version: str
    recording: FlowRecording
    messages: MessageHistory
    stored_messages: frozenset[str] = frozenset()
    """The messages that the ledger holds from an earlier run."""
    on_ask: Callable[[Ask], None] = lambda _ask: None
    """Called with every ask before it is performed."""

    async def answer_round(self, asks: tuple[Ask, ...]) -> tuple[LabelledModel, ...]:
        """Return the replies to one round.

        Stored replies are compared first, so that a changed flow does not pay for anything.
        """
        opened = self.recording.open_round(asks)
        replies = {ask.key: self.recording.get_reply(ask) for ask in opened}
        missing = [ask for ask in opened if replies[ask.key] is None]
        for ask in missing:
            require_ordered_assignment(ask)
        self._file_requests(opened)
        for ask in opened:
            self._file_stored_reply(ask, replies[ask.key])
        agents = [ask for ask in missing if ask.agent != HUMAN]
        replies.update(await self._perform_asks(agents))
        replies.update(await self._collect_human_answers([ask for ask in missing if ask.agent == HUMAN]))
        self.messages.close_round()
        return tuple(reply for reply in replies.values() if reply is not None)

    async def _perform_asks(self, asks: Iterable[Ask]) -> dict[str, LabelledModel]:
        """Return the replies of agents.

        A failure does not stop the other asks, whose replies are paid for and kept.
        """
        results = {ask.key: asyncio.ensure_future(self._perform_ask(ask)) for ask in asks}
        try:
            await asyncio.gather(*results.values(), return_exceptions=True)
        finally:
            for result in results.values():
                result.cancel()
        errors = [error for result in results.values() if (error := result.exception()) is not None]
        if errors:
            for other in errors[1:]:
                errors[0].add_note(f"In the same round: {type(other).__name__}: {other}")
            raise errors[0]
        return {key: result.result() for key, result in results.items()}

    async def _perform_ask(self, ask: Ask) -> LabelledModel:
        started = self.clock.now()
        self._record_ask_event(ask, AskEventKind.STARTED)
        self.on_ask(ask)
        try:
            performed = await self.performer.perform(ask)
            reply = _serialize_reply(ask, performed.reply)
        except Exception as error:
            self._record_ask_event(ask, AskEventKind.FAILED, f"{type(error).__name__}: {error}")
            raise
        answer = AnsweredAsk(
            key=ask.key,
            round_number=self.recording.round_number,
            assignment_hash=self.recording.get_assignment_hash(ask),
            reply=reply,
            returns=ask.returns.__name__,
            usage=performed.usage,
            model=performed.model,
            prompt_hash=performed.prompt_hash,
            code_version=self.code_version,
            started_at=started,
            answered_at=self.clock.now(),
        )
        return await self._store_answer(ask, answer, performed.reply)

    async def _store_answer(self, ask: Ask, answer: AnsweredAsk, reply: LabelledModel) -> LabelledModel:
        """Store an answer with its messages, and return the reply that the ledger then holds.

        Raises `RefusedReplyError` if the reply breaks a rule of communication. Its messages are kept.
        """
        scenario = self.recording.scenario
        filed = self.messages.build_reply(ask, answer, reply)
        if reason := describe_refusal(filed):
            rows = [
                convert_to_row(each, answer.answered_at)
                for each in self.messages.build_refusal(ask, answer, reply)
            ]
            await self.store.commit(partial(record_messages, scenario=scenario, rows=rows))
            self._record_ask_event(ask, AskEventKind.FAILED, reason)
            raise RefusedReplyError(ask.key, reason)
        rows = [convert_to_row(each, answer.answered_at) for each in filed]
        stored = await self.store.commit(
            partial(record_answer_with_messages, scenario=scenario, answer=answer, rows=rows)
        )
        found = self.recording.add(ask, stored)
        if stored is not answer:
            self.messages.build_reply(ask, stored, found)
        return found

    def _file_requests(self, asks: tuple[Ask, ...]) -> None:
        def get_time(ask: Ask) -> float:
            answer = self.recording.get_answer(ask)
            return now if answer is None else answer.started_at

        now = self.clock.now()
        by_key = {ask.key: ask for ask in asks}
        filed = self.messages.open_round(asks, get_time)
        self._store_messages([(each, get_time(by_key[each.ask_key])) for each in filed])

    def _file_stored_reply(self, ask: Ask, reply: LabelledModel | None) -> None:
        answer = self.recording.get_answer(ask)
        if answer is not None and reply is not None:
            filed = self.messages.build_reply(ask, answer, reply)
            self._store_messages([(each, answer.answered_at) for each in filed])

    def _store_messages(self, filed: Sequence[tuple[FiledMessage, float]]) -> None:
        """Store messages that the ledger does not hold yet, together with the next commit."""
        rows = [
            convert_to_row(each, sent_at)
            for each, sent_at in filed
            if each.message.message_id not in self.stored_messages
        ]
        if rows:
            self.store.commit_later(partial(record_messages, scenario=self.recording.scenario, rows=rows))

    async def _collect_human_answers(self, asks: list[Ask]) -> dict[str, LabelledModel]:
        """Return the answers of humans, or raise `AwaitingHumanReview` if one is missing."""
        if not asks:
            return {}
        now = self.clock.now()
        questions = tuple(self._build_human_question(ask, now) for ask in asks)
        answers = await self.store.commit(
            partial(suspend_for_questions, questions=questions, owner=self.owner, now=now)
        )
        found = {answer.key: answer for answer in answers}
        if len(found) < len(asks):
            raise AwaitingHumanReview(tuple(ask.key for ask in asks if ask.key not in found))
        replies = {ask.key: self.recording.add(ask, found[ask.key]) for ask in asks}
        for ask in asks:
            self._file_stored_reply(ask, replies[ask.key])
        return replies

    def _build_human_question(self, ask: Ask, now: float) -> HumanQuestion:
        return HumanQuestion(
            scenario=self.recording.scenario,
            key=ask.key,
            round_number=self.recording.round_number,
            assignment_hash=self.recording.get_assignment_hash(ask),
            assignment=serialize_assignment(ask),
            returns=ask.returns.__name__,
            asked_at=now,
            due_at=now + HOURS_TO_RESPOND * 3600,
        )

    def _record_ask_event(self, ask: Ask, kind: AskEventKind, detail: str = "") -> None:
        event = AskEvent(self.recording.scenario, ask.key, kind, self.owner, detail, self.clock.now())
        self.store.commit_later(partial(record_ask_event, event=event))


def _serialize_reply(ask: Ask, reply: LabelledModel) -> bytes:
    """Return a reply as JSON, and raise `WrongReplyError` if it cannot be read again."""
    if not isinstance(reply, ask.returns):
        raise WrongReplyError(ask.key, ask.returns.__name__, f"a {type(reply).__name__}")
    written = reply.model_dump_json().encode()
    try:
        ask.returns.model_validate_json(written)
    except ValidationError as error:
        raise WrongReplyError(
            ask.key, ask.returns.__name__, f"something that cannot be read again ({error})"
        ) from error
    return written
