"""The schemas of the deliverables: the packaged files are the golden copy."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from impossible_moments.agents.deliverables import (
    DELIVERABLES,
    PUBLISHED,
    VERSION,
    load_earlier_schemas,
    render_schemas,
)
from support.played_scenarios import build_scripted_answers

PATHS = [f"v{VERSION}/{name}.schema.json" for name in PUBLISHED]
FOLDER = Path(__file__).parents[3] / "src" / "impossible_moments" / "agents" / "schemas"
NAMED_IN_8_1 = (
    "message",
    "seed_document",
    "validation_report",
    "grounding_report",
    "classification_report",
    "agent_trace",
)


@pytest.mark.parametrize("path", PATHS)
def test_a_packaged_schema_is_the_one_the_code_has(path: str) -> None:
    written = (FOLDER / path).read_text(encoding="utf-8")

    assert written == render_schemas()[path], (
        "the form of a deliverable changed: give the schemas a new version (agents/deliverables.py) if the change breaks "
        "readers, run `im schema export DIR` and copy the version's folder"
    )


def test_no_packaged_schema_is_left_over() -> None:
    assert set(render_schemas()) == set(PATHS)
    assert {f"v{VERSION}/{path.name}" for path in (FOLDER / f"v{VERSION}").iterdir()} == set(render_schemas())


@pytest.mark.parametrize("name", NAMED_IN_8_1)
def test_every_schema_that_the_specification_names_is_published(name: str) -> None:
    assert name in PUBLISHED


@pytest.mark.parametrize("path", PATHS)
def test_a_schema_is_a_valid_schema(path: str) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(render_schemas()[path]))


@pytest.mark.parametrize("path", PATHS)
def test_a_schema_refuses_what_it_does_not_name(path: str) -> None:
    assert json.loads(render_schemas()[path])["additionalProperties"] is False


@pytest.mark.parametrize(
    "name", ["seed_document", "grounding_report", "classification_report", "agent_trace"]
)
def test_what_agents_hand_in_meets_its_schema(name: str) -> None:
    model = PUBLISHED[name]
    handed_in = next(each for each in build_scripted_answers().values() if type(each) is model)

    jsonschema.validate(
        handed_in.model_dump(mode="json"), json.loads(render_schemas()[f"v{VERSION}/{name}.schema.json"])
    )


def test_earlier_versions_are_kept_apart_from_the_present_one() -> None:
    assert not any(path.startswith(f"v{VERSION}/") for path in load_earlier_schemas())


def test_every_deliverable_can_be_found_by_the_name_of_its_model() -> None:
    assert {kind.__name__ for _, kind in build_scripted_answers()} <= set(DELIVERABLES)
