"""Calls, conditions and endings of a record in plain words, without its names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.record_wording import convert_call_to_step
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import PlanError, parse_call, strip_quotes

_COMPARISONS: Final = {
    ">=": "is at least",
    "<=": "is at most",
    ">": "is more than",
    "<": "is less than",
    "==": "is",
    "!=": "is not",
}
_ENDING: Final = re.compile(r"the plan ends: ((?:blocked|never) [\w.]+|goal|late|short)")
NO_CONDITION: Final = "a statement that is no condition of the goal"


def describe_call(call: str, key: AnswerKey) -> str:
    """Return a call as a sentence of the record, or with the labels of its things if it has none."""
    try:
        parsed = parse_call(call)
    except PlanError:
        return call
    if parsed.verb == "answer":
        name, given = parsed.arguments[0], strip_quotes(parsed.arguments[1])
        words = key.wording.answers.get(f"{name}.{given}", ())
        return f"Conclude: {words[0] if words else given}"
    if parsed.verb == "challenge":
        names = [strip_quotes(each) for each in parsed.arguments]
        return f"Drop the assumption: {'; '.join(key.wording.premises.get(each, each) for each in names)}"
    step = convert_call_to_step(call, key)
    things = ", ".join(step.get("with", ()))
    parts = [step["do"].replace("_", " "), things or str(step.get("value", ""))]
    return ": ".join(filter(None, parts))


def describe_condition(name: str, key: AnswerKey, call: str = "") -> str:
    """Return a condition in the words of the text, or by what it compares.

    `call` is the step at which it is checked, whose things replace the roles of the condition.
    """
    if name in key.wording.conditions:
        return key.wording.conditions[name]
    if name in key.wording.premises:
        return key.wording.premises[name]
    if (decoy := _find_decoy(name, key)) is not None:
        return decoy
    verb, _, last = name.partition(".")
    if verb == "answer":
        return "the conclusion is right"
    if verb == "choose":
        return f"{_describe_value(last, key)} is chosen once, before it is needed"
    if name == "wait_until":
        return "what is waited for happens in time"
    rule = next((each for each in key.analysis.world.never_rules if each.name == name), None)
    if rule is not None:
        return rule.evidence or _describe_tree(rule.tree, key, {})
    return _describe_action_condition(verb, last, key, call)


def _find_decoy(name: str, key: AnswerKey) -> str | None:
    """Return the statement of the text that a menu offers as a false reason, by its name `decoy 2`."""
    kind, _, number = name.partition(" ")
    decoys = key.wording.decoy_premises
    return decoys[int(number)] if kind == "decoy" and number.isdigit() and int(number) < len(decoys) else None


def _describe_value(name: str, key: AnswerKey) -> str:
    value = key.wording.values.get(name)
    return f"the {value.label}" if value is not None else name.replace("_", " ")


def _describe_action_condition(verb: str, last: str, key: AnswerKey, call: str) -> str:
    action = key.analysis.world.actions.get(verb)
    if action is None:
        return NO_CONDITION
    if last == "takes":
        return "the act can be begun now, and it ends"
    things = _bind_things(call, key)
    if last in {slot.name for slot in action.slots}:
        return f"{things.get(last, 'the thing')} is of a kind with which this can be done"
    found = next((each for each in action.when if each.name.rpartition(".")[2] == last), None)
    return _describe_tree(found.tree, key, things) if found is not None else NO_CONDITION


def _bind_things(call: str, key: AnswerKey) -> Mapping[str, str]:
    """Return the label of the thing in each role of a call."""
    if not call:
        return {}
    parsed, world = parse_call(call), key.analysis.world
    action = world.actions.get(parsed.verb)
    if action is None or len(action.slots) != len(parsed.arguments):
        return {}
    return {
        slot.name: world.things[argument].label
        for slot, argument in zip(action.slots, parsed.arguments, strict=True)
        if argument in world.things
    }


def _describe_tree(tree: ex.Expression, key: AnswerKey, things: Mapping[str, str]) -> str:
    """Return an expression in words: a comparison, a property that holds, or its negation."""
    match tree:
        case ex.Negation(inner=ex.Property(thing=thing, name=name)):
            return f"{_label(thing, key, things)} is not {_spell(name)}"
        case ex.Property(thing=thing, name=name):
            return f"{_label(thing, key, things)} is {_spell(name)}"
        case ex.Comparison(operator=operator, left=left, right=right):
            sides = (_describe_side(each, key, things) for each in (left, right))
            return f" {_COMPARISONS.get(operator, operator)} ".join(sides)
        case _:
            paths = sorted(ex.collect_paths(tree))
            return f"the condition on {' and '.join(_describe_path(path, key, things) for path in paths)}"


def _describe_side(tree: ex.Expression, key: AnswerKey, things: Mapping[str, str]) -> str:
    match tree:
        case ex.Property(thing=thing, name=name):
            return _describe_property(thing, name, key, things)
        case ex.Name(name=name):
            return f"the {_spell(name)}"
        case ex.Text(value=value):
            return _spell(value)
        case ex.Number(value=value, text=text):
            return text or f"{value:g}"
        case ex.Arithmetic(operator=operator, left=left, right=right):
            return f" {operator} ".join(_describe_side(each, key, things) for each in (left, right))
        case _:
            paths = sorted(ex.collect_paths(tree))
            return f"what follows from {' and '.join(_describe_path(path, key, things) for path in paths)}"


def _describe_path(path: str, key: AnswerKey, things: Mapping[str, str]) -> str:
    thing, _, name = path.partition(".")
    return _describe_property(thing, name, key, things) if name else f"the {_spell(path)}"


def _describe_property(thing: str, name: str, key: AnswerKey, things: Mapping[str, str]) -> str:
    return f"your {_spell(name)}" if thing == "you" else f"the {_spell(name)} of {_label(thing, key, things)}"


def _label(thing: str, key: AnswerKey, things: Mapping[str, str]) -> str:
    if thing in things:
        return things[thing]
    found = key.analysis.world.things.get(thing)
    return found.label if found is not None else "the thing"


def _spell(name: str) -> str:
    return name.replace("_", " ")


def describe_end(end: str, key: AnswerKey, call: str = "") -> str:
    """Return how a plan ended. `call` is the step at which it ended, if it was blocked."""
    kind, _, name = end.partition(" ")
    match kind:
        case "goal":
            return "the goal is reached in time"
        case "late":
            return "the goal is reached too late"
        case "short":
            return "every act succeeds, and the goal is not reached"
        case "blocked":
            return f"blocked, because this does not hold: {describe_condition(name, key, call)}"
        case _:
            return f"ended by this: {describe_condition(name, key, call)}"


def describe_note(note: str, key: AnswerKey) -> str:
    """Return the note of a run with the ending of its plan in words."""
    return _ENDING.sub(lambda found: f"the plan ends: {describe_end(found[1], key)}", note)
