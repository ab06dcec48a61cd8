"""Humans see what waits for them and decide once; the scenario then goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.answered_asks import list_answers
from impossible_moments.ledger.leases import ScenarioState, get_scenario_row
from impossible_moments.ledger.store import LedgerStore
from impossible_moments.pipeline.clock import FixedClock
from impossible_moments.pipeline.driver import Driver, RunOutcome, ScenarioJob
from impossible_moments.pipeline.review_desk import ReviewDesk
from support.small_flow import (
    HUMAN_KEY,
    KEYS,
    SCENARIO,
    Idea,
    Ruling,
    WordyPerformer,
    create_small_flow,
    run_and_accept,
)

HOUR = 3600.0


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LedgerStore]:
    with LedgerStore(tmp_path / "ledger.db") as opened:
        run(opened, WordyPerformer(), at=0.0)
        yield opened


def run(store: LedgerStore, voice: WordyPerformer, *, at: float) -> RunOutcome[str]:
    driver: Driver[str] = Driver(store, voice, FixedClock(at), "test", "1.0")
    return asyncio.run(run_and_accept(driver, ScenarioJob(SCENARIO, partial(create_small_flow, human=True))))


def desk(store: LedgerStore, *, at: float = 0.0) -> ReviewDesk:
    return ReviewDesk(store, FixedClock(at), "1.0")


def test_an_open_question_is_listed_with_its_task(store: LedgerStore) -> None:
    assert [(each.scenario, each.key, each.task) for each in desk(store).list_pending_reviews()] == [
        (SCENARIO, HUMAN_KEY, "say something of escalation")
    ]


def test_a_question_is_due_in_48_hours(store: LedgerStore) -> None:
    assert desk(store).get_review(SCENARIO).due_at == 48 * HOUR


@pytest.mark.parametrize(("hours", "overdue"), [(48, False), (49, True)])
def test_a_question_is_overdue_after_its_time(store: LedgerStore, hours: int, overdue: bool) -> None:  # noqa: FBT001 - a case
    assert desk(store, at=hours * HOUR).get_review(SCENARIO).overdue is overdue


def test_running_again_without_an_answer_does_not_give_more_time(store: LedgerStore) -> None:
    run(store, WordyPerformer(), at=24 * HOUR)

    assert desk(store).get_review(SCENARIO).due_at == 48 * HOUR


def test_a_decision_lets_the_scenario_go_on(store: LedgerStore) -> None:
    desk(store, at=HOUR).record_decision(SCENARIO, Ruling(text="go on"))
    row = store.read_and_wait(partial(get_scenario_row, scenario=SCENARIO))

    assert row is not None
    assert row.state is ScenarioState.RUNNING


def test_after_a_decision_only_the_rest_is_asked(store: LedgerStore) -> None:
    desk(store, at=HOUR).record_decision(SCENARIO, Ruling(text="go on"))
    voice = WordyPerformer()
    outcome = run(store, voice, at=2 * HOUR)

    assert (outcome.state, voice.performed) == (ScenarioState.ACCEPTED, [KEYS[4]])


def test_a_decision_is_the_answer_of_its_ask(store: LedgerStore) -> None:
    desk(store, at=HOUR).record_decision(SCENARIO, Ruling(text="go on"))
    answer = store.read_and_wait(partial(list_answers, scenario=SCENARIO))[HUMAN_KEY]

    assert (answer.model, answer.reply, answer.answered_at) == ("HUMAN", b'{"text":"go on"}', HOUR)


def test_a_question_is_answered_once(store: LedgerStore) -> None:
    desk(store).record_decision(SCENARIO, Ruling(text="go on"))

    with pytest.raises(ConfigurationError, match=f"{SCENARIO} has no open review"):
        desk(store).record_decision(SCENARIO, Ruling(text="stop"))


def test_of_two_decisions_at_once_the_first_is_final(
    store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = desk(store)
    question = late._find_question(SCENARIO, None)
    desk(store).record_decision(SCENARIO, Ruling(text="go on"))
    monkeypatch.setattr(ReviewDesk, "_find_question", lambda *_: question)

    with pytest.raises(ConfigurationError, match="already been answered"):
        late.record_decision(SCENARIO, Ruling(text="stop"))


def test_an_answer_of_another_kind_is_refused(store: LedgerStore) -> None:
    with pytest.raises(ConfigurationError, match="expects a Ruling, and a Idea was given"):
        desk(store).record_decision(SCENARIO, Idea(text="go on"))


def test_a_question_that_does_not_exist_is_refused_with_those_that_do(store: LedgerStore) -> None:
    with pytest.raises(ConfigurationError, match=f"Its open reviews: {HUMAN_KEY}"):
        desk(store).get_review(SCENARIO, "other")
