"""A plan read loosely: by the things it puts to use, step by step, whatever it calls what it does with them.

People say "knead the soap, press it into the slit, drive on" where a record says `try_it(soap, tank)` and
`carry_on(tank)`. Read loosely, a step stands for calls that together use just the things it names, of those that
compete: all of them, so that naming everything is trying everything. One step that cannot be carried out is forgiven. What only rounds a plan off (going on, going
through) goes without saying at its end. A step that holds back, looks or talks uses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, permutations, product
from typing import Final

from impossible_moments.evaluation.answers import Step
from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.verbs import GENERAL, families_of_action, family_of
from impossible_moments.mechanics.moves import Move

MOST_CHAINS: Final = 8
LONGEST_CHAIN: Final = 3
MOST_ENDS: Final = 12
_GOING: Final = frozenset({"go", "pass", "climb"})
_USES_NOTHING: Final = frozenset(
    """skip stop look measure tell ask show write call signal wait answer choose challenge claim trust obey defy reduce give
    trade share go pass""".split()
)
"""Verbs that put nothing to use in a physical sense; a call of their own family is still theirs."""


def loosely(
    plan: Sequence[Step], key: AnswerKey, spoken: Sequence[Sequence[Move]], *, forgiving: bool = False
) -> Iterator[tuple[Move, ...]]:
    """Readings of a plan, with what it says in words (answers, choices, waits) in its place.

    `spoken` holds for each step the calls it says outright. Nothing comes where a step uses things in a way that no calls
    of the record add up to.
    """
    parts: list[list[tuple[Move, ...]]] = []
    for step, said in zip(plan, spoken, strict=True):
        chains = list(islice(_chains(step, key), MOST_CHAINS))
        if chains:
            parts.append(chains)
        elif said:
            parts.append([(move,) for move in said[:3]])
        elif _used(step, key):
            return
    if not any(parts):
        return
    for kept in _but_one(parts) if forgiving else [parts]:
        for chosen in islice(product(*kept), 12):
            moves = _without_repeats([move for chain in chosen for move in chain])
            yield moves
            for end in islice(_ends(key), MOST_ENDS):
                yield (*moves, *end)


def _but_one(parts: list[list[tuple[Move, ...]]]) -> Iterator[list[list[tuple[Move, ...]]]]:
    """All steps but one: what somebody tries besides, and cannot, need not undo what he can."""
    if len(parts) > 1:
        for at in range(len(parts)):
            yield [*parts[:at], *parts[at + 1 :]]


def _used(step: Step, key: AnswerKey) -> frozenset[str]:
    """The competing things that a step puts to use."""
    families = family_of(step.do)
    if not families or families[0] in _USES_NOTHING:
        return frozenset()
    named = [key.names.meant(phrase) for phrase in step.things]
    things = key.analysis.world.things
    return frozenset(each[0] for each in named if len(each) == 1 and things[each[0]].own) - key.implied


def _chains(step: Step, key: AnswerKey) -> Iterator[tuple[Move, ...]]:
    """Calls that together use just the things of a step, the fewest first."""
    used = _used(step, key)
    if not used:
        return
    calls = [
        move
        for things, moves in key.moves.items()
        if things - key.implied and things - key.implied <= used
        for move in moves
        if move.own or set(families_of_action(move.verb)) & set(family_of(step.do))
    ]
    calls.sort(key=lambda move: (not move.own, not _alike(step, move)))
    for length in range(1, LONGEST_CHAIN + 1):
        for chain in islice(permutations(calls[:8], length), 200):
            if frozenset(name for move in chain for name in move.arguments) - key.implied == used:
                yield chain


def _alike(step: Step, move: Move) -> bool:
    families = family_of(step.do)
    return bool(set(families_of_action(move.verb)) & {*families, *GENERAL})


def _ends(key: AnswerKey) -> Iterator[tuple[Move, ...]]:
    """What rounds a plan off: one or two calls with nothing in them that could be chosen."""
    free = [move for things, moves in key.moves.items() if things <= key.implied for move in moves]
    free.sort(key=lambda move: (not move.own, not set(families_of_action(move.verb)) & _GOING))
    yield from ((move,) for move in free[:8])
    yield from permutations(free[:3], 2)


def _without_repeats(moves: list[Move]) -> tuple[Move, ...]:
    """Calls said several times in a row are made once: kneading, pressing and smoothing are one deed."""
    return tuple(dict.fromkeys(moves))
