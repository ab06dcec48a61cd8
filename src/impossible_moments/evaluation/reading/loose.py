"""A plan read loosely: by the things it puts to use, step by step, whatever it calls what it does with them.

People say "knead the soap, press it into the slit, drive on" where a record says `try_it(soap, tank)` and
`carry_on(tank)`. Read loosely, a step stands for calls that together use just the things it names, of those that
compete: all of them, so that naming everything is trying everything. A step whose things add up to no calls is an aside,
and nothing comes of it. A step that holds back, looks or talks uses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, permutations
from typing import Final

from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.reading.answers import Step
from impossible_moments.evaluation.reading.verbs import GENERAL, families_of_action, family_of
from impossible_moments.mechanics.moves import Move

MOST_CHAINS: Final = 8
LONGEST_CHAIN: Final = 3
MOST_CALLS: Final = 8
WAITING: Final = ("wait", "wait_until")
GOING: Final = frozenset({"go", "pass", "climb", "jump"})
_USES_NOTHING: Final = frozenset(
    "skip stop look measure tell ask show write call wait answer choose challenge claim trust obey defy reduce".split()
)
"""Verbs that put nothing to use in a physical sense; a call of their own family is still theirs."""

Chain = tuple[Move, ...]
Part = tuple[Chain, ...]
"""What one step may stand for: chains of calls, the likeliest first; the empty one where it may be an aside."""


def parts_of(plan: Sequence[Step], key: AnswerKey, spoken: Sequence[Sequence[Move]]) -> tuple[Part, ...]:
    """What each step may stand for; `spoken` holds for each the calls it says outright: answers, choices, waits."""
    found: list[Part] = []
    before: frozenset[str] = frozenset()
    for step, said in zip(plan, spoken, strict=True):
        # a thing that is not there may be what came of things before it: the ash, the mixture
        made = before if any(not key.names.meant(phrase) for phrase in step.things) else frozenset[str]()
        if chains := tuple(islice(_chains(step, key, made), MOST_CHAINS)):
            found.append(chains)
        elif said:
            found.append(_spoken(step, said, key))
        before |= _named(step, key) & key.tools
    return tuple(found)


def _spoken(step: Step, said: Sequence[Move], key: AnswerKey) -> Part:
    """What a step says outright. To sit still and to hold out is one wait; a wait may also be told and be part of a deed."""
    if "wait" not in family_of(step.do):
        return tuple((move,) for move in said[:3])
    named = frozenset(each[0] for phrase in step.things if len(each := key.names.meant(phrase)) == 1)
    waits = sorted(said, key=lambda move: not named & set(move.arguments))
    whole = tuple(move for move in waits if move.own and move.verb not in WAITING)
    both = (whole, whole[::-1]) if len(whole) == 2 else ()  # noqa: PLR2004
    # who names what he waits for may tell how long a deed takes
    return (*((move,) for move in waits[:3]), *both, *([()] if step.things else []))


def _named(step: Step, key: AnswerKey) -> frozenset[str]:
    """The things that a step puts to use, as far as it is clear which they are."""
    families = family_of(step.do)
    if not families or families[0] in _USES_NOTHING:
        return frozenset()
    meant = [key.names.meant(phrase) for phrase in step.things]
    return frozenset(each[0] for each in meant if len(each) == 1)


def _chains(step: Step, key: AnswerKey, made: frozenset[str] = frozenset()) -> Iterator[Chain]:
    """Calls that together use just the things of a step: those of its verb first, then the fewest.

    `made` are things of earlier steps that it may speak of by what came of them.
    """
    named = _named(step, key)
    # a loose thing that no call takes is used all the same, and then the step is no call
    used = named & (key.competing | key.tools)
    families = frozenset(family_of(step.do))
    if not used:
        yield from _on_what_stands_fast(named - {"you"}, families, key, made)
        return
    calls = [
        move
        for things, moves in key.moves.items()
        if things & used and things - key.implied <= used | made
        for move in moves
        if (move.own and not families & GOING) or families_of(move) & families
    ]
    calls.sort(key=lambda move: (not move.own, not _alike(move, families)))
    chains = [
        made_of
        for length in range(1, LONGEST_CHAIN + 1)
        for made_of in islice(permutations(calls[:MOST_CALLS], length), 200)
        if _covers(made_of, used, made, key) and not _elsewhere(made_of, named, key)
    ]
    likely = [each for each in chains if any(_alike(move, families) for move in each)]
    yield from likely
    if chains and not likely:
        yield chains[0]
        # nothing that its verb could mean: perhaps it is only said
        yield ()
    yield from (each for each in chains[0 if likely else 1 :] if each not in likely)


def _on_what_stands_fast(
    named: frozenset[str], families: frozenset[str], key: AnswerKey, made: frozenset[str]
) -> Iterator[Chain]:
    """Calls on the one thing a step names that is no tool: lifting the jar, towing the ketch. Perhaps it is only said."""
    calls = [
        move
        for things, moves in key.moves.items()
        if things & named and things - {"you"} <= named | made
        for move in moves
        if move.own
    ]
    calls.sort(key=lambda move: not _alike(move, families))
    yield from ((move,) for move in calls[:MOST_CHAINS])
    if calls and not _alike(calls[0], families):
        yield ()


def _covers(calls: Chain, used: frozenset[str], made: frozenset[str], key: AnswerKey) -> bool:
    covered = frozenset(name for move in calls for name in move.arguments) - key.implied
    # what stands fast is often named only to say where
    return covered <= used | made and used & key.tools <= covered


def _elsewhere(calls: Chain, named: frozenset[str], key: AnswerKey) -> bool:
    """Whether calls work on something that stands fast, and a step names something else that does."""
    there = frozenset(name for move in calls for name in move.arguments) - key.tools - {"you"}
    said = named - key.tools - {"you"}
    return bool(there and said) and not there & said


def _alike(move: Move, families: frozenset[str]) -> bool:
    return bool(families_of(move) & (families | frozenset(GENERAL)))


def families_of(move: Move) -> frozenset[str]:
    """The common verbs that a call may be told in."""
    return frozenset(families_of_action(move.verb))
