"""Steps of an answer as calls of the record: by the things they name first, and by their verb second.

A step whose verb is none of the common list, or that names what is not there, is not wrong: it is unknown, and somebody
looks at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, permutations, product
from typing import Final

from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.reading.answers import Step
from impossible_moments.evaluation.reading.naming import words_of
from impossible_moments.evaluation.reading.values import answers_to, chosen, waited
from impossible_moments.evaluation.reading.verbs import GENERAL, families_of_action, family_of
from impossible_moments.mechanics.move_arguments import MoveError
from impossible_moments.mechanics.moves import Move, Way
from impossible_moments.mechanics.plans import PlanError, PlannedCall

MOST_READINGS: Final = 12
"""Calls that one step may be read as."""
MOST_DEEDS: Final = 3
"""Common verbs that one step may be read as: one step does one thing, and a list of verbs is no step."""
_FEWEST_SHARED: Final = 2
"""Words that a text shares with a moment it waits for."""
_SAME_PREMISE: Final = 0.6
"""The share of a premise's words that naming it takes."""
_MOST_SAID: Final = 24
"""Words that naming a premise may take, or five times its own: who recites the whole text names nothing."""


@dataclass(frozen=True, slots=True)
class Readings:
    """What a step may mean: calls, the likeliest first."""

    step: Step
    calls: tuple[Move, ...]
    challenges: tuple[str, ...] = ()
    """Premises that it drops."""
    is_doubt: bool = False
    """Whether it is a challenge, of whatever it may be."""
    is_unknown: bool = False
    """Whether its verb is none of the list, or it names something that is not there: somebody has to look at it."""


def readings(step: Step, key: AnswerKey) -> Readings:
    """What a step may mean in a scenario. One that means nothing there is idle: it is done, and nothing comes of it."""
    families = family_of(step.do)[:MOST_DEEDS]
    if "challenge" in families:
        dropped = tuple(_premises(f"{step.value} {' '.join(step.things)}", key))
        return Readings(step, (), dropped, is_doubt=True)
    spoken = tuple(_spoken(step, families, key))
    meant = [key.names.meant(phrase) for phrase in step.things]
    things = [each for each in meant if each]
    found = [*spoken, *(_matched(things, families, key) if things else _by_verb_alone(families, key))]
    calls = tuple(dict.fromkeys(found))[:MOST_READINGS]
    # what is waited for in words may be right though no moment of the record is found for it
    vague = "wait" in families and bool(step.value)
    strange = not families or (not calls and (vague or len(things) < len(meant)))
    return Readings(step, calls, is_unknown=strange)


def _matched(things: list[tuple[str, ...]], families: tuple[str, ...], key: AnswerKey) -> Iterator[Move]:
    """Calls of the verb's family that name just these things, what need not be named aside.

    A general verb fits a call of any family, where only one call can be made with its things.
    """
    found: list[tuple[int, Move]] = []
    for meant in islice(product(*things), 64):
        named = frozenset(meant)
        exact = [
            move
            for move in _touching(named, key)
            if named <= set(move.arguments) and set(move.arguments) - named <= key.implied
        ]
        found += [(0, move) for move in exact if set(_families(move.verb)) & set(families)]
        if len({move.verb for move in exact if move.own}) == 1 and set(families) & set(GENERAL):
            found += [(1, move) for move in exact if move.own]
        if not exact:
            found += [(1, move) for move in _nearly(named, families, key)]
    if not any(rank == 0 for rank, _ in found):
        found += [(2, move) for move in islice(_misfits(things, families, key), MOST_READINGS)]
    return (move for _, move in sorted(found, key=lambda each: (each[0], not each[1].own)))


def _nearly(named: frozenset[str], families: tuple[str, ...], key: AnswerKey) -> Iterator[Move]:
    """Calls of the verb's family with just the loose things that are named: what stands fast only says where."""
    loose = named & key.tools
    for move in _touching(loose, key):
        arguments = frozenset(move.arguments)
        if (
            arguments & key.tools == loose
            and arguments <= named
            and set(_families(move.verb)) & set(families)
        ):
            yield move


@lru_cache(maxsize=4096)
def _families(verb: str) -> tuple[str, ...]:
    return families_of_action(verb)


def _touching(named: frozenset[str], key: AnswerKey) -> Iterator[Move]:
    for arguments, moves in key.moves.items():
        if arguments & named:
            yield from moves


def _misfits(things: list[tuple[str, ...]], families: tuple[str, ...], key: AnswerKey) -> Iterator[Move]:
    """Calls of the record that somebody tries with the wrong thing: they are known, and they fail."""
    for action in key.analysis.world.actions.values():
        if not action.own or not set(_families(action.verb)) & set(families):
            continue
        fixed = [slot.type if slot.type in key.analysis.world.things else None for slot in action.slots]
        free = [at for at, name in enumerate(fixed) if name is None]
        for meant in islice(product(*things), 16):
            loose = [name for name in meant if name not in fixed]
            if len(loose) != len(free):
                continue
            for order in permutations(loose):
                filled = list(fixed)
                for at, name in zip(free, order, strict=True):
                    filled[at] = name
                yield from _made(key, action.verb, tuple(each or "" for each in filled))


def _by_verb_alone(families: tuple[str, ...], key: AnswerKey) -> Iterator[Move]:
    """Calls of oneself alone. What is done to a thing must name one: else a list of verbs would be a plan."""
    for things, moves in key.moves.items():
        if things <= {"you"}:
            yield from (move for move in moves if set(_families(move.verb)) & set(families))


def _spoken(step: Step, families: tuple[str, ...], key: AnswerKey) -> Iterator[Move]:
    """Answers to puzzles, waiting, and choices."""
    said = step.value or " ".join(step.things)
    if "answer" in families or (key.analysis.world.puzzles and not key.moves):
        for name, value in answers_to(said, key.analysis.world):
            yield from _made(key, "answer", (name, f"'{value}'"))
    if "wait" in families:
        times = list(waited(said))
        for seconds in times:
            yield from _made(key, "wait", (f"{seconds:g}[s]",))
        if not times:
            yield from _awaited(said, key)
        # who sits still may name the chair
        yield from (
            move
            for things, moves in key.moves.items()
            if things <= key.implied
            for move in moves
            if "wait" in _families(move.verb)
        )
    if "choose" in families or step.value:
        yield from _choices(step, key)


def _awaited(said: str, key: AnswerKey) -> Iterator[Move]:
    """Moments that the record's own plans wait for, where a text speaks of what they compare."""
    spoken, things = words_of(said), key.analysis.world.things
    waits = (move for plan in key.analysis.plans.values() for move in plan if move.way is Way.WAIT_UNTIL)
    for move in dict.fromkeys(waits):
        compared = " ".join(move.arguments)
        labels = " ".join(thing.label for name, thing in things.items() if f"{name}." in compared)
        if len(spoken & words_of(f"{re.sub(r'[._]', ' ', compared)} {labels}")) >= _FEWEST_SHARED:
            yield move


def _choices(step: Step, key: AnswerKey) -> Iterator[Move]:
    """For each decision the first value said that it can take: who names several has not chosen among them."""
    made: set[str] = set()
    for name, value in chosen(step, key.analysis.world):
        if name not in made:
            for move in _made(key, "choose", (f"{name}={value}",)):
                made.add(name)
                yield move


def _premises(text: str, key: AnswerKey) -> Iterator[str]:
    said = words_of(text)
    for quote, words in key.premises.items():
        common = len(words & said)
        if words and common >= _SAME_PREMISE * len(words) and len(said) <= max(_MOST_SAID, 5 * len(words)):
            yield quote


def premises_in(text: str, key: AnswerKey) -> frozenset[str]:
    """The premises of a scenario that a text speaks of."""
    return frozenset(_premises(text, key))


def _made(key: AnswerKey, verb: str, arguments: tuple[str, ...]) -> Iterator[Move]:
    try:
        yield key.analysis.executor.moves.move(PlannedCall(verb, arguments))
    except (MoveError, PlanError):
        return
