"""Resolution of the steps of an answer to calls of the record: by the things named first, then by the verb.

A step whose verb is not in the common list, or that names a missing thing, is not wrong but unknown, and is
sent to review.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, permutations, product
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerStep
from impossible_moments.evaluation.answers.common_verbs import (
    GENERAL,
    find_common_verbs_for_answer_phrase,
    find_common_verbs_for_record_verb,
)
from impossible_moments.evaluation.answers.step_values import (
    iterate_decision_values,
    iterate_puzzle_answers,
    parse_waiting_time,
)
from impossible_moments.evaluation.answers.thing_names import extract_word_stems
from impossible_moments.mechanics.execution import Move, MoveError, MoveKind
from impossible_moments.mechanics.records import PlanError, PlannedCall

MOST_READINGS: Final = 12
"""Maximum number of calls that one step may be read as."""
MOST_ACTIONS_PER_STEP: Final = 3
"""Maximum number of common verbs that one step may be read as, so that a list of verbs is not a step."""
_FEWEST_SHARED: Final = 2
"""Least number of words that a text shares with the awaited condition it describes."""
_SAME_PREMISE: Final = 0.6
"""Least share of a premise's words that a text must contain to name it."""
_MOST_WORDS: Final = 24
"""Maximum words of a text that names a premise, or five times its own; this excludes recited text."""


@dataclass(frozen=True, slots=True)
class StepReadings:
    """The possible meanings of a step: calls, the likeliest first."""

    step: AnswerStep
    calls: tuple[Move, ...]
    challenges: tuple[str, ...] = ()
    """Premises that the step drops."""
    is_doubt: bool = False
    """Whether the step is a challenge, even of an unknown premise."""
    is_unknown: bool = False
    """Whether the verb or a named thing is unknown, so that the step needs review."""


def resolve_step(step: AnswerStep, key: AnswerKey) -> StepReadings:
    """Return the possible meanings of a step in a scenario; a known step without calls has no effect."""
    families = find_common_verbs_for_answer_phrase(step.do)[:MOST_ACTIONS_PER_STEP]
    if "challenge" in families:
        challenged_premises = tuple(_iterate_named_premises(f"{step.value} {' '.join(step.things)}", key))
        return StepReadings(step, (), challenged_premises, is_doubt=True)
    explicit_calls = tuple(_iterate_plan_language_calls(step, families, key))
    resolved = [key.names.resolve_phrase(phrase) for phrase in step.things]
    things = [each for each in resolved if each]
    found = [
        *explicit_calls,
        *(
            _iterate_matching_calls(things, families, key)
            if things
            else _iterate_calls_without_things(families, key)
        ),
    ]
    calls = tuple(dict.fromkeys(found))[:MOST_READINGS]
    # an awaited moment described in words may be right even if no condition of the record matches
    is_vague_wait = "wait" in families and bool(step.value)
    is_unknown = not families or (not calls and (is_vague_wait or len(things) < len(resolved)))
    return StepReadings(step, calls, is_unknown=is_unknown)


def _iterate_matching_calls(
    things: list[tuple[str, ...]], families: tuple[str, ...], key: AnswerKey
) -> Iterator[Move]:
    """Yield calls of the verb's families that name exactly these things, apart from implied ones, best first.

    A general verb matches a call of any family if only one action can be called with the things.
    """
    found: list[tuple[int, Move]] = []
    for combination in islice(product(*things), 64):
        named = frozenset(combination)
        exact = [
            move
            for move in _iterate_calls_using_things(named, key)
            if named <= set(move.arguments) and set(move.arguments) - named <= key.implied_things
        ]
        found += [(0, move) for move in exact if set(_get_action_families(move.verb)) & set(families)]
        if len({move.verb for move in exact if move.own}) == 1 and set(families) & set(GENERAL):
            found += [(1, move) for move in exact if move.own]
        if not exact:
            found += [(1, move) for move in _iterate_calls_with_named_tools(named, families, key)]
    if not any(rank == 0 for rank, _ in found):
        found += [
            (2, move) for move in islice(_iterate_ill_fitting_calls(things, families, key), MOST_READINGS)
        ]
    return (move for _, move in sorted(found, key=lambda each: (each[0], not each[1].own)))


def _iterate_calls_with_named_tools(
    named_things: frozenset[str], families: tuple[str, ...], key: AnswerKey
) -> Iterator[Move]:
    """Yield calls of the verb's families that use exactly the named tools; fixed things are locations."""
    named_tools = named_things & key.tools
    for move in _iterate_calls_using_things(named_tools, key):
        arguments = frozenset(move.arguments)
        if (
            arguments & key.tools == named_tools
            and arguments <= named_things
            and set(_get_action_families(move.verb)) & set(families)
        ):
            yield move


@lru_cache(maxsize=4096)
def _get_action_families(verb: str) -> tuple[str, ...]:
    return find_common_verbs_for_record_verb(verb)


def _iterate_calls_using_things(named_things: frozenset[str], key: AnswerKey) -> Iterator[Move]:
    for arguments, moves in key.moves.items():
        if arguments & named_things:
            yield from moves


def _iterate_ill_fitting_calls(
    things: list[tuple[str, ...]], families: tuple[str, ...], key: AnswerKey
) -> Iterator[Move]:
    """Yield calls of the record's actions with unsuitable things; they fail when executed."""
    for action in key.analysis.world.actions.values():
        if not action.own or not set(_get_action_families(action.verb)) & set(families):
            continue
        fixed = [slot.type if slot.type in key.analysis.world.things else None for slot in action.slots]
        free = [at for at, name in enumerate(fixed) if name is None]
        for combination in islice(product(*things), 16):
            loose_things = [name for name in combination if name not in fixed]
            if len(loose_things) != len(free):
                continue
            for order in permutations(loose_things):
                filled = list(fixed)
                for at, name in zip(free, order, strict=True):
                    filled[at] = name
                yield from _build_call(key, action.verb, tuple(each or "" for each in filled))


def _iterate_calls_without_things(families: tuple[str, ...], key: AnswerKey) -> Iterator[Move]:
    """Yield calls that involve only the agent; other calls must name a thing."""
    for things, moves in key.moves.items():
        if things <= {"you"}:
            yield from (move for move in moves if set(_get_action_families(move.verb)) & set(families))


def _iterate_plan_language_calls(
    step: AnswerStep, families: tuple[str, ...], key: AnswerKey
) -> Iterator[Move]:
    """Yield calls of the plan language: puzzle answers, waits and choices."""
    text = step.value or " ".join(step.things)
    if "answer" in families or (key.analysis.world.puzzles and not key.moves):
        for name, value in iterate_puzzle_answers(text, key.analysis.world):
            yield from _build_call(key, "answer", (name, f"'{value}'"))
    if "wait" in families:
        times = list(parse_waiting_time(text))
        for seconds in times:
            yield from _build_call(key, "wait", (f"{seconds:g}[s]",))
        if not times:
            yield from _iterate_described_waits(text, key)
        # waiting actions of the record match too, whatever the step names
        yield from (
            move
            for things, moves in key.moves.items()
            if things <= key.implied_things
            for move in moves
            if "wait" in _get_action_families(move.verb)
        )
    if "choose" in families or step.value:
        yield from _iterate_decision_choices(step, key)


def _iterate_described_waits(text: str, key: AnswerKey) -> Iterator[Move]:
    """Yield waits from the record's own plans whose condition a text describes."""
    text_words, things = extract_word_stems(text), key.analysis.world.things
    waits = (
        move for plan in key.analysis.plans.values() for move in plan if move.kind is MoveKind.WAIT_UNTIL
    )
    for move in dict.fromkeys(waits):
        condition_text = " ".join(move.arguments)
        labels = " ".join(thing.label for name, thing in things.items() if f"{name}." in condition_text)
        if (
            len(text_words & extract_word_stems(f"{re.sub(r'[._]', ' ', condition_text)} {labels}"))
            >= _FEWEST_SHARED
        ):
            yield move


def _iterate_decision_choices(step: AnswerStep, key: AnswerKey) -> Iterator[Move]:
    """Yield one choice for each decision: the first stated value that it accepts."""
    decided: set[str] = set()
    for name, value in iterate_decision_values(step, key.analysis.world):
        if name not in decided:
            for move in _build_call(key, "choose", (f"{name}={value}",)):
                decided.add(name)
                yield move


def _iterate_named_premises(text: str, key: AnswerKey) -> Iterator[str]:
    text_words = extract_word_stems(text)
    for quote, words in key.premises.items():
        common = len(words & text_words)
        if (
            words
            and common >= _SAME_PREMISE * len(words)
            and len(text_words) <= max(_MOST_WORDS, 5 * len(words))
        ):
            yield quote


def find_named_premises(text: str, key: AnswerKey) -> frozenset[str]:
    """Return the premises of a scenario that a text names."""
    return frozenset(_iterate_named_premises(text, key))


def _build_call(key: AnswerKey, verb: str, arguments: tuple[str, ...]) -> Iterator[Move]:
    try:
        yield key.analysis.executor.moves.get_move(PlannedCall(verb, arguments))
    except (MoveError, PlanError):
        return
