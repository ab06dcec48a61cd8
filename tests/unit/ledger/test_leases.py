"""One runner at a time, the most urgent scenario first, and a dead runner's work for the next one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.leases import (
    Closing,
    Lease,
    Scenario,
    State,
    claim,
    claim_next,
    close,
    enrol,
    release,
    renew,
    scenario_of,
    scenarios,
)
from impossible_moments.ledger.store import Store

EARLY, LATE = Lease("early", now=100.0, until=130.0), Lease("late", now=131.0, until=161.0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "ledger.db") as opened:
        yield opened


def enrolled(store: Store, name: str, *, priority: int = 0, now: float = 0.0) -> None:
    store.now(partial(enrol, scenario=name, brief="{}", priority=priority, now=now))


def row(store: Store, name: str) -> Scenario:
    found = store.read_now(partial(scenario_of, scenario=name))
    assert found is not None
    return found


def test_the_most_urgent_scenario_is_claimed_first_and_then_the_oldest(store: Store) -> None:
    enrolled(store, "young", now=2.0)
    enrolled(store, "old", now=1.0)
    enrolled(store, "urgent", priority=1, now=3.0)

    claimed = [store.now(partial(claim_next, lease=EARLY)) for _ in range(4)]

    assert [each and each.scenario for each in claimed] == ["urgent", "old", "young", None]


def test_a_leased_scenario_is_not_claimed_again(store: Store) -> None:
    enrolled(store, "a")
    store.now(partial(claim, scenario="a", lease=EARLY))

    assert store.now(partial(claim, scenario="a", lease=Lease("other", now=129.0, until=160.0))) is None


def test_a_lease_that_ended_is_taken_over(store: Store) -> None:
    enrolled(store, "a")
    store.now(partial(claim_next, lease=EARLY))
    store.now(partial(claim_next, lease=LATE))

    assert row(store, "a").owner == "late"


def test_a_slow_runner_does_not_take_over_from_itself(store: Store) -> None:
    enrolled(store, "a")
    store.now(partial(claim_next, lease=EARLY))

    assert store.now(partial(claim_next, lease=replace(LATE, owner="early"))) is None


def test_a_runner_that_was_replaced_cannot_renew(store: Store) -> None:
    enrolled(store, "a")
    store.now(partial(claim_next, lease=EARLY))
    store.now(partial(claim_next, lease=LATE))

    assert not store.now(partial(renew, scenario="a", lease=EARLY))


def test_a_runner_that_was_replaced_does_not_close_the_scenario(store: Store) -> None:
    enrolled(store, "a")
    store.now(partial(claim_next, lease=EARLY))
    store.now(partial(claim_next, lease=LATE))
    store.now(partial(close, scenario="a", owner="early", closing=Closing(State.FAILED), now=132.0))

    assert row(store, "a").state is State.RUNNING


def test_a_released_scenario_can_be_claimed_at_once(store: Store) -> None:
    enrolled(store, "a")
    store.now(partial(claim, scenario="a", lease=EARLY))
    store.now(partial(release, scenario="a", owner="early"))

    assert store.now(partial(claim_next, lease=EARLY)) is not None


def test_a_discarded_scenario_tells_phase_and_reason(store: Store) -> None:
    enrolled(store, "a")
    store.now(partial(claim, scenario="a", lease=EARLY))
    closing = Closing(State.DISCARDED, "VALIDATE", "it cannot be done")
    store.now(partial(close, scenario="a", owner="early", closing=closing, now=1.0))

    found = row(store, "a")
    assert Closing(found.state, found.phase, found.reason) == closing


@pytest.mark.parametrize("state", [State.ACCEPTED, State.DISCARDED])
def test_a_finished_scenario_is_not_claimed(store: Store, state: State) -> None:
    enrolled(store, "a")
    store.now(partial(claim, scenario="a", lease=EARLY))
    store.now(partial(close, scenario="a", owner="early", closing=Closing(state), now=1.0))

    assert store.now(partial(claim, scenario="a", lease=LATE)) is None


def test_a_failed_scenario_is_tried_again_only_by_name(store: Store) -> None:
    enrolled(store, "a")
    store.now(partial(claim, scenario="a", lease=EARLY))
    store.now(partial(close, scenario="a", owner="early", closing=Closing(State.FAILED), now=1.0))

    assert store.now(partial(claim_next, lease=LATE)) is None
    assert store.now(partial(claim, scenario="a", lease=LATE)) is not None


def test_a_scenario_keeps_the_brief_it_was_begun_with(store: Store) -> None:
    enrolled(store, "a")

    with pytest.raises(ConfigurationError, match="another brief"):
        store.now(partial(enrol, scenario="a", brief="{1}", priority=0, now=0.0))


def test_all_scenarios_are_listed_by_name(store: Store) -> None:
    enrolled(store, "b")
    enrolled(store, "a")

    assert [each.scenario for each in store.read_now(scenarios)] == ["a", "b"]
