"""A section `wording` for a record of the tests, made from the names of its actions, things and conditions.

A published record has sentences that a person wrote. This section is complete and accepted by the checks, so that
records which test something else can be published and scored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.checks import WorldAnalysis, build_analysis_without_search
from impossible_moments.mechanics.execution import MoveKind
from impossible_moments.mechanics.records import DiagnosisPuzzle, Quantity
from impossible_moments.mechanics.world import NeverRuleSource

DECOYS: Final = ("it is a weekday", "the text is short", "nobody is in a good mood")
HARMLESS: Final = ("look around", "count to ten", "tell somebody about it")
_FEWEST: Final = 3


def add_wording(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a record with a complete section `wording`.

    A record that has the section, or that cannot be read, stays as it is.
    """
    if record.get("wording") is not None:
        return dict(record)
    analysis = build_analysis_without_search({**record, "wording": None}, load_everyday_library())
    return dict(record) if analysis is None else {**record, "wording": derive_wording(analysis)}


def reword_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a record whose section `wording` is derived anew, for example after its names changed."""
    return add_wording({**record, "wording": None})


def derive_wording(analysis: WorldAnalysis) -> dict[str, Any]:
    """Return the section for the record of an analysis."""
    world = analysis.world
    return {
        "actions": list(_iterate_actions(analysis)),
        "values": [_word_value(each) for each in analysis.engine.decisions],
        "answers": [
            f"{puzzle.name}.{each.name} = {_spell_out(each.name)}"
            for puzzle in world.record.puzzles
            if isinstance(puzzle, DiagnosisPuzzle)
            for each in puzzle.hypotheses
        ],
        "conditions": [f"{name} = {_spell_out(name)}" for name in sorted(_list_conditions(analysis))],
        "premises": [
            f"{rule.name} = {rule.evidence}"
            for rule in world.never_rules
            if rule.by is NeverRuleSource.PREMISE
        ],
        "decoy_premises": list(DECOYS),
        "uncertainties": [f"{name} = {_spell_out(name)}" for name in _list_uncertainties(analysis)],
        "harmless": list(HARMLESS),
    }


def _iterate_actions(analysis: WorldAnalysis) -> Iterator[dict[str, Any]]:
    used = {move.verb for plan in analysis.plans.values() for move in plan}
    for action in analysis.world.actions.values():
        if action.own or action.verb in used:
            slots = [slot.name for slot in action.slots]
            line = " with ".join([_spell_out(action.verb), *(f"{{{slot}}}" for slot in slots)])
            yield {
                "call": action.verb,
                "menu": line,
                "deed": f"{line}.",
                "needs_said": [
                    f"deed = {_spell_out(action.verb)}",
                    *(f"{slot} = {{{slot}}}" for slot in slots),
                ],
                "near_misses": ["sing a song"],
            }
    waits = {
        move.text for plan in analysis.plans.values() for move in plan if move.kind is MoveKind.WAIT_UNTIL
    }
    for text in sorted(waits):
        line = f"wait until {_spell_out(text.partition('(')[2])}".strip()
        yield {
            "call": text,
            "menu": line,
            "deed": f"{line}.",
            "needs_said": ["deed = wait"],
            "near_misses": ["sing"],
        }


def _word_value(quantity: Quantity) -> dict[str, Any]:
    unit = str(quantity.display_unit) if quantity.display_unit is not None else "plain"
    if any(isinstance(each, str) for each in quantity.options or ()):
        unit = "words"
    return {"name": quantity.name, "label": _spell_out(quantity.name), "unit": unit, "tolerance": "0"}


def _list_conditions(analysis: WorldAnalysis) -> frozenset[str]:
    """Return the conditions and never-lines of the record, and the slots at which approaches fail."""
    actions = [action for action in analysis.world.actions.values() if action.own]
    slots = {f"{action.verb}.{slot.name}" for action in actions for slot in action.slots}
    named = {outcome.end.partition(" ")[2] for outcome in analysis.outcomes.values()}
    named |= set(getattr(analysis.world.record.status, "conflict", ()))
    slots |= {f"answer.{puzzle.name}" for puzzle in analysis.world.record.puzzles}
    found = {f"{action.verb}.{each.name.rpartition('.')[2]}" for action in actions for each in action.when}
    found |= {rule.name for rule in analysis.world.never_rules if rule.by is not NeverRuleSource.PREMISE}
    return frozenset(found | (slots & named) | {"deadline"})


def _list_uncertainties(analysis: WorldAnalysis) -> list[str]:
    crux = getattr(analysis.world.record.status, "crux", None)
    names = [name for name in analysis.world.quantities if name != crux]
    return [*([crux] if crux else []), *names][: _FEWEST + 1]


def _spell_out(name: str) -> str:
    return name.replace("_", " ").replace(".", " ")
