"""One runner at a time, the most urgent scenario first, and a dead runner's work for the next one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.database import LedgerLocation
from impossible_moments.ledger.leases import (
    Lease,
    NewScenario,
    ScenarioClosing,
    ScenarioRow,
    ScenarioState,
    claim_next_scenario,
    claim_scenario,
    close_scenario,
    enrol_scenario,
    get_scenario_row,
    list_held_scenarios,
    list_runs_of_brief,
    list_scenario_rows,
    release_lease,
    release_leases_of_runners,
    release_still_lease,
    renew_lease,
)
from impossible_moments.ledger.store import LedgerStore

EARLY, LATE = Lease("early", now=100.0), Lease("late", now=131.0)


@pytest.fixture
def store(ledger_location: LedgerLocation) -> Iterator[LedgerStore]:
    with LedgerStore(ledger_location) as opened:
        yield opened


def enrolled(store: LedgerStore, name: str, *, priority: int = 0, now: float = 0.0) -> None:
    store.commit_and_wait(partial(enrol_scenario, scenario=name, new=NewScenario("{}", now, priority)))


def taken_over(store: LedgerStore, name: str) -> None:
    """Give the lease of a scenario to the late runner, after its beat was seen to stand still."""
    assert store.commit_and_wait(partial(release_still_lease, row=row(store, name)))
    store.commit_and_wait(partial(claim_next_scenario, lease=LATE))


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
        store.commit_and_wait(partial(claim_scenario, scenario="a", lease=Lease("other", now=1e12))) is None
    )


def test_a_lease_whose_beat_stands_still_is_given_back(store: LedgerStore) -> None:
    enrolled(store, "a")
    store.commit_and_wait(partial(claim_next_scenario, lease=EARLY))
    taken_over(store, "a")

    assert row(store, "a").owner == "late"


def test_a_lease_that_was_renewed_meanwhile_is_not_given_back(store: LedgerStore) -> None:
    enrolled(store, "a")
    store.commit_and_wait(partial(claim_next_scenario, lease=EARLY))
    seen = row(store, "a")
    store.commit_and_wait(partial(renew_lease, scenario="a", owner="early"))

    assert not store.commit_and_wait(partial(release_still_lease, row=seen))
    assert row(store, "a").owner == "early"


def test_the_leases_of_a_runner_that_is_gone_are_given_back_and_no_others(store: LedgerStore) -> None:
    for name, lease in (("a", EARLY), ("b", LATE)):
        enrolled(store, name)
        store.commit_and_wait(partial(claim_scenario, scenario=name, lease=lease))
    gone = partial(release_leases_of_runners, is_gone=lambda owner: owner == "early")
    store.commit_and_wait(gone)

    assert [each.scenario for each in store.read_and_wait(list_held_scenarios)] == ["b"]


def test_only_scenarios_of_the_wanted_cast_are_claimed(store: LedgerStore) -> None:
    for name, performers in (("a", "one"), ("b", "another")):
        new = NewScenario("{}", 0.0, performers=performers)
        store.commit_and_wait(partial(enrol_scenario, scenario=name, new=new))
    claimed = store.commit_and_wait(partial(claim_next_scenario, lease=EARLY, performers="another"))

    assert claimed is not None
    assert claimed.scenario == "b"
    assert store.commit_and_wait(partial(claim_next_scenario, lease=EARLY, performers="another")) is None


def test_the_runs_of_a_brief_are_found_by_its_content(store: LedgerStore) -> None:
    briefs = {
        "IM-0002": '{"seed": 1, "scenario_id": "IM-0002"}',
        "IM-0001": '{"scenario_id": "IM-0001", "seed": 1}',
        "IM-0003": '{"seed": 2, "scenario_id": "IM-0003"}',
    }
    for name, brief in briefs.items():
        store.commit_and_wait(partial(enrol_scenario, scenario=name, new=NewScenario(brief, 0.0)))
    found = store.read_and_wait(partial(list_runs_of_brief, brief='{"seed": 1}'))

    assert [each.scenario for each in found] == ["IM-0001", "IM-0002"]
    assert store.read_and_wait(partial(list_runs_of_brief, brief="")) == ()


def test_a_slow_runner_does_not_take_over_from_itself(store: LedgerStore) -> None:
    enrolled(store, "a")
    store.commit_and_wait(partial(claim_next_scenario, lease=EARLY))

    assert store.commit_and_wait(partial(claim_next_scenario, lease=replace(LATE, owner="early"))) is None


def test_a_runner_that_was_replaced_cannot_renew(store: LedgerStore) -> None:
    enrolled(store, "a")
    store.commit_and_wait(partial(claim_next_scenario, lease=EARLY))
    taken_over(store, "a")

    assert not store.commit_and_wait(partial(renew_lease, scenario="a", owner="early"))


def test_a_runner_that_was_replaced_does_not_close_the_scenario(store: LedgerStore) -> None:
    enrolled(store, "a")
    store.commit_and_wait(partial(claim_next_scenario, lease=EARLY))
    taken_over(store, "a")
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
        store.commit_and_wait(partial(enrol_scenario, scenario="a", new=NewScenario("{1}", 0.0)))


def test_all_scenarios_are_listed_by_name(store: LedgerStore) -> None:
    enrolled(store, "b")
    enrolled(store, "a")

    assert [each.scenario for each in store.read_and_wait(list_scenario_rows)] == ["a", "b"]
