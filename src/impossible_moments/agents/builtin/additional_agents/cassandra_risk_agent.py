"""CASSANDRA, the risk agent: computes what harm the things and actions of the record can do to people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from impossible_moments.agents.builtin.additional_agents.additional_role import AdditionalRole, RoleAssessment
from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.domain.additional_agent_reports import RequiredChange, Severity
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.library import (
    HAZARD_MEANINGS,
    ThingHazard,
    find_materials_in_text,
    find_materials_of_row,
    find_reaction_hazards,
    find_thing_hazards,
    load_everyday_objects,
)

RECIPE_HAZARDS: Final = frozenset({"toxic", "corrosive", "explosive_vapour", "oxidising"})
"""Hazards of substances whose amounts, stated together with their use, would be a recipe."""
AMOUNTS: Final = frozenset({"amount", "concentration", "volume", "gives_gas"})
"""Properties that state how much of a substance is used."""
_ORDER: Final[Mapping[Severity, int]] = {"high": 0, "moderate": 1, "low": 2}
_CALL: Final = re.compile(r"\w+\((?P<arguments>[^()]*)\)")
_PROPERTY: Final = re.compile(r"(?:^|[;\n])\s*(?P<name>[a-z_]+)\s*=\s*(?P<value>[^\s;@]+)")


@dataclass(frozen=True)
class _ExaminedThing:
    """A thing of the record with what decides about its hazards."""

    name: str
    label: str
    kind: str
    materials: frozenset[str]
    properties: frozenset[str]
    """Names of properties with a value other than false."""
    hazards: tuple[ThingHazard, ...]


@dataclass(frozen=True)
class _Risk:
    severity: Severity
    text: str
    change: str


class Cassandra(AdditionalRole):
    """The agent that assesses the real-world risk of imitating the scenario."""

    name = "CASSANDRA"

    def assess_scenario(self, view: AssignmentView) -> RoleAssessment:
        """List the risks of the things and actions in the record, the gravest first."""
        seed = self.require_seed_document(view)
        things = {thing.name: thing for thing in _examine_things(seed)}
        calls = _list_calls(seed.mechanics)
        risks = sorted(
            dict.fromkeys((*_find_recipe_risks(things, calls), *_find_violence(things, calls))),
            key=lambda each: (_ORDER[each.severity], each.text),
        )
        risks += [each for each in _find_hazardous_things(things, calls) if each not in risks]
        if not risks:
            return RoleAssessment(
                f"None of the {len(things)} things of the record has a hazard in the library.", (), 0.85
            )
        return RoleAssessment(
            f"Taken for advice it would be of {risks[0].severity} risk: {len(risks)} risks in {len(things)} things and {len(calls)} actions.",
            tuple(f"{each.severity}: {each.text}" for each in risks),
            0.75,
            tuple(
                RequiredChange(severity=each.severity, text=f"{each.text} {each.change}")
                for each in risks
                if each.change
            ),
        )


def _examine_things(seed: SeedDocument) -> Iterator[_ExaminedThing]:
    cells = {row.name.lower(): row.material for row in seed.scenario.objects}
    for thing in seed.mechanics.get("things") or ():
        label, row = str(thing.get("label", "")), str(thing.get("like", ""))
        like = load_everyday_objects().get(row)
        materials = (
            find_materials_of_row(row)
            | find_materials_in_text(cells.get(label.lower(), ""))
            | find_materials_in_text(label)
        )
        props = thing.get("props") or ()
        lines = [props] if isinstance(props, str) else [str(each) for each in props]
        properties = frozenset(
            found["name"]
            for text in (*lines, "" if like is None else like.props)
            for found in _PROPERTY.finditer(text)
            if found["value"] not in {"false", "0"}
        )
        yield _ExaminedThing(
            str(thing.get("name")),
            label,
            str(thing.get("kind", "object")),
            materials,
            properties,
            find_thing_hazards(row, materials, properties, text=f"{label} {cells.get(label.lower(), '')}"),
        )


def _list_calls(record: Mapping[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the distinct calls of all approaches, each with its arguments."""
    plans = [str(each.get("plan", "")) for each in record.get("approaches") or ()]
    found = {
        match[0]: tuple(part.strip() for part in match["arguments"].split(","))
        for plan in plans
        for match in _CALL.finditer(plan)
    }
    return list(found.items())


def _find_recipe_risks(
    things: Mapping[str, _ExaminedThing], calls: list[tuple[str, tuple[str, ...]]]
) -> Iterator[_Risk]:
    """Yield reactions of two things in one call, and dangerous substances whose amount and use are stated."""
    for call, arguments in calls:
        used = [things[name] for name in arguments if name in things]
        for first, second in combinations(used, 2):
            for hazard in find_reaction_hazards(first.materials, second.materials):
                yield _Risk(
                    "high",
                    f"`{call}` brings together {hazard.cause}: the product {HAZARD_MEANINGS[hazard.hazard]} ({hazard.source}).",
                    "Replace one of the two substances.",
                )
        for thing in used:
            for hazard in (each for each in thing.hazards if each.hazard == "explosive"):
                yield _Risk(
                    "high",
                    f"`{call}` uses {thing.label}, which {HAZARD_MEANINGS[hazard.hazard]} ({hazard.cause}, {hazard.source}).",
                    "Replace the explosive, or remove the approach that uses it.",
                )
            hazards = [each for each in thing.hazards if each.hazard in RECIPE_HAZARDS]
            amounts = sorted(thing.properties & AMOUNTS) if hazards else []
            if amounts:
                yield _Risk(
                    "moderate",
                    f"`{call}` uses {thing.label}, which {HAZARD_MEANINGS[hazards[0].hazard]} ({hazards[0].cause}, {hazards[0].source}), with its {', '.join(amounts)} stated.",
                    "Leave the amounts out of the text, or replace the substance by a harmless one.",
                )


def _find_violence(
    things: Mapping[str, _ExaminedThing], calls: list[tuple[str, tuple[str, ...]]]
) -> Iterator[_Risk]:
    """Yield calls that use a weapon-like thing on a person other than the solver."""
    for call, arguments in calls:
        used = [things[name] for name in arguments if name in things]
        weapons = [each for each in used if any(hazard.hazard == "weapon" for hazard in each.hazards)]
        people = [each for each in used if each.kind == "person" and each.name != "you"]
        if weapons and people:
            yield _Risk(
                "high",
                f"`{call}` uses {weapons[0].label} on {people[0].label}.",
                "Replace the action by one that injures no person.",
            )


def _find_hazardous_things(
    things: Mapping[str, _ExaminedThing], calls: list[tuple[str, tuple[str, ...]]]
) -> Iterator[_Risk]:
    """Yield the hazards of single things. They are reported and require no change."""
    used = {name for _, arguments in calls for name in arguments}
    for thing in things.values():
        for hazard in thing.hazards:
            role = "an approach uses it" if thing.name in used else "no approach uses it"
            yield _Risk(
                "low",
                f"{thing.label} {HAZARD_MEANINGS[hazard.hazard]} ({hazard.cause}, {hazard.source}); {role}.",
                "",
            )
