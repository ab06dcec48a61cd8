"""Hostile expressions get a sentence, quickly, wherever an expression may stand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hostile.expressions import EXPRESSIONS
from impossible_moments.cli.main import app
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.checks.record_check import verify_record
from impossible_moments.mechanics.records.documents import load_document
from support.processor_time import measure_least_seconds

RECORD = load_document(Path(__file__).parents[2] / "examples" / "blast_room.yaml")
MOST_SECONDS = 1.0


@pytest.mark.parametrize("name", EXPRESSIONS)
@pytest.mark.parametrize(
    "place", ["goal", "deadline", "condition", "effect", "rate", "never", "role", "quantity"]
)
def test_a_hostile_expression_is_refused_in_every_place_within_a_second(name: str, place: str) -> None:
    data = planted(EXPRESSIONS[name], place)
    report = verify_record(data, load_everyday_library())

    took = measure_least_seconds(lambda: verify_record(data, load_everyday_library()), enough=MOST_SECONDS)
    assert took < MOST_SECONDS
    assert report.findings.errors
    assert all(len(str(finding)) < 2_000 for finding in report.findings)


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_the_command_answers_a_hostile_expression_with_a_sentence_and_status_2(
    name: str, tmp_path: Path
) -> None:
    path = tmp_path / "record.json"
    path.write_text(json.dumps(planted(EXPRESSIONS[name], "goal")), encoding="utf-8")
    result = CliRunner().invoke(app, ["verify", str(path)])

    assert result.exit_code == 2
    assert result.stdout or result.stderr


def planted(text: str, place: str) -> dict[str, object]:
    """The example record with the text in one place."""
    data: dict[str, Any] = json.loads(json.dumps(RECORD))
    match place:
        case "goal" | "deadline":
            data[place] = text
        case "condition":
            data["actions"][1]["when"] = ["planted = " + text]
        case "effect":
            data["actions"][0]["then"] = ["table.placed = " + text]
        case "rate":
            data["quantities"] += "\n  level = 0[m] (0..1) state"
            data["rates"] = ["level = " + text]
        case "never":
            data["never"] = ["planted = " + text + " @ a red display"]
        case "role":
            data["roles"] = ["planted(o) = " + text]
        case _:
            data["quantities"] += "\n  planted = " + text.replace("\n", " ")
    return data
