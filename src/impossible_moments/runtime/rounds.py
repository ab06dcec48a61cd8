"""Rounds of asks: recorded answers are read from the ledger, and the rest is performed and committed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Protocol

from pydantic import ValidationError

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.domain.labels import Labelled
from impossible_moments.domain.vocabulary import HUMAN
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.ledger.ledger import Answer, Event, EventKind, note, record
from impossible_moments.ledger.questions import Question, suspend
from impossible_moments.ledger.store import Store
from impossible_moments.runtime.clock import Clock
from impossible_moments.runtime.replay import Recording, assignment_json, refuse_what_has_no_order

HOURS_TO_DECIDE: Final = 48
"""4.3: a reviewer has 48 hours to respond."""


@dataclass(frozen=True)
class Performed:
    """A reply with its usage, model and prompt version."""

    reply: Labelled
    usage: Mapping[str, Any] = field(default_factory=dict)
    model: str = ""
    prompt_hash: str = ""


class Performer(Protocol):
    """Answers asks: the built-in cast, a language model or a script."""

    async def perform(self, ask: Ask) -> Performed:
        """Answer an ask to an agent."""
        ...


class WrongReply(ImpossibleMomentsError):
    """An agent handed in something other than it was asked for."""

    def __init__(self, key: str, wanted: str, found: str) -> None:
        super().__init__(key, wanted, found)
        self.key, self.wanted, self.found = key, wanted, found

    def __str__(self) -> str:
        return (
            f"{self.key}: expected a {self.wanted}, and {self.found} was handed in. "
            "A reply must have the expected type and survive a round trip through JSON. It was not stored."
        )


class Awaiting(Exception):
    """The flow cannot continue until humans have answered."""

    def __init__(self, keys: tuple[str, ...]) -> None:
        super().__init__(keys)
        self.keys = keys


@dataclass(frozen=True)
class Rounds:
    """Answers the rounds of one scenario's flow."""

    store: Store
    performer: Performer
    clock: Clock
    owner: str
    code_version: str
    recording: Recording

    async def replies(self, asks: tuple[Ask, ...]) -> tuple[Labelled, ...]:
        """Return the replies to one round.

        Stored replies are compared first, so that a changed flow does not pay for anything.
        """
        opened = self.recording.opened(asks)
        replies = {ask.key: self.recording.reply_to(ask) for ask in opened}
        missing = [ask for ask in opened if replies[ask.key] is None]
        for ask in missing:
            refuse_what_has_no_order(ask)
        agents = [ask for ask in missing if ask.agent != HUMAN]
        replies.update(await self._performed(agents))
        replies.update(await self._decided([ask for ask in missing if ask.agent == HUMAN]))
        return tuple(reply for reply in replies.values() if reply is not None)

    async def _performed(self, asks: Iterable[Ask]) -> dict[str, Labelled]:
        """Return the replies of agents.

        A failure does not stop the other asks, whose replies are paid for and kept.
        """
        results = {ask.key: asyncio.ensure_future(self._one(ask)) for ask in asks}
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

    async def _one(self, ask: Ask) -> Labelled:
        started = self.clock.now()
        self._note(ask, EventKind.STARTED)
        try:
            performed = await self.performer.perform(ask)
            reply = _written(ask, performed.reply)
        except Exception as error:
            self._note(ask, EventKind.FAILED, f"{type(error).__name__}: {error}")
            raise
        answer = Answer(
            key=ask.key,
            round_number=self.recording.round_number,
            assignment_hash=self.recording.hash_of(ask),
            reply=reply,
            returns=ask.returns.__name__,
            usage=performed.usage,
            model=performed.model,
            prompt_hash=performed.prompt_hash,
            code_version=self.code_version,
            started_at=started,
            answered_at=self.clock.now(),
        )
        stored = await self.store.commit(partial(record, scenario=self.recording.scenario, answer=answer))
        return self.recording.add(ask, stored)

    async def _decided(self, asks: list[Ask]) -> dict[str, Labelled]:
        """Return the answers of humans, or raise `AwaitingHumanReview` if one is missing."""
        if not asks:
            return {}
        now = self.clock.now()
        questions = tuple(self._question(ask, now) for ask in asks)
        answers = await self.store.commit(partial(suspend, questions=questions, owner=self.owner, now=now))
        found = {answer.key: answer for answer in answers}
        if len(found) < len(asks):
            raise Awaiting(tuple(ask.key for ask in asks if ask.key not in found))
        return {ask.key: self.recording.add(ask, found[ask.key]) for ask in asks}

    def _question(self, ask: Ask, now: float) -> Question:
        return Question(
            scenario=self.recording.scenario,
            key=ask.key,
            round_number=self.recording.round_number,
            assignment_hash=self.recording.hash_of(ask),
            assignment=assignment_json(ask),
            returns=ask.returns.__name__,
            asked_at=now,
            due_at=now + HOURS_TO_DECIDE * 3600,
        )

    def _note(self, ask: Ask, kind: EventKind, detail: str = "") -> None:
        event = Event(self.recording.scenario, ask.key, kind, self.owner, detail, self.clock.now())
        self.store.soon(partial(note, event=event))


def _written(ask: Ask, reply: Labelled) -> bytes:
    """Return a reply as JSON, and raise `WrongReplyError` if it cannot be read again."""
    if not isinstance(reply, ask.returns):
        raise WrongReply(ask.key, ask.returns.__name__, f"a {type(reply).__name__}")
    written = reply.model_dump_json().encode()
    try:
        ask.returns.model_validate_json(written)
    except ValidationError as error:
        raise WrongReply(
            ask.key, ask.returns.__name__, f"something that cannot be read again ({error})"
        ) from error
    return written
