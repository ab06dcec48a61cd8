"""Loose interpretation of a plan: each step is read by the things it uses, whatever its verb is.

An answer says "knead the soap, press it into the slit, drive on" where a record has `try_it(soap, tank)` and
`carry_on(tank)`. In the loose interpretation, a step stands for calls that together use exactly the competing
things that it names, so naming everything means trying everything. A step whose things match no calls has no
effect. A step that only refrains, looks or talks uses no things.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, permutations
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerStep
from impossible_moments.evaluation.answers.common_verbs import (
    GENERAL,
    find_action_families,
    find_verb_families,
)
from impossible_moments.mechanics.execution import Move

MOST_CHAINS: Final = 8
LONGEST_CHAIN: Final = 3
MOST_CALLS: Final = 8
WAITING: Final = ("wait", "wait_until")
GOING: Final = frozenset({"go", "pass", "climb", "jump"})
_USES_NOTHING: Final = frozenset(
    "skip stop look measure tell ask show write call wait answer choose challenge claim trust obey defy reduce".split()
)
"""Verbs that use nothing physically; calls of their own family still match them."""

Chain = tuple[Move, ...]
Part = tuple[Chain, ...]
"""Chains of calls that one step may stand for, the likeliest first. An empty chain means no effect."""


def list_step_interpretations(
    plan: Sequence[AnswerStep], key: AnswerKey, spoken: Sequence[Sequence[Move]]
) -> tuple[Part, ...]:
    """Return the possible call chains of each step; `spoken` holds its answers, choices and waits."""
    found: list[Part] = []
    before: frozenset[str] = frozenset()
    for step, said in zip(plan, spoken, strict=True):
        # an unknown thing may be the product of things used earlier: the ash, the mixture
        made = (
            before
            if any(not key.names.resolve_phrase(phrase) for phrase in step.things)
            else frozenset[str]()
        )
        if chains := tuple(islice(_iterate_call_chains(step, key, made), MOST_CHAINS)):
            found.append(chains)
        elif said:
            found.append(_list_explicit_call_chains(step, said, key))
        before |= _find_used_things(step, key) & key.tools
    return tuple(found)


def _list_explicit_call_chains(step: AnswerStep, said: Sequence[Move], key: AnswerKey) -> Part:
    """Return the explicit calls of a step as chains.

    Several waiting calls of the record can make up one wait. A wait that names things may also only describe
    how long another action takes, so the empty chain is added.
    """
    if "wait" not in find_verb_families(step.do):
        return tuple((move,) for move in said[:3])
    named = frozenset(each[0] for phrase in step.things if len(each := key.names.resolve_phrase(phrase)) == 1)
    waits = sorted(said, key=lambda move: not named & set(move.arguments))
    whole = tuple(move for move in waits if move.own and move.verb not in WAITING)
    both = (whole, whole[::-1]) if len(whole) == 2 else ()  # noqa: PLR2004
    # a wait that names things may describe the duration of another action
    return (*((move,) for move in waits[:3]), *both, *([()] if step.things else []))


def _find_used_things(step: AnswerStep, key: AnswerKey) -> frozenset[str]:
    """Return the things that a step uses, leaving out ambiguous phrases."""
    families = find_verb_families(step.do)
    if not families or families[0] in _USES_NOTHING:
        return frozenset()
    meant = [key.names.resolve_phrase(phrase) for phrase in step.things]
    return frozenset(each[0] for each in meant if len(each) == 1)


def _iterate_call_chains(
    step: AnswerStep, key: AnswerKey, made: frozenset[str] = frozenset()
) -> Iterator[Chain]:
    """Yield call chains that use exactly the things of a step: those of its verb first, then the shortest.

    `made` are things of earlier steps whose product the step may mention.
    """
    named = _find_used_things(step, key)
    # a tool that no call takes still counts as used, and then the step matches no call
    used = named & (key.competing_things | key.tools)
    families = frozenset(find_verb_families(step.do))
    if not used:
        yield from _iterate_calls_on_fixed_things(named - {"you"}, families, key, made)
        return
    calls = [
        move
        for things, moves in key.moves.items()
        if things & used and things - key.implied_things <= used | made
        for move in moves
        if (move.own and not families & GOING) or get_move_families(move) & families
    ]
    calls.sort(key=lambda move: (not move.own, not _matches_verb_families(move, families)))
    chains = [
        made_of
        for length in range(1, LONGEST_CHAIN + 1)
        for made_of in islice(permutations(calls[:MOST_CALLS], length), 200)
        if _covers_exactly_used_things(made_of, used, made, key)
        and not _acts_on_other_fixed_things(made_of, named, key)
    ]
    likely = [each for each in chains if any(_matches_verb_families(move, families) for move in each)]
    yield from likely
    if chains and not likely:
        yield chains[0]
        # no chain matches the verb, so the step may have no effect
        yield ()
    yield from (each for each in chains[0 if likely else 1 :] if each not in likely)


def _iterate_calls_on_fixed_things(
    named: frozenset[str], families: frozenset[str], key: AnswerKey, made: frozenset[str]
) -> Iterator[Chain]:
    """Yield calls on a named thing that is not a tool, and the empty chain if none matches the verb."""
    calls = [
        move
        for things, moves in key.moves.items()
        if things & named and things - {"you"} <= named | made
        for move in moves
        if move.own
    ]
    calls.sort(key=lambda move: not _matches_verb_families(move, families))
    yield from ((move,) for move in calls[:MOST_CHAINS])
    if calls and not _matches_verb_families(calls[0], families):
        yield ()


def _covers_exactly_used_things(
    calls: Chain, used: frozenset[str], made: frozenset[str], key: AnswerKey
) -> bool:
    covered = frozenset(name for move in calls for name in move.arguments) - key.implied_things
    # a fixed thing is often named only as a location
    return covered <= used | made and used & key.tools <= covered


def _acts_on_other_fixed_things(calls: Chain, named: frozenset[str], key: AnswerKey) -> bool:
    """Check whether calls act on fixed things while the step names only other fixed things."""
    there = frozenset(name for move in calls for name in move.arguments) - key.tools - {"you"}
    said = named - key.tools - {"you"}
    return bool(there and said) and not there & said


def _matches_verb_families(move: Move, families: frozenset[str]) -> bool:
    return bool(get_move_families(move) & (families | frozenset(GENERAL)))


def get_move_families(move: Move) -> frozenset[str]:
    """Return the common verbs that can describe a call."""
    return frozenset(find_action_families(move.verb))
