"""Retired scenarios: taken out of the set because they leaked or were wrong, and recorded with the reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.records import DocumentError, load_document
from impossible_moments.scenarios import ScenarioMetadata, ScenarioRegistry, write_file_atomically

RETIRED_FILE: Final = "retired.json"
RETIRED_FOLDER: Final = "retired"


class RetiredScenario(BaseModel):
    """A retired scenario: what it was, and why it was retired."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    scenario_id: str
    name: str
    category: str
    tier: str
    status: str
    canary: str
    reason: str


class RetiredList(BaseModel):
    """The file of all retired scenarios of a folder."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["im-retired/1"] = "im-retired/1"
    scenarios: tuple[RetiredScenario, ...] = ()


def load_retired_scenarios(folder: Path) -> tuple[RetiredScenario, ...]:
    """Return the retired scenarios of a folder."""
    path = folder / RETIRED_FILE
    if not path.exists():
        return ()
    try:
        return RetiredList.model_validate(load_document(path)).scenarios
    except (DocumentError, ValidationError) as problem:
        first = str(problem).partition("\n")[0]
        raise ConfigurationError(
            f"Cannot read {path} ({first}). Only this program writes it; restore the file."
        ) from None


def retire_scenario(registry: ScenarioRegistry, name: str, reason: str) -> RetiredScenario:
    """Take a scenario out of the set, move its files to `retired`, and record the reason.

    Its number is not used again. A production run with the same targets then makes a replacement.
    Raise `ConfigurationError` if the scenario is not published or no reason is given.
    """
    if not reason.strip():
        raise ConfigurationError(
            "A reason is needed: write what happened, for example --reason 'published on a forum'."
        )
    earlier = load_retired_scenarios(registry.folder)
    entry = registry.remove_entry(name, RETIRED_FOLDER)
    retired = _describe_retired(entry, reason.strip())
    kept = tuple(each for each in earlier if each.scenario_id != name)
    data = RetiredList(scenarios=(*kept, retired)).model_dump(mode="json")
    write_file_atomically(
        registry.folder / RETIRED_FILE, json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    )
    return retired


def _describe_retired(entry: ScenarioMetadata, reason: str) -> RetiredScenario:
    return RetiredScenario(
        scenario_id=entry.scenario_id,
        name=entry.name,
        category=entry.category,
        tier=entry.tier,
        status=entry.status,
        canary=entry.canary,
        reason=reason,
    )
