"""The content of a seed document by which the constraints of its brief are judged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from impossible_moments.agents.orchestrator.brief_constraints import OBJECTS, THREAT, ScenarioContent
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.library import find_materials_in_text, find_materials_of_row, load_everyday_objects

_PROPERTY: Final = re.compile(r"(?:^|[;\n])\s*(?P<name>[a-z_]+)\s*=\s*(?P<value>[^\s;@]+)")
_ABSENT: Final = frozenset({"false", "0"})


def collect_scenario_content(seed: SeedDocument) -> ScenarioContent:
    """Return the texts of a scenario by part, and the materials and properties of the things in its record."""
    scenario, record = seed.scenario, seed.mechanics
    return ScenarioContent(
        parts={
            "narrative": scenario.narrative,
            THREAT: scenario.threat,
            "position": scenario.position,
            "environment": " ".join(f"{row.feature} {row.specification}" for row in scenario.environment),
            OBJECTS: " ".join(f"{row.name} {row.material} {row.notes}" for row in scenario.objects),
            "record": " ".join(str(thing.get("label", "")) for thing in record.get("things") or ()),
        },
        materials=frozenset(_iterate_materials(seed)),
        properties=frozenset(_iterate_properties(record)),
        object_count=len(scenario.objects),
        has_deadline=bool(record.get("deadline")),
    )


def _iterate_materials(seed: SeedDocument) -> Iterator[str]:
    for row in seed.scenario.objects:
        yield from find_materials_in_text(row.material)
    for thing in seed.mechanics.get("things") or ():
        yield from find_materials_of_row(str(thing.get("like", "")))


def _iterate_properties(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of properties that are not false, of things in the record and of the rows they are like."""
    for thing in record.get("things") or ():
        props = thing.get("props") or ()
        like = load_everyday_objects().get(str(thing.get("like", "")))
        lines = [props] if isinstance(props, str) else [str(each) for each in props]
        for text in (*lines, "" if like is None else like.props):
            for found in _PROPERTY.finditer(text):
                if found["value"] not in _ABSENT:
                    yield found["name"]
