"""An answer is written once, read as it was written, and copied into a fork."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.leases import Lease, claim, enrol
from impossible_moments.ledger.ledger import (
    Answer,
    Event,
    EventKind,
    answers_of,
    copy_before,
    in_flight,
    note,
    record,
)
from impossible_moments.ledger.store import Store

ANSWER = Answer("k", 1, "hash", b'{"text": "yes"}', "Idea", {"tokens": 3}, "model", "prompt", "1.0", 1.5, 2.5)
STARTED = Event("a", "k", EventKind.STARTED, "runner", "", 5.0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "ledger.db") as opened:
        opened.now(partial(enrol, scenario="a", brief="{}", priority=0, now=0.0))
        opened.now(partial(claim, scenario="a", lease=Lease("runner", 0.0, 30.0)))
        yield opened


def test_an_answer_is_read_as_it_was_written(store: Store) -> None:
    store.now(partial(record, scenario="a", answer=ANSWER))

    assert store.read_now(partial(answers_of, scenario="a")) == {"k": ANSWER}


def test_the_first_answer_stays_and_the_second_runner_is_given_it(store: Store) -> None:
    store.now(partial(record, scenario="a", answer=ANSWER))

    assert store.now(partial(record, scenario="a", answer=replace(ANSWER, reply=b"{}"))) == ANSWER


def test_replies_are_stored_compressed(store: Store, tmp_path: Path) -> None:
    store.now(partial(record, scenario="a", answer=ANSWER))
    connection = sqlite3.connect(tmp_path / "ledger.db")
    ((kind, reply),) = connection.execute("SELECT typeof(reply), reply FROM answers").fetchall()
    connection.close()

    assert (kind, zlib.decompress(reply)) == ("blob", ANSWER.reply)


def test_a_started_ask_is_in_flight_until_it_is_answered(store: Store) -> None:
    store.now(partial(note, event=STARTED))
    before = store.read_now(partial(in_flight, now=10.0))
    store.now(partial(record, scenario="a", answer=ANSWER))

    assert (before, store.read_now(partial(in_flight, now=10.0))) == ((STARTED,), ())


def test_an_ask_that_failed_is_not_in_flight(store: Store) -> None:
    store.now(partial(note, event=STARTED))
    store.now(partial(note, event=replace(STARTED, kind=EventKind.FAILED, noted_at=6.0)))

    assert store.read_now(partial(in_flight, now=10.0)) == ()


def test_what_a_dead_runner_had_started_is_not_in_flight(store: Store) -> None:
    store.now(partial(note, event=STARTED))

    assert store.read_now(partial(in_flight, now=31.0)) == ()


def test_a_fork_begins_with_the_answers_of_the_rounds_before(store: Store) -> None:
    for key, number in (("first", 1), ("left", 2), ("right", 2), ("last", 3)):
        store.now(partial(record, scenario="a", answer=replace(ANSWER, key=key, round_number=number)))
    store.now(partial(copy_before, scenario="a", key="right", name="b", now=9.0))

    assert list(store.read_now(partial(answers_of, scenario="b"))) == ["first"]


def test_a_fork_needs_a_name_of_its_own(store: Store) -> None:
    store.now(partial(record, scenario="a", answer=ANSWER))

    with pytest.raises(ConfigurationError, match="A fork needs a new name"):
        store.now(partial(copy_before, scenario="a", key="k", name="a", now=9.0))


def test_nothing_is_forked_from_an_ask_without_an_answer(store: Store) -> None:
    with pytest.raises(ConfigurationError, match="no answer to 'nothing'"):
        store.now(partial(copy_before, scenario="a", key="nothing", name="b", now=9.0))
