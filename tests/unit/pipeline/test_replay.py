"""A replay asks nobody, and a fork goes on from where the flow changed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from impossible_moments.domain.vocabulary import ATHENA, Phase
from impossible_moments.ledger.leases import get_scenario_row
from impossible_moments.ledger.store import LedgerStore
from impossible_moments.pipeline.clock import FixedClock
from impossible_moments.pipeline.driver import Driver, ScenarioJob
from impossible_moments.pipeline.replay import (
    FlowChangedError,
    UnrecordedAskError,
    compute_assignment_hash,
    fork_scenario,
    replay_flow,
    require_ordered_assignment,
)
from support.small_flow import (
    KEYS,
    SCENARIO,
    Idea,
    Report,
    WordyPerformer,
    build_ask,
    create_small_flow,
    run_and_accept,
)

CLOCK = FixedClock(5.0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LedgerStore]:
    with LedgerStore(tmp_path / "ledger.db") as opened:
        run(opened, SCENARIO, WordyPerformer())
        yield opened


def run(store: LedgerStore, name: str, voice: WordyPerformer, validation: str = "report") -> str | None:
    driver: Driver[str] = Driver(store, voice, CLOCK, "test", "1.0")
    return asyncio.run(
        run_and_accept(driver, ScenarioJob(name, partial(create_small_flow, validation=validation)))
    ).result


def test_a_replay_stops_at_the_first_ask_without_an_answer(store: LedgerStore) -> None:
    with pytest.raises(UnrecordedAskError, match="VALIDATE/NEWTON/other"):
        replay_flow(store, SCENARIO, create_small_flow(validation="other"))


def test_a_fork_asks_again_from_the_named_round_on(store: LedgerStore) -> None:
    fork_scenario(store, SCENARIO, KEYS[1], name="IM-9001-b", clock=CLOCK)
    voice = WordyPerformer("two")
    run(store, "IM-9001-b", voice, validation="other")

    assert voice.performed == ["VALIDATE/NEWTON/other", "VALIDATE/EULER/other", *KEYS[3:]]


def test_a_fork_leaves_the_original_as_it_was(store: LedgerStore) -> None:
    before = replay_flow(store, SCENARIO, create_small_flow())
    fork_scenario(store, SCENARIO, KEYS[1], name="IM-9001-b", clock=CLOCK)
    run(store, "IM-9001-b", WordyPerformer("two"))

    assert replay_flow(store, SCENARIO, create_small_flow()) == before


def test_a_fork_remembers_where_it_comes_from(store: LedgerStore) -> None:
    fork_scenario(store, SCENARIO, KEYS[1], name="IM-9001-b", clock=CLOCK)
    row = store.read_and_wait(partial(get_scenario_row, scenario="IM-9001-b"))

    assert row is not None
    assert row.forked_from == f"{SCENARIO} {KEYS[1]}"


def test_an_answer_that_its_model_no_longer_reads_is_a_changed_flow(
    store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("support.small_flow.Idea", Report)

    with pytest.raises(FlowChangedError, match=KEYS[0]):
        replay_flow(store, SCENARIO, create_small_flow())


def test_an_assignment_without_an_order_is_refused_before_it_is_asked() -> None:
    ask = build_ask(ATHENA, Phase.SEED, "idea", [], Idea)
    unordered = replace(ask, assignment=replace(ask.assignment, context={"said": {"a", "b"}}))

    with pytest.raises(TypeError, match="sort unordered data"):
        require_ordered_assignment(unordered)


@pytest.mark.parametrize("change", [{"task": "other"}, {"context": {"said": ["x"]}}, {"token_budget": 2}])
def test_whatever_the_flow_decides_is_part_of_the_question(change: dict[str, object]) -> None:
    ask = build_ask(ATHENA, Phase.SEED, "idea", [], Idea)
    changed = replace(ask, assignment=replace(ask.assignment, **change))  # type: ignore[arg-type]  # one field at a time

    assert compute_assignment_hash(ask) != compute_assignment_hash(changed)
