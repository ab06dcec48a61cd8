"""A scenario is published before the ledger calls it finished, and one that fails leaves the others alone."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.ledger.leases import ScenarioRow, ScenarioState, get_scenario_row
from impossible_moments.ledger.store import LedgerStore
from impossible_moments.pipeline.ledger_places import LEDGER
from impossible_moments.scenarios import ScenarioDocuments
from impossible_moments.scenarios.registry import ScenarioRegistry
from support.dossiers import BRIEF
from support.scripted_runs import build_pipeline, list_performed_asks, make_obliging_player


def row(folder: Path) -> ScenarioRow:
    with LedgerStore(folder / LEDGER) as store:
        found = store.read_and_wait(partial(get_scenario_row, scenario=BRIEF.scenario_id))
    assert found is not None
    return found


def test_a_scenario_is_published_before_the_ledger_calls_it_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[ScenarioState] = []
    publish = ScenarioRegistry.publish

    def watch(registry: ScenarioRegistry, documents: ScenarioDocuments, **options: Any) -> object:
        seen.append(row(tmp_path).state)
        return publish(registry, documents, **options)

    monkeypatch.setattr(ScenarioRegistry, "publish", watch)
    build_pipeline(tmp_path).generate(BRIEF)

    assert (seen, row(tmp_path).state) == ([ScenarioState.RUNNING], ScenarioState.ACCEPTED)


def test_a_publication_that_fails_is_made_good_by_the_next_run_and_nobody_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_given: object, **_options: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(ScenarioRegistry, "publish", refuse)
        (result,) = build_pipeline(tmp_path).generate_all([BRIEF])
    failed, before = row(tmp_path), list_performed_asks(tmp_path)
    (resumed,) = build_pipeline(tmp_path).resume(failed={BRIEF.scenario_id})

    assert (result.state, failed.state, failed.reason) == (
        ScenarioState.FAILED,
        ScenarioState.FAILED,
        "OSError: the disk is full",
    )
    assert (resumed.state, list_performed_asks(tmp_path)) == (ScenarioState.ACCEPTED, before)


def test_one_scenario_that_fails_leaves_the_others_alone(tmp_path: Path) -> None:
    play = make_obliging_player()

    def answer(ask: Ask) -> LabelledModel:
        if ask.assignment.scenario_id == "IM-0999":
            raise ZeroDivisionError("by accident")
        return play(ask)

    other = BRIEF.model_copy(update={"scenario_id": "IM-0999"})
    results = build_pipeline(tmp_path, answer).generate_all([other, BRIEF])

    assert [each.state for each in results] == [ScenarioState.FAILED, ScenarioState.ACCEPTED]
    assert isinstance(results[0].error, ZeroDivisionError)
