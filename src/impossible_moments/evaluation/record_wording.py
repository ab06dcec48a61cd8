"""The calls and conditions of a record in the words of an answer: common verbs and labels of things."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from impossible_moments.evaluation.answers.common_verbs import find_common_verbs_for_record_verb
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import parse_call, strip_quotes
from impossible_moments.mechanics.world import World

SPOKEN = frozenset({"wait", "wait_until", "choose", "challenge", "claim"})


def convert_call_to_step(call: str, world: World) -> dict[str, Any]:
    """Return a call as a step of an answer."""
    parsed = parse_call(call)
    if parsed.verb == "answer":
        return {"do": "answer", "value": strip_quotes(parsed.arguments[1])}
    if parsed.verb in SPOKEN:
        return {"do": parsed.verb, "value": strip_quotes(", ".join(parsed.arguments))}
    labels = [world.things[each].label for each in parsed.arguments if each in world.things]
    return {"do": find_common_verbs_for_record_verb(parsed.verb)[0], "with": labels}


def describe_condition(condition: str, world: World) -> str:
    """Describe a named condition by the things, properties and quantities that it compares."""
    return " ".join(dict.fromkeys(_iterate_phrases_of_condition(condition, world)))


def _iterate_phrases_of_condition(condition: str, world: World) -> Iterator[str]:
    verb, _, last = condition.partition(".")
    yield condition.replace(".", " ").replace("_", " ")
    action = world.actions.get(verb)
    trees = [each.tree for each in world.never_rules if each.name == condition]
    trees += [each.tree for each in action.when if each.name.endswith(last)] if action is not None else []
    for tree in trees:
        for path in sorted(ex.collect_paths(tree)):
            thing, _, prop = path.partition(".")
            yield (prop or path).replace("_", " ")
            if thing in world.things:
                yield world.things[thing].label
