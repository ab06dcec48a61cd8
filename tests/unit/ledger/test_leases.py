"""One runner at a time, the most urgent scenario first, and a dead runner's work for the next one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.leases import (
    Lease,
    ScenarioClosing,
    ScenarioRow,
    ScenarioState,
    claim_next_scenario,
    claim_scenario,
    close_scenario,
    enrol_scenario,
    get_scenario_row,
    list_scenario_rows,
    release_lease,
    renew_lease,
)
from impossible_moments.ledger.store import LedgerStore

EARLY, LATE = Lease("early", now=100.0, until=130.0), Lease("late", now=131.0, until=161.0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LedgerStore]:
    with LedgerStore(tmp_path / "ledger.db") as opened:
        yield opened


def enrolled(store: LedgerStore, name: str, *, priority: int = 0, now: float = 0.0) -> None:
    store.commit_and_wait(partial(enrol_scenario, scenario=name, brief="{}", priority=priority, now=now))


def row(store: LedgerStore, name: str) -> ScenarioRow:
    found = store.read_and_wait(partial(get_scenario_row, scenario=name))
    assert found is not None
    return found


def test_the_most_urgent_scenario_is_claimed_first_and_then_the_oldest(store: LedgerStore) -> None:
    enrolled(store, "young", now=2.0)
    enrolled(store, "old", now=1.0)
    enrolled(store, "urgent", priority=1, now=3.0)

    claimed = [store.commit_and_wait(partial(claim_next_scenario, lease=EARLY)) for _ in range(4)]

    assert [each and each.scenario for each in claimed] == ["urgent", "old", "young", None]


def test_a_leased_scenario_is_not_claimed_again(store: LedgerStore) -> None:
    enrolled(store, "a")
    store.commit_and_wait(partial(claim_scenario, scenario="a", lease=EARLY))

    assert (
        store.commit_and_wait(
            partial(claim_scenario, scenario="a", lease=Lease("other", now=129.0, until=160.0))
        )
        is None
    )


def test_a_lease_that_ended_is_taken_over(store: LedgerStore) -> None:
    enrolled(store, "a")
    store.commit_and_wait(partial(claim_next_scenario, lease=EARLY))
    store.commit_and_wait(partial(claim_next_scenario, lease=LATE))

    assert row(store, "a").owner == "late"


def test_a_slow_runner_does_not_take_over_from_itself(store: LedgerStore) -> None:
    enrolled(store, "a")
    store.commit_and_wait(partial(claim_next_scenario, lease=EARLY))

    assert store.commit_and_wait(partial(claim_next_scenario, lease=replace(LATE, owner="early"))) is None


def test_a_runner_that_was_replaced_cannot_renew(store: LedgerStore) -> None:
    enrolled(store, "a")
    store.commit_and_wait(partial(claim_next_scenario, lease=EARLY))
    store.commit_and_wait(partial(claim_next_scenario, lease=LATE))

    assert not store.commit_and_wait(partial(renew_lease, scenario="a", lease=EARLY))


def test_a_runner_that_was_replaced_does_not_close_the_scenario(store: LedgerStore) -> None:
    enrolled(store, "a")
    store.commit_and_wait(partial(claim_next_scenario, lease=EARLY))
    store.commit_and_wait(partial(claim_next_scenario, lease=LATE))
    store.commit_and_wait(
        partial(
            close_scenario,
            scenario="a",
            owner="early",
            closing=ScenarioClosing(ScenarioState.FAILED),
            now=132.0,
        )
    )

    assert row(store, "a").state is ScenarioState.RUNNING


def test_a_released_scenario_can_be_claimed_at_once(store: LedgerStore) -> None:
    enrolled(store, "a")
    store.commit_and_wait(partial(claim_scenario, scenario="a", lease=EARLY))
    store.commit_and_wait(partial(release_lease, scenario="a", owner="early"))

    assert store.commit_and_wait(partial(claim_next_scenario, lease=EARLY)) is not None


def test_a_discarded_scenario_tells_phase_and_reason(store: LedgerStore) -> None:
    enrolled(store, "a")
    store.commit_and_wait(partial(claim_scenario, scenario="a", lease=EARLY))
    closing = ScenarioClosing(ScenarioState.DISCARDED, "VALIDATE", "it cannot be done")
    store.commit_and_wait(partial(close_scenario, scenario="a", owner="early", closing=closing, now=1.0))

    found = row(store, "a")
    assert ScenarioClosing(found.state, found.phase, found.reason) == closing


@pytest.mark.parametrize("state", [ScenarioState.ACCEPTED, ScenarioState.DISCARDED])
def test_a_finished_scenario_is_not_claimed(store: LedgerStore, state: ScenarioState) -> None:
    enrolled(store, "a")
    store.commit_and_wait(partial(claim_scenario, scenario="a", lease=EARLY))
    store.commit_and_wait(
        partial(close_scenario, scenario="a", owner="early", closing=ScenarioClosing(state), now=1.0)
    )

    assert store.commit_and_wait(partial(claim_scenario, scenario="a", lease=LATE)) is None


def test_a_failed_scenario_is_tried_again_only_by_name(store: LedgerStore) -> None:
    enrolled(store, "a")
    store.commit_and_wait(partial(claim_scenario, scenario="a", lease=EARLY))
    store.commit_and_wait(
        partial(
            close_scenario,
            scenario="a",
            owner="early",
            closing=ScenarioClosing(ScenarioState.FAILED),
            now=1.0,
        )
    )

    assert store.commit_and_wait(partial(claim_next_scenario, lease=LATE)) is None
    assert store.commit_and_wait(partial(claim_scenario, scenario="a", lease=LATE)) is not None


def test_a_scenario_keeps_the_brief_it_was_begun_with(store: LedgerStore) -> None:
    enrolled(store, "a")

    with pytest.raises(ConfigurationError, match="another brief"):
        store.commit_and_wait(partial(enrol_scenario, scenario="a", brief="{1}", priority=0, now=0.0))


def test_all_scenarios_are_listed_by_name(store: LedgerStore) -> None:
    enrolled(store, "b")
    enrolled(store, "a")

    assert [each.scenario for each in store.read_and_wait(list_scenario_rows)] == ["a", "b"]
