"""The calls and conditions of a record in the words of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.menus.menu_values import format_chosen_value
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import PlannedCall, parse_call, strip_quotes
from impossible_moments.mechanics.world import World

SPOKEN = frozenset({"wait", "wait_until", "choose", "challenge", "claim"})


def convert_call_to_step(call: str, key: AnswerKey) -> dict[str, Any]:
    """Return a call as a step of an answer: in the words of the record, or by its verb and things if it has none."""
    parsed, world = parse_call(call), key.analysis.world
    if words := _describe_worded_call(call, key):
        return {"do": words}
    if parsed.verb == "answer":
        return {"do": "answer", "value": strip_quotes(parsed.arguments[1])}
    if parsed.verb in SPOKEN:
        return {"do": parsed.verb, "value": strip_quotes(", ".join(parsed.arguments))}
    labels = [world.things[each].label for each in parsed.arguments if each in world.things]
    return {"do": parsed.verb.replace("_", " "), "with": labels}


def _describe_worded_call(call: str, key: AnswerKey) -> str:
    """Return a call as a sentence of the record, or an empty text if it has no wording."""
    parsed = parse_call(call)
    found = key.wording.find_wording(PlannedCall(parsed.verb, parsed.arguments))
    if found is not None:
        return found.menu
    if parsed.verb == "answer":
        name = f"{parsed.arguments[0]}.{strip_quotes(parsed.arguments[1])}"
        words = key.wording.answers.get(name, ())
        return f"Conclude: {words[0]}" if words else ""
    if parsed.verb == "choose":
        name, _, text = parsed.arguments[0].partition("=")
        value = key.wording.values.get(name.strip())
        if value is None:
            return ""
        unit = "" if value.unit in {None, "plain"} else f" {value.unit}"
        return f"Choose the {value.label}: {format_chosen_value(name.strip(), text.strip(), key)}{unit}"
    return ""


def describe_condition(condition: str, key: AnswerKey) -> str:
    """Describe a named condition: in the words of the record, or by what it compares."""
    found = key.wording.conditions.get(condition)
    return found or " ".join(dict.fromkeys(_iterate_phrases_of_condition(condition, key.analysis.world)))


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
