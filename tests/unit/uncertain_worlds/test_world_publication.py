"""Publication of uncertain worlds: the usual folder, the gates that apply, and no world twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from impossible_moments.mechanics.records import load_document
from impossible_moments.mechanics.uncertain import UncertainWorld, measure_world, parse_uncertain_record
from impossible_moments.scenarios import ClockReadings, RefusedPublication, Scenario, ScenarioRegistry
from impossible_moments.uncertain_worlds import GeneratedWorld, generate_world, load_families, publish_world
from impossible_moments.uncertain_worlds.difficulty_profile import score_by_steps

STAMPS = ClockReadings(created="2026-01-01T00:00:00+00:00", missing="no pipeline")


def generate() -> GeneratedWorld:
    return generate_world(load_families()["unknown_poison"], "field_station", 1)


def test_a_world_is_published_with_all_documents(tmp_path: Path) -> None:
    found = generate()
    documents = publish_world(found, tmp_path, seed=1, stamps=STAMPS)
    (scenario,) = Scenario.load_directory(tmp_path)
    record = parse_uncertain_record(load_document(tmp_path / "evaluation/IM-0001_mechanics.json"))

    assert record == found.world.record
    assert all(part in scenario.blind for part in found.text.sections if part != found.text.acts)
    assert "COLLECT" in scenario.blind
    # the value of the optimum is for the evaluation document alone
    optimum = f"{float(found.measures.optimum):.4f}"
    assert optimum not in documents.public
    assert optimum in documents.evaluation
    entry = ScenarioRegistry(tmp_path).entries["IM-0001"]
    assert (entry.seed, entry.status, entry.tier) == (1, "KS", scenario.tier)
    assert (tmp_path / "traces/IM-0001_trace.md").is_file()


def test_the_same_world_is_not_published_twice(tmp_path: Path) -> None:
    first = publish_world(generate(), tmp_path, seed=1, stamps=STAMPS)
    later = ClockReadings(created="2027-01-01T00:00:00+00:00", missing="no pipeline")
    again = publish_world(generate(), tmp_path, seed=1, stamps=later)

    assert again.metadata.scenario_id == first.metadata.scenario_id == "IM-0001"
    assert list(ScenarioRegistry(tmp_path).entries) == ["IM-0001"]


def test_a_reserved_identifier_is_not_used(tmp_path: Path) -> None:
    documents = publish_world(generate(), tmp_path, seed=1, stamps=STAMPS, reserved={"IM-0004"})

    assert documents.metadata.scenario_id == "IM-0005"


def test_a_world_that_lookahead_solves_is_refused(tmp_path: Path) -> None:
    found = generate()
    data = found.world.record.model_dump(mode="json")
    data["acts"]["GIVE-BROAD"]["cases"][0]["results"][0]["chance"] = 0.9
    easy = UncertainWorld(parse_uncertain_record(data))

    with pytest.raises(RefusedPublication, match="above one-step lookahead"):
        publish_world(
            replace(found, world=easy, measures=measure_world(easy)), tmp_path, seed=1, stamps=STAMPS
        )
    assert not (tmp_path / "public").exists()


def test_a_text_that_differs_from_its_record_is_refused(tmp_path: Path) -> None:
    found = generate()
    text = replace(found.text, unknown=found.text.unknown.replace("0.", "0.9", 1))

    with pytest.raises(RefusedPublication, match="does not give the published text again"):
        publish_world(replace(found, text=text), tmp_path, seed=1, stamps=STAMPS)


def test_scores_follow_their_steps() -> None:
    steps = (0.08, 0.12, 0.2, 0.3)

    assert [score_by_steps(value, steps) for value in (0, 0.08, 0.15, 0.29, 0.5)] == [1, 2, 3, 4, 5]
