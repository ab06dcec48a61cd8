"""Descriptions of plan steps, in the wording of the blueprint where it has one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from impossible_moments.mechanics.execution import Move
from impossible_moments.mechanics.world import World

_SLOT: Final = re.compile(r"\{(\w+)\}")
# fmt: off
_LANGUAGE: Final = {
    "wait":       "Wait {0}.",
    "wait_until": "Wait until {0}.",
    "choose":     "Settle on {0}.",
    "answer":     "Settle the question: {1}.",
    "challenge":  "Question what was only suggested: {0}.",
    "claim":      "Put it on record: {0}.",
    "impossible": "Show that it cannot be done: {0}.",
}
# fmt: on


def describe_call_as_sentence(move: Move, world: World, wordings: Mapping[str, str]) -> str:
    """Describe a call as a sentence. Without a wording of its own it is named by its verb and arguments."""
    arguments = [_convert_argument_to_label(argument, world) for argument in move.arguments]
    action = world.actions.get(move.verb)
    if move.verb in wordings:
        names = [slot.name for slot in action.slots] if action is not None else []
        values = {**dict(zip(names, arguments, strict=False)), **{str(n): a for n, a in enumerate(arguments)}}
        text = _SLOT.sub(lambda found: values.get(found[1], found[0]), wordings[move.verb])
    elif move.verb in _LANGUAGE:
        text = _SLOT.sub(
            lambda found: _get_argument_label_at_position(arguments, int(found[1])), _LANGUAGE[move.verb]
        )
    else:
        about = _collect_action_summaries(world).get(move.verb, "") if len(arguments) > 1 else ""
        plain = _describe_call_without_wording(
            move.verb.replace("_", " "), arguments, known=action is None or not action.own
        )
        text = f"{about}: {', '.join(arguments)}." if about else plain
    return text[:1].upper() + text[1:]


def _describe_call_without_wording(verb: str, arguments: list[str], *, known: bool) -> str:
    """Describe a call without a wording.

    `known` verbs of the library are plain English, but a record's own verbs may be arbitrary names.
    """
    if not arguments:
        return f"{verb}."
    if not known:
        return f"{verb}: {', '.join(arguments)}."
    first, *others = arguments
    return f"{verb} {first}{''.join(f', with {each}' for each in others)}."


def _collect_action_summaries(world: World) -> dict[str, str]:
    """Return the library's description of each of its actions by verb."""
    return {each.do.partition("(")[0]: each.about for each in world.library.form.actions}


def _convert_argument_to_label(argument: str, world: World) -> str:
    return (
        world.things[argument].label if argument in world.things else argument.strip("'\"").replace("_", " ")
    )


def _get_argument_label_at_position(arguments: list[str], place: int) -> str:
    return arguments[place] if place < len(arguments) else "it"
