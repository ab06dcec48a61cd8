"""The driver asks what the ledger does not hold, stops at humans, and lets no runner harm another."""

from __future__ import annotations

import asyncio
import pickle
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from impossible_moments.agents.adapters.performer import PerformedAsk
from impossible_moments.agents.orchestrator.flow import Ask, Flow
from impossible_moments.domain.vocabulary import ATHENA, NEWTON, Phase
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.ledger.answered_asks import list_answers, list_asks_in_progress
from impossible_moments.ledger.leases import (
    Lease,
    NewScenario,
    ScenarioClosing,
    ScenarioRow,
    ScenarioState,
    claim_scenario,
    enrol_scenario,
    get_scenario_row,
    release_still_lease,
    renew_lease,
)
from impossible_moments.ledger.store import LedgerStore
from impossible_moments.pipeline.ask_rounds import WrongReplyError
from impossible_moments.pipeline.clock import FixedClock
from impossible_moments.pipeline.concurrency import run_concurrently_with_limit, run_until_none_left
from impossible_moments.pipeline.driver import Driver, RunOutcome, ScenarioJob
from impossible_moments.pipeline.lease_errors import LeaseHeldError, LeaseLostError
from impossible_moments.pipeline.replay import (
    FlowChangedError,
    RepeatedAskError,
    UnrecordedAskError,
    replay_flow,
)
from support.small_flow import (
    HUMAN_KEY,
    KEYS,
    SCENARIO,
    Idea,
    WordyPerformer,
    build_ask,
    create_small_flow,
    run_and_accept,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LedgerStore]:
    with LedgerStore(tmp_path / "ledger.db") as opened:
        yield opened


def driver(store: LedgerStore, voice: WordyPerformer) -> Driver[str]:
    return Driver(store=store, performer=voice, clock=FixedClock(1000.0), owner="test", code_version="1.0")


def ran(store: LedgerStore, voice: WordyPerformer, flow: Flow[str] | None = None) -> RunOutcome[str]:
    made = flow or create_small_flow()
    return asyncio.run(run_and_accept(driver(store, voice), ScenarioJob(SCENARIO, lambda: made)))


def row(store: LedgerStore) -> ScenarioRow:
    found = store.read_and_wait(partial(get_scenario_row, scenario=SCENARIO))
    assert found is not None
    return found


def failing_in(*keys: str) -> WordyPerformer:
    def before(ask: Ask) -> None:
        if ask.key in keys:
            raise OSError(f"{ask.key} is out of reach")

    return WordyPerformer(before=before)


def test_every_ask_is_performed_once_and_the_scenario_accepted(store: LedgerStore) -> None:
    voice = WordyPerformer()

    assert (ran(store, voice).state, voice.performed) == (ScenarioState.ACCEPTED, list(KEYS))


def test_a_finished_scenario_is_replayed_and_nobody_is_asked(store: LedgerStore) -> None:
    first, voice = ran(store, WordyPerformer()), WordyPerformer("another")

    assert (ran(store, voice), voice.performed) == (first, [])


def test_an_answer_is_stored_with_what_it_took(store: LedgerStore) -> None:
    ran(store, WordyPerformer())
    answer = store.read_and_wait(partial(list_answers, scenario=SCENARIO))[KEYS[0]]

    assert (answer.model, answer.usage, answer.prompt_hash, answer.code_version, answer.answered_at) == (
        "one", {"tokens": 7}, "p", "1.0", 1000.0,
    )  # fmt: skip


def test_after_an_error_only_what_failed_and_what_follows_is_asked(store: LedgerStore) -> None:
    with pytest.raises(OSError, match="out of reach"):
        ran(store, failing_in(KEYS[1]))
    voice = WordyPerformer()
    ran(store, voice)

    assert voice.performed == [KEYS[1], *KEYS[3:]]


def test_a_failed_scenario_tells_its_error(store: LedgerStore) -> None:
    with pytest.raises(OSError, match="out of reach"):
        ran(store, failing_in(KEYS[1]))

    assert (row(store).state, row(store).reason) == (
        ScenarioState.FAILED,
        f"OSError: {KEYS[1]} is out of reach",
    )


def test_of_several_errors_in_a_round_none_is_forgotten(store: LedgerStore) -> None:
    with pytest.raises(OSError, match="NEWTON") as caught:
        ran(store, failing_in(KEYS[1], KEYS[2]))

    assert "EULER" in caught.value.__notes__[0]


def test_a_changed_assignment_is_refused_by_name_and_pays_nothing(store: LedgerStore) -> None:
    with pytest.raises(OSError, match="out of reach"):
        ran(store, failing_in(KEYS[3]))
    voice = WordyPerformer()

    def changed() -> Flow[str]:
        flow = create_small_flow()
        (first,) = next(flow)
        replies = yield (replace(first, assignment=replace(first.assignment, task="something else")),)
        asks = flow.send(replies)
        while True:
            asks = flow.send((yield asks))

    with pytest.raises(
        FlowChangedError,
        match=f"FLOW_CHANGED: {SCENARIO}: the ask {KEYS[0]} is not the question that was answered",
    ):
        ran(store, voice, changed())
    assert voice.performed == []


def test_an_answer_that_is_not_asked_for_any_more_is_refused(store: LedgerStore) -> None:
    with pytest.raises(OSError, match="out of reach"):
        ran(store, failing_in(KEYS[4]))

    def shortened() -> Flow[str]:
        replies = yield next(create_small_flow())
        return str(replies)

    with pytest.raises(FlowChangedError, match="is no longer asked"):
        ran(store, WordyPerformer(), shortened())


def test_a_key_is_asked_once(store: LedgerStore) -> None:
    def repeating() -> Flow[str]:
        again = build_ask(ATHENA, Phase.SEED, "idea", [], Idea)
        yield (again,)
        yield (again,)
        return ""

    with pytest.raises(RepeatedAskError, match="asked twice"):
        ran(store, WordyPerformer(), repeating())


def test_a_reply_of_another_kind_is_not_stored(store: LedgerStore) -> None:
    class Wrong(WordyPerformer):
        async def perform(self, ask: Ask) -> PerformedAsk:
            performed = await super().perform(ask)
            return performed if ask.agent != NEWTON else PerformedAsk(Idea(text="no report"))

    with pytest.raises(WrongReplyError, match="expected a Report, and a Idea was handed in"):
        ran(store, Wrong())
    assert KEYS[1] not in store.read_and_wait(partial(list_answers, scenario=SCENARIO))


def test_a_human_who_has_not_answered_suspends_the_scenario(store: LedgerStore) -> None:
    outcome = ran(store, WordyPerformer(), create_small_flow(human=True))

    assert (outcome.awaited, row(store).state, row(store).owner) == (
        (HUMAN_KEY,),
        ScenarioState.AWAITING_HUMAN,
        "",
    )


def test_a_scenario_that_awaits_a_human_is_not_claimed_by_workers(store: LedgerStore) -> None:
    ran(store, WordyPerformer(), create_small_flow(human=True))

    assert asyncio.run(driver(store, WordyPerformer()).claim_next_scenario()) is None


def test_a_living_runner_s_scenario_is_refused(store: LedgerStore) -> None:
    hold(store)
    voice = WordyPerformer()

    async def run_beside() -> None:
        renewing = asyncio.create_task(renew_repeatedly(store))
        try:
            await driver(store, voice).run_scenario(ScenarioJob(SCENARIO, create_small_flow))
        finally:
            renewing.cancel()

    with pytest.raises(LeaseHeldError, match="run by other"):
        asyncio.run(run_beside())
    assert voice.performed == []


def hold(store: LedgerStore) -> None:
    """Let another runner hold the scenario."""
    store.commit_and_wait(partial(enrol_scenario, scenario=SCENARIO, new=NewScenario("", 0.0)))
    store.commit_and_wait(partial(claim_scenario, scenario=SCENARIO, lease=Lease("other", 900.0)))


async def renew_repeatedly(store: LedgerStore) -> None:
    while True:
        await asyncio.sleep(0.02)
        await store.commit(partial(renew_lease, scenario=SCENARIO, owner="other"))


@pytest.mark.parametrize("now", [0.0, 1000.0, 4e9], ids=["behind", "alike", "ahead"])
def test_a_lease_is_taken_over_when_its_beat_stands_still_whatever_clocks_say(
    now: float, store: LedgerStore
) -> None:
    hold(store)
    late = replace(driver(store, WordyPerformer()), clock=FixedClock(now), lease_seconds=0.2)
    started = time.monotonic()
    outcome = asyncio.run(late.run_scenario(ScenarioJob(SCENARIO, create_small_flow)))

    assert outcome.result is not None
    assert time.monotonic() - started >= 0.2


def test_a_live_runner_keeps_its_lease_whatever_clocks_say(store: LedgerStore) -> None:
    hold(store)

    async def watch() -> tuple[ScenarioRow, ...]:
        renewing = asyncio.create_task(renew_repeatedly(store))
        ahead = replace(driver(store, WordyPerformer()), clock=FixedClock(4e9), lease_seconds=0.5)
        try:
            return await ahead.release_held_scenarios()
        finally:
            renewing.cancel()

    assert [(each.scenario, each.owner) for each in asyncio.run(watch())] == [(SCENARIO, "other")]
    assert row(store).owner == "other"


def test_a_runner_whose_scenario_was_taken_over_stops(store: LedgerStore) -> None:
    class Sleeping(WordyPerformer):
        async def perform(self, ask: Ask) -> PerformedAsk:
            store.commit_and_wait(partial(release_still_lease, row=row(store)))
            store.commit_and_wait(partial(claim_scenario, scenario=SCENARIO, lease=Lease("other", 9000.0)))
            await asyncio.sleep(60)
            return await super().perform(ask)

    slow = replace(driver(store, Sleeping()), lease_seconds=0.03)

    with pytest.raises(LeaseLostError, match="taken over"):
        asyncio.run(slow.run_scenario(ScenarioJob(SCENARIO, create_small_flow)))
    assert row(store).owner == "other"


def test_a_run_that_is_stopped_gives_its_lease_back(store: LedgerStore) -> None:
    class Sleeping(WordyPerformer):
        async def perform(self, ask: Ask) -> PerformedAsk:
            await asyncio.sleep(60)
            return await super().perform(ask)

    async def stopped() -> None:
        running = asyncio.create_task(
            driver(store, Sleeping()).run_scenario(ScenarioJob(SCENARIO, create_small_flow))
        )
        await asyncio.sleep(0.1)
        running.cancel()
        await asyncio.wait({running})

    asyncio.run(stopped())

    assert (row(store).state, row(store).owner) == (ScenarioState.RUNNING, "")


def test_an_ask_under_way_can_be_watched(store: LedgerStore) -> None:
    seen: list[str] = []

    class Watched(WordyPerformer):
        async def perform(self, ask: Ask) -> PerformedAsk:
            seen.extend(event.key for event in await store.read(list_asks_in_progress))
            return await super().perform(ask)

    ran(store, Watched())

    assert seen[0] == KEYS[0]


def test_pipelines_run_side_by_side_and_no_more_than_allowed(store: LedgerStore) -> None:
    running, most = 0, 0

    class Counting(WordyPerformer):
        async def perform(self, ask: Ask) -> PerformedAsk:
            nonlocal running, most
            running += ask.key != KEYS[2]  # two asks of one pipeline count once
            most = max(most, running)
            await asyncio.sleep(0.01)
            running -= ask.key != KEYS[2]
            return await super().perform(ask)

    jobs = [ScenarioJob(f"IM-{number}", create_small_flow) for number in range(6)]
    works = [partial(driver(store, Counting()).run_scenario, job) for job in jobs]
    outcomes = asyncio.run(run_concurrently_with_limit(works, at_once=3))

    assert (len({outcome.result for outcome in outcomes}), most) == (1, 3)


def test_a_worker_finishes_what_others_left(store: LedgerStore) -> None:
    for number in range(3):
        store.commit_and_wait(partial(enrol_scenario, scenario=f"IM-{number}", new=NewScenario("{}", 0.0)))
    store.commit_and_wait(partial(claim_scenario, scenario="IM-1", lease=Lease("dead", 900.0)))
    worker = replace(driver(store, WordyPerformer()), lease_seconds=0.1)
    assert asyncio.run(worker.release_held_scenarios()) == ()

    async def run_next() -> str | None:
        row = await worker.claim_next_scenario()
        return (
            None
            if row is None
            else (await worker.run_claimed_scenario(row.scenario, create_small_flow)).scenario
        )

    assert sorted(asyncio.run(run_until_none_left(run_next, at_once=2))) == ["IM-0", "IM-1", "IM-2"]


def test_a_flow_that_has_ended_is_running_until_its_scenario_is_closed(store: LedgerStore) -> None:
    outcome = asyncio.run(
        driver(store, WordyPerformer()).run_scenario(ScenarioJob(SCENARIO, create_small_flow))
    )

    assert (outcome.state, row(store).state, row(store).owner) == (
        ScenarioState.RUNNING,
        ScenarioState.RUNNING,
        "test",
    )


def test_what_ended_and_was_not_closed_is_handed_to_the_next_runner_and_nobody_is_asked(
    store: LedgerStore,
) -> None:
    first = asyncio.run(
        driver(store, WordyPerformer()).run_scenario(ScenarioJob(SCENARIO, create_small_flow))
    )
    voice = WordyPerformer("another")
    later = replace(driver(store, voice), owner="next", lease_seconds=0.1)
    again = asyncio.run(later.run_scenario(ScenarioJob(SCENARIO, create_small_flow)))

    assert (again, voice.performed) == (first, [])


def test_every_ask_is_reported_before_it_is_performed(store: LedgerStore) -> None:
    voice, reported = WordyPerformer(), list[tuple[str, int]]()
    watched = replace(
        driver(store, voice), on_ask=lambda ask: reported.append((ask.key, len(voice.performed)))
    )
    asyncio.run(watched.run_scenario(ScenarioJob(SCENARIO, create_small_flow)))

    assert [key for key, _ in reported] == list(KEYS)
    assert all(KEYS[done] == key for key, done in reported if key not in KEYS[1:3])


def test_the_ledger_holds_how_a_scenario_was_closed(store: LedgerStore) -> None:
    closing = ScenarioClosing(ScenarioState.DISCARDED, "VALIDATE", "a human chose DISCARD")

    async def run_and_close() -> None:
        runner = driver(store, WordyPerformer())
        await runner.run_scenario(ScenarioJob(SCENARIO, create_small_flow))
        await runner.close_scenario(SCENARIO, closing)

    asyncio.run(run_and_close())

    assert ScenarioClosing(row(store).state, row(store).phase, row(store).reason) == closing


def test_a_run_and_its_replay_have_the_same_result(store: LedgerStore) -> None:
    assert ran(store, WordyPerformer()).result == replay_flow(store, SCENARIO, create_small_flow())


# fmt: off
ERRORS = [
    FlowChangedError("IM-1", "key", "is gone", "1.0"), RepeatedAskError("IM-1", "key"), UnrecordedAskError("IM-1", "key"),
    WrongReplyError("key", "Idea", "a Report"), LeaseHeldError("IM-1", "other"), LeaseLostError("IM-1"),
]
# fmt: on


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_is_plain_data(error: ImpossibleMomentsError) -> None:
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301 - our own bytes
