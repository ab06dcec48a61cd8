"""Humans see what waits for them and decide once; the scenario then goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.leases import State, scenario_of
from impossible_moments.ledger.ledger import answers_of
from impossible_moments.ledger.store import Store
from impossible_moments.runtime.clock import FixedClock
from impossible_moments.runtime.driver import Driver, Job, Outcome
from impossible_moments.runtime.review_desk import ReviewDesk
from small_flow import HUMAN_KEY, KEYS, SCENARIO, Idea, Ruling, Voice, small_flow

HOUR = 3600.0


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "ledger.db") as opened:
        run(opened, Voice(), at=0.0)
        yield opened


def run(store: Store, voice: Voice, *, at: float) -> Outcome[str]:
    driver: Driver[str] = Driver(store, voice, FixedClock(at), "test", "1.0")
    return asyncio.run(driver.run(Job(SCENARIO, partial(small_flow, human=True))))


def desk(store: Store, *, at: float = 0.0) -> ReviewDesk:
    return ReviewDesk(store, FixedClock(at), "1.0")


def test_an_open_question_is_listed_with_its_task(store: Store) -> None:
    assert [(each.scenario, each.key, each.task) for each in desk(store).pending()] == [
        (SCENARIO, HUMAN_KEY, "say something of escalation")
    ]


def test_a_question_is_due_in_48_hours(store: Store) -> None:
    assert desk(store).show(SCENARIO).due_at == 48 * HOUR


@pytest.mark.parametrize(("hours", "overdue"), [(48, False), (49, True)])
def test_a_question_is_overdue_after_its_time(store: Store, hours: int, overdue: bool) -> None:  # noqa: FBT001 - a case
    assert desk(store, at=hours * HOUR).show(SCENARIO).overdue is overdue


def test_running_again_without_an_answer_does_not_give_more_time(store: Store) -> None:
    run(store, Voice(), at=24 * HOUR)

    assert desk(store).show(SCENARIO).due_at == 48 * HOUR


def test_a_decision_lets_the_scenario_go_on(store: Store) -> None:
    desk(store, at=HOUR).decide(SCENARIO, Ruling(text="go on"))
    row = store.read_now(partial(scenario_of, scenario=SCENARIO))

    assert row is not None
    assert row.state is State.RUNNING


def test_after_a_decision_only_the_rest_is_asked(store: Store) -> None:
    desk(store, at=HOUR).decide(SCENARIO, Ruling(text="go on"))
    voice = Voice()
    outcome = run(store, voice, at=2 * HOUR)

    assert (outcome.state, voice.performed) == (State.ACCEPTED, [KEYS[4]])


def test_a_decision_is_the_answer_of_its_ask(store: Store) -> None:
    desk(store, at=HOUR).decide(SCENARIO, Ruling(text="go on"))
    answer = store.read_now(partial(answers_of, scenario=SCENARIO))[HUMAN_KEY]

    assert (answer.model, answer.reply, answer.answered_at) == ("HUMAN", b'{"text":"go on"}', HOUR)


def test_a_question_is_answered_once(store: Store) -> None:
    desk(store).decide(SCENARIO, Ruling(text="go on"))

    with pytest.raises(ConfigurationError, match=f"{SCENARIO} has no open review"):
        desk(store).decide(SCENARIO, Ruling(text="stop"))


def test_of_two_decisions_at_once_the_first_is_final(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    late = desk(store)
    question = late._question(SCENARIO, None)
    desk(store).decide(SCENARIO, Ruling(text="go on"))
    monkeypatch.setattr(ReviewDesk, "_question", lambda *_: question)

    with pytest.raises(ConfigurationError, match="already been answered"):
        late.decide(SCENARIO, Ruling(text="stop"))


def test_an_answer_of_another_kind_is_refused(store: Store) -> None:
    with pytest.raises(ConfigurationError, match="expects a Ruling, and a Idea was given"):
        desk(store).decide(SCENARIO, Idea(text="go on"))


def test_a_question_that_does_not_exist_is_refused_with_those_that_do(store: Store) -> None:
    with pytest.raises(ConfigurationError, match=f"Its open reviews: {HUMAN_KEY}"):
        desk(store).show(SCENARIO, "other")
