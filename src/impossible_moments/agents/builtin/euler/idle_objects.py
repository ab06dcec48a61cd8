"""Idle objects: things that no call of the record takes and no condition, rate or danger reads."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.agents.builtin.euler.record_workings import RecordWorkings

MOST_IDLE: Final = 0.5
"""The largest share of the objects that may be idle."""
_NAME: Final = re.compile(r"\w+")


def find_idle_objects(workings: RecordWorkings) -> tuple[str, ...]:
    """Return the labels of the record's objects that nothing uses and that are not listed as distractors."""
    analysis = workings.analysis
    if analysis is None:
        return ()
    world = analysis.world
    trees = [world.goal, *world.rates.values(), *(never.tree for never in world.never_rules)]
    for action in world.actions.values():
        trees += [action.takes, *(condition.tree for condition in action.when)] if action.own else []
    read = frozenset[str]().union(*(world.collect_stated_quantities(tree) for tree in trees))
    used = {path.partition(".")[0] for path in read}
    used |= {argument for move in analysis.executor.moves.all_actions for argument in move.arguments}
    used |= set(_NAME.findall(str(workings.seed.mechanics.get("puzzles") or "")))
    distractors = {each.name.lower() for each in workings.seed.distractor_inventory}
    return tuple(
        thing.label
        for thing in world.things.values()
        if thing.own
        and thing.kind == "object"
        and thing.name not in used
        and thing.label.lower() not in distractors
    )


def object_to_idle_objects(workings: RecordWorkings) -> str:
    """Return an objection if more than half of the listed objects are idle, otherwise an empty text."""
    idle, listed = find_idle_objects(workings), len(workings.seed.scenario.objects)
    if not listed or len(idle) <= MOST_IDLE * listed:
        return ""
    return f"No call and no condition uses {len(idle)} of {listed} objects: {', '.join(idle)}."
