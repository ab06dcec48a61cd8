"""The kinds of records in a folder of scenarios: ordinary ones, whose plans are executed, and uncertain worlds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from impossible_moments.mechanics.records import load_document
from impossible_moments.mechanics.uncertain import is_uncertain_record
from impossible_moments.scenarios import Scenario

FILE: Final = "{}_mechanics.json"


def is_uncertain_scenario(folder: Path, scenario_id: str) -> bool:
    """Return whether the record of a scenario is an uncertain one. A scenario without a record is not."""
    path = folder / FILE.format(scenario_id)
    return path.is_file() and is_uncertain_record(load_document(path))


def split_scenarios(
    scenarios: Sequence[Scenario], folder: Path
) -> tuple[tuple[Scenario, ...], tuple[Scenario, ...]]:
    """Return the scenarios with ordinary records, and those with uncertain ones."""
    uncertain = tuple(each for each in scenarios if is_uncertain_scenario(folder, each.scenario_id))
    return tuple(each for each in scenarios if each not in uncertain), uncertain
