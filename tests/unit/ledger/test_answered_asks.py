"""An answer is written once, read as it was written, and copied into a fork."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.answered_asks import (
    AnsweredAsk,
    AskEvent,
    AskEventKind,
    copy_answers_of_earlier_rounds,
    list_answers,
    list_asks_in_progress,
    record_answer,
    record_ask_event,
)
from impossible_moments.ledger.database import LedgerLocation
from impossible_moments.ledger.leases import (
    Lease,
    NewScenario,
    claim_scenario,
    enrol_scenario,
    release_leases_of_runners,
)
from impossible_moments.ledger.store import LedgerStore

ANSWER = AnsweredAsk(
    "k", 1, "hash", b'{"text": "yes"}', "Idea", {"tokens": 3}, "model", "prompt", "1.0", 1.5, 2.5
)
STARTED = AskEvent("a", "k", AskEventKind.STARTED, "runner", "", 5.0)


@pytest.fixture
def store(ledger_location: LedgerLocation) -> Iterator[LedgerStore]:
    with LedgerStore(ledger_location) as opened:
        opened.commit_and_wait(partial(enrol_scenario, scenario="a", new=NewScenario("{}", 0.0)))
        opened.commit_and_wait(partial(claim_scenario, scenario="a", lease=Lease("runner", 0.0)))
        yield opened


def test_an_answer_is_read_as_it_was_written(store: LedgerStore) -> None:
    store.commit_and_wait(partial(record_answer, scenario="a", answer=ANSWER))

    assert store.read_and_wait(partial(list_answers, scenario="a")) == {"k": ANSWER}


def test_the_first_answer_stays_and_the_second_runner_is_given_it(store: LedgerStore) -> None:
    store.commit_and_wait(partial(record_answer, scenario="a", answer=ANSWER))

    assert (
        store.commit_and_wait(partial(record_answer, scenario="a", answer=replace(ANSWER, reply=b"{}")))
        == ANSWER
    )


def test_replies_are_stored_compressed(store: LedgerStore) -> None:
    store.commit_and_wait(partial(record_answer, scenario="a", answer=ANSWER))
    ((reply,),) = store.read_and_wait(lambda transaction: transaction.fetch_rows("SELECT reply FROM answers"))

    assert (type(reply), zlib.decompress(reply)) == (bytes, ANSWER.reply)


def test_a_started_ask_is_in_flight_until_it_is_answered(store: LedgerStore) -> None:
    store.commit_and_wait(partial(record_ask_event, event=STARTED))
    before = store.read_and_wait(list_asks_in_progress)
    store.commit_and_wait(partial(record_answer, scenario="a", answer=ANSWER))

    assert (before, store.read_and_wait(list_asks_in_progress)) == ((STARTED,), ())


def test_an_ask_that_failed_is_not_in_flight(store: LedgerStore) -> None:
    store.commit_and_wait(partial(record_ask_event, event=STARTED))
    store.commit_and_wait(
        partial(record_ask_event, event=replace(STARTED, kind=AskEventKind.FAILED, noted_at=6.0))
    )

    assert store.read_and_wait(list_asks_in_progress) == ()


def test_what_a_dead_runner_had_started_is_not_in_flight(store: LedgerStore) -> None:
    store.commit_and_wait(partial(record_ask_event, event=STARTED))
    store.commit_and_wait(partial(release_leases_of_runners, is_gone=lambda owner: owner == "runner"))

    assert store.read_and_wait(list_asks_in_progress) == ()


def test_a_fork_begins_with_the_answers_of_the_rounds_before(store: LedgerStore) -> None:
    for key, number in (("first", 1), ("left", 2), ("right", 2), ("last", 3)):
        store.commit_and_wait(
            partial(record_answer, scenario="a", answer=replace(ANSWER, key=key, round_number=number))
        )
    store.commit_and_wait(
        partial(copy_answers_of_earlier_rounds, scenario="a", key="right", name="b", now=9.0)
    )

    assert list(store.read_and_wait(partial(list_answers, scenario="b"))) == ["first"]


def test_a_fork_needs_a_name_of_its_own(store: LedgerStore) -> None:
    store.commit_and_wait(partial(record_answer, scenario="a", answer=ANSWER))

    with pytest.raises(ConfigurationError, match="A fork needs a new name"):
        store.commit_and_wait(
            partial(copy_answers_of_earlier_rounds, scenario="a", key="k", name="a", now=9.0)
        )


def test_nothing_is_forked_from_an_ask_without_an_answer(store: LedgerStore) -> None:
    with pytest.raises(ConfigurationError, match="no answer to the ask 'nothing'"):
        store.commit_and_wait(
            partial(copy_answers_of_earlier_rounds, scenario="a", key="nothing", name="b", now=9.0)
        )
