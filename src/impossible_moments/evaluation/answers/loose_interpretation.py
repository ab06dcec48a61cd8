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
    find_common_verbs_for_answer_phrase,
    find_common_verbs_for_record_verb,
)
from impossible_moments.mechanics.execution import Move

MOST_CHAINS: Final = 8
LONGEST_CHAIN: Final = 3
MOST_CALLS: Final = 8
WAITING: Final = ("wait", "wait_until")
MOVEMENT_VERBS: Final = frozenset({"go", "pass", "climb", "jump"})
_VERBS_WITHOUT_TOOLS: Final = frozenset(
    "skip stop look measure tell ask show write call wait answer choose challenge claim trust obey defy reduce".split()
)
"""Verbs that use nothing physically; calls of their own family still match them."""

Chain = tuple[Move, ...]
Part = tuple[Chain, ...]
"""Chains of calls that one step may stand for, the likeliest first. An empty chain means no effect."""


def list_step_interpretations(
    plan: Sequence[AnswerStep], key: AnswerKey, explicit_moves: Sequence[Sequence[Move]]
) -> tuple[Part, ...]:
    """Return the possible call chains of each step; `explicit_moves` holds its answers, choices and waits."""
    found: list[Part] = []
    before: frozenset[str] = frozenset()
    for step, moves in zip(plan, explicit_moves, strict=True):
        # an unknown thing may be the product of things used earlier: the ash, the mixture
        produced_things = (
            before
            if any(not key.names.resolve_phrase(phrase) for phrase in step.things)
            else frozenset[str]()
        )
        if chains := tuple(islice(_iterate_call_chains(step, key, produced_things), MOST_CHAINS)):
            found.append(chains)
        elif moves:
            found.append(_list_explicit_call_chains(step, moves, key))
        before |= _find_used_things(step, key) & key.tools
    return tuple(found)


def _list_explicit_call_chains(step: AnswerStep, moves: Sequence[Move], key: AnswerKey) -> Part:
    """Return the explicit calls of a step as chains.

    Several waiting calls of the record can make up one wait. A wait that names things may also only describe
    how long another action takes, so the empty chain is added.
    """
    if "wait" not in find_common_verbs_for_answer_phrase(step.do):
        return tuple((move,) for move in moves[:3])
    named = frozenset(each[0] for phrase in step.things if len(each := key.names.resolve_phrase(phrase)) == 1)
    ordered_moves = sorted(moves, key=lambda move: not named & set(move.arguments))
    own_moves = tuple(move for move in ordered_moves if move.own and move.verb not in WAITING)
    both_orders = (own_moves, own_moves[::-1]) if len(own_moves) == 2 else ()  # noqa: PLR2004
    # a wait that names things may describe the duration of another action
    return (*((move,) for move in ordered_moves[:3]), *both_orders, *([()] if step.things else []))


def _find_used_things(step: AnswerStep, key: AnswerKey) -> frozenset[str]:
    """Return the things that a step uses, leaving out ambiguous phrases."""
    families = find_common_verbs_for_answer_phrase(step.do)
    if not families or families[0] in _VERBS_WITHOUT_TOOLS:
        return frozenset()
    resolved = [key.names.resolve_phrase(phrase) for phrase in step.things]
    return frozenset(each[0] for each in resolved if len(each) == 1)


def _iterate_call_chains(
    step: AnswerStep, key: AnswerKey, produced_things: frozenset[str] = frozenset()
) -> Iterator[Chain]:
    """Yield call chains that use exactly the things of a step: those of its verb first, then the shortest.

    `produced_things` are things of earlier steps whose product the step may mention.
    """
    named = _find_used_things(step, key)
    # a tool that no call takes still counts as used, and then the step matches no call
    used_things = named & (key.competing_things | key.tools)
    families = frozenset(find_common_verbs_for_answer_phrase(step.do))
    if not used_things:
        yield from _iterate_calls_on_fixed_things(named - {"you"}, families, key, produced_things)
        return
    calls = [
        move
        for things, moves in key.moves.items()
        if things & used_things and things - key.implied_things <= used_things | produced_things
        for move in moves
        if (move.own and not families & MOVEMENT_VERBS) or get_common_verbs_for_call(move) & families
    ]
    calls.sort(key=lambda move: (not move.own, not _matches_verb_families(move, families)))
    chains = [
        made_of
        for length in range(1, LONGEST_CHAIN + 1)
        for made_of in islice(permutations(calls[:MOST_CALLS], length), 200)
        if _covers_exactly_used_things(made_of, used_things, produced_things, key)
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
    named_things: frozenset[str], families: frozenset[str], key: AnswerKey, produced_things: frozenset[str]
) -> Iterator[Chain]:
    """Yield calls on a named thing that is not a tool, and the empty chain if none matches the verb."""
    calls = [
        move
        for things, moves in key.moves.items()
        if things & named_things and things - {"you"} <= named_things | produced_things
        for move in moves
        if move.own
    ]
    calls.sort(key=lambda move: not _matches_verb_families(move, families))
    yield from ((move,) for move in calls[:MOST_CHAINS])
    if calls and not _matches_verb_families(calls[0], families):
        yield ()


def _covers_exactly_used_things(
    calls: Chain, used_things: frozenset[str], produced_things: frozenset[str], key: AnswerKey
) -> bool:
    covered = frozenset(name for move in calls for name in move.arguments) - key.implied_things
    # a fixed thing is often named only as a location
    return covered <= used_things | produced_things and used_things & key.tools <= covered


def _acts_on_other_fixed_things(calls: Chain, named_things: frozenset[str], key: AnswerKey) -> bool:
    """Check whether calls act on fixed things while the step names only other fixed things."""
    acted_on = frozenset(name for move in calls for name in move.arguments) - key.tools - {"you"}
    named_fixed = named_things - key.tools - {"you"}
    return bool(acted_on and named_fixed) and not acted_on & named_fixed


def _matches_verb_families(move: Move, families: frozenset[str]) -> bool:
    return bool(get_common_verbs_for_call(move) & (families | frozenset(GENERAL)))


def get_common_verbs_for_call(move: Move) -> frozenset[str]:
    """Return the common verbs that can describe a call."""
    return frozenset(find_common_verbs_for_record_verb(move.verb))
