"""The plans in a solution sketch: its steps divided where the record's own approaches end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics.execution import Move

_ANSWERING: Final = ("ways", "way", "plan", "outside", "at_low", "at_high")
"""The fields of a status block that name the approaches which answer the scenario."""


@dataclass(frozen=True, slots=True)
class SketchPlan:
    """One plan of the sketch. `name` is the approach with the same calls, or empty."""

    name: str
    calls: tuple[str, ...]


def split_sketch_into_plans(
    seed: SeedDocument, approaches: Mapping[str, tuple[Move, ...]]
) -> tuple[SketchPlan, ...]:
    """Divide the calls of the sketch into plans.

    A sketch may list several plans one after the other. A plan ends where an answering approach of the record
    ends. Calls that belong to no such approach form one last plan, so that a missing or changed call is kept.
    """
    answering = {
        name: tuple(move.text for move in approaches[name])
        for name in list_answering_approaches(seed)
        if name in approaches
    }
    rest = tuple(_normalize_call(step.call) for step in seed.solution_sketch.steps if step.call.strip())
    found: list[SketchPlan] = []
    while rest:
        matching = [name for name, calls in answering.items() if calls and rest[: len(calls)] == calls]
        if not matching:
            return (*found, SketchPlan("", rest))
        name = max(matching, key=lambda each: len(answering[each]))
        found.append(SketchPlan(name, answering[name]))
        rest = rest[len(answering[name]) :]
    return tuple(found)


def list_answering_approaches(seed: SeedDocument) -> tuple[str, ...]:
    """Return the names of the approaches that the status block declares to answer the scenario."""
    block = seed.mechanics.get("status")
    if not isinstance(block, dict):
        return ()
    named = [name for key in _ANSWERING for name in _list_names(block.get(key))]
    return tuple(dict.fromkeys(named))


def _list_names(value: object) -> Iterable[str]:
    if isinstance(value, str):
        return (value,)
    return tuple(str(each) for each in value) if isinstance(value, list | tuple) else ()


def _normalize_call(call: str) -> str:
    return call.strip()
