"""Messages in the ledger: stored with their answers, the same after a restart, and rebuilt for older ledgers."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import pytest

from impossible_moments.agents.adapters.performer import PerformedAsk, Performer
from impossible_moments.agents.orchestrator.flow import Ask, Flow, request_answer
from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.message import Disposition
from impossible_moments.domain.vocabulary import ATHENA, HUMAN, NEWTON, ORCHESTRATOR, MessageType, Phase
from impossible_moments.ledger.answered_asks import list_answers
from impossible_moments.ledger.messages import MessageRow, list_messages
from impossible_moments.ledger.store import LedgerStore
from impossible_moments.pipeline.ask_rounds import RefusedReplyError
from impossible_moments.pipeline.clock import FixedClock
from impossible_moments.pipeline.driver import Driver, ScenarioJob
from impossible_moments.pipeline.messages.message_records import load_messages, parse_row
from impossible_moments.pipeline.review_desk import ReviewDesk
from support.performer_doubles import PlainPerformer
from support.small_flow import (
    HUMAN_KEY,
    KEYS,
    SCENARIO,
    Ruling,
    WordyPerformer,
    build_ask,
    create_small_flow,
    run_and_accept,
)

VETOERS = frozenset({NEWTON})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def store(path: Path) -> Iterator[LedgerStore]:
    with LedgerStore(path) as opened:
        yield opened


def run_flow(store: LedgerStore, performer: Performer, *, at: float = 1.0, human: bool = False) -> None:
    driver: Driver[str] = Driver(store, performer, FixedClock(at), f"runner {at}", "1.0")
    asyncio.run(run_and_accept(driver, ScenarioJob(SCENARIO, partial(create_small_flow, human=human))))


def read_rows(store: LedgerStore) -> tuple[MessageRow, ...]:
    return store.read_and_wait(partial(list_messages, scenario=SCENARIO))


def drop_times(rows: tuple[MessageRow, ...]) -> list[MessageRow]:
    return [replace(row, sent_at=0.0) for row in rows]


def run_reference(folder: Path) -> list[MessageRow]:
    with LedgerStore(folder / "reference.db") as store:
        run_flow(store, WordyPerformer())
        return drop_times(read_rows(store))


def test_each_ask_is_a_request_and_a_reply_in_the_order_of_the_flow(store: LedgerStore) -> None:
    run_flow(store, WordyPerformer())
    found = [(row.ask_key, row.is_reply) for row in read_rows(store)]

    assert found == [
        (KEYS[0], False), (KEYS[0], True),
        (KEYS[1], False), (KEYS[2], False), (KEYS[1], True), (KEYS[2], True),
        (KEYS[3], False), (KEYS[3], True),
        (KEYS[4], False), (KEYS[4], True),
    ]  # fmt: skip


def test_a_message_is_read_as_it_was_stored(store: LedgerStore) -> None:
    run_flow(store, WordyPerformer(), at=60.0)
    request, reply = (parse_row(row).message for row in read_rows(store)[:2])

    assert (request.sender, request.recipient, request.confidence) == (ORCHESTRATOR, ATHENA, None)
    assert (reply.sender, reply.confidence, reply.timestamp) == (ATHENA, 0.9, "1970-01-01T00:01:00+00:00")
    assert reply.content.dependencies == (request.message_id,)
    assert reply.metadata.agent_version == "one p"


@pytest.mark.parametrize("key", KEYS)
def test_a_run_that_fails_and_continues_has_the_same_messages(
    key: str, store: LedgerStore, tmp_path: Path
) -> None:
    def fail(ask: Ask) -> None:
        if ask.key == key:
            raise OSError(ask.key)

    with pytest.raises(OSError, match=key):
        run_flow(store, WordyPerformer(before=fail), at=1.0)
    run_flow(store, WordyPerformer(), at=100.0)

    assert drop_times(read_rows(store)) == run_reference(tmp_path)


def test_replies_that_arrive_in_another_order_have_the_same_messages(
    store: LedgerStore, tmp_path: Path
) -> None:
    class SlowPerformer(WordyPerformer):
        async def perform(self, ask: Ask) -> PerformedAsk:
            if ask.agent == NEWTON:
                await asyncio.sleep(0.05)
            return await super().perform(ask)

    run_flow(store, SlowPerformer())

    assert drop_times(read_rows(store)) == run_reference(tmp_path)


def load(store: LedgerStore, *, human: bool = False) -> list[MessageType]:
    timeline = load_messages(store, SCENARIO, partial(create_small_flow, human=human), vetoers=VETOERS)
    return [each.message.message_type for each in timeline.messages]


def load_without_times(store: LedgerStore) -> list[dict[str, object]]:
    timeline = load_messages(store, SCENARIO, create_small_flow, vetoers=VETOERS)
    return [each.message.model_dump(exclude={"timestamp"}) for each in timeline.messages]


def test_messages_of_a_ledger_without_the_table_are_rebuilt_from_its_answers(path: Path) -> None:
    with LedgerStore(path) as store:
        run_flow(store, WordyPerformer())
        expected = load_without_times(store)
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE messages")
    connection.close()

    with LedgerStore(path, read_only=True) as store:
        assert load_without_times(store) == expected
    assert len(expected) == 10


def test_a_run_that_an_earlier_version_began_gets_its_messages_when_it_continues(
    path: Path, tmp_path: Path
) -> None:
    def fail(ask: Ask) -> None:
        if ask.key == KEYS[3]:
            raise OSError(ask.key)

    with LedgerStore(path) as store, pytest.raises(OSError, match=KEYS[3]):
        run_flow(store, WordyPerformer(before=fail))
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE messages")
    connection.close()

    with LedgerStore(path) as store:
        run_flow(store, WordyPerformer(), at=100.0)
        assert drop_times(read_rows(store)) == run_reference(tmp_path)


def test_a_human_answer_is_a_message_before_the_run_continues(store: LedgerStore) -> None:
    run_flow(store, WordyPerformer(), human=True)
    assert read_rows(store)[-1].message_type == MessageType.ESCALATION
    ReviewDesk(store, FixedClock(5.0), "1.0").record_decision(SCENARIO, Ruling(text="It stays."))

    assert load(store, human=True)[-3:] == [
        MessageType.ESCALATION,
        MessageType.RESPONSE,
        MessageType.DELIVERABLE,
    ]
    before = drop_times(read_rows(store))
    run_flow(store, WordyPerformer(), at=100.0, human=True)
    assert drop_times(read_rows(store))[: len(before)] == before
    assert {row.sender for row in read_rows(store) if row.ask_key == HUMAN_KEY} == {ORCHESTRATOR, HUMAN}


class Guess(LabelledModel):
    text: Annotated[str, ContentLabel.NARRATIVE]
    confidence: Annotated[float | None, ContentLabel.ATHENA_CONFIDENCE] = None


def ask_for_guess() -> Flow[str]:
    reply = yield from request_answer(build_ask(ATHENA, Phase.SEED, "guess", [], Guess), Guess)
    return reply.text


class GuessingPerformer(PlainPerformer):
    def __init__(self, confidence: float | None) -> None:
        self.confidence = confidence

    async def perform(self, ask: Ask) -> PerformedAsk:
        return PerformedAsk(Guess(text=f"Perhaps {ask.key}", confidence=self.confidence))


def guess(store: LedgerStore, confidence: float | None, at: float) -> None:
    driver: Driver[str] = Driver(store, GuessingPerformer(confidence), FixedClock(at), f"runner {at}", "1.0")
    asyncio.run(run_and_accept(driver, ScenarioJob(SCENARIO, ask_for_guess)))


def test_a_reply_without_confidence_is_refused_kept_and_its_sender_told_why(store: LedgerStore) -> None:
    with pytest.raises(RefusedReplyError, match=r"needs a confidence from 0\.0 to 1\.0"):
        guess(store, None, at=1.0)
    _, refused, sentence = (parse_row(row) for row in read_rows(store))

    assert store.read_and_wait(partial(list_answers, scenario=SCENARIO)) == {}
    assert refused.disposition is Disposition.REFUSED
    assert (sentence.message.sender, sentence.message.recipient) == (ORCHESTRATOR, ATHENA)
    assert sentence.message.content.body == "Refused: a DELIVERABLE needs a confidence from 0.0 to 1.0."
    assert sentence.message.content.dependencies == (refused.message.message_id,)


def test_a_reply_after_a_refused_one_is_another_message(store: LedgerStore) -> None:
    with pytest.raises(RefusedReplyError):
        guess(store, None, at=1.0)
    guess(store, 0.7, at=100.0)

    assert [(row.sender, row.disposition) for row in read_rows(store)].count(
        (ATHENA, Disposition.ACCEPTED)
    ) == 1
    assert len(read_rows(store)) == 4
