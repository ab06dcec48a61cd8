"""The calls and conditions of a record in the words of an answer: common verbs and labels of things."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from impossible_moments.evaluation.reading.verbs import families_of_action
from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.plans import read_call, unquoted
from impossible_moments.mechanics.world import World

SPOKEN = frozenset({"wait", "wait_until", "choose", "challenge", "claim"})


def step_of(call: str, world: World) -> dict[str, Any]:
    """Return a call as a step of an answer."""
    read = read_call(call)
    if read.verb == "answer":
        return {"do": "answer", "value": unquoted(read.arguments[1])}
    if read.verb in SPOKEN:
        return {"do": read.verb, "value": unquoted(", ".join(read.arguments))}
    labels = [world.things[each].label for each in read.arguments if each in world.things]
    return {"do": families_of_action(read.verb)[0], "with": labels}


def condition_in_words(condition: str, world: World) -> str:
    """Describe a named condition by the things, properties and quantities that it compares."""
    return " ".join(dict.fromkeys(_words(condition, world)))


def _words(condition: str, world: World) -> Iterator[str]:
    verb, _, last = condition.partition(".")
    yield condition.replace(".", " ").replace("_", " ")
    action = world.actions.get(verb)
    trees = [each.tree for each in world.nevers if each.name == condition]
    trees += [each.tree for each in action.when if each.name.endswith(last)] if action is not None else []
    for tree in trees:
        for path in sorted(ex.reads(tree)):
            thing, _, prop = path.partition(".")
            yield (prop or path).replace("_", " ")
            if thing in world.things:
                yield world.things[thing].label
