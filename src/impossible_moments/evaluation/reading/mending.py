"""A plan that was read loosely, carried out as somebody would who was told it: where it sticks, it is mended.

What goes without saying is said: what makes ready a thing that is used, what follows from a thing that was made ready,
what rounds a plan off. Climbing, hanging and jumping that leads nowhere is left out, or is done when it can be. Another
meaning of a step is tried. One step that cannot be carried out is forgiven, and only one: who tries everything has found
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import chain, count
from typing import Final

from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.reading.loose import GOING, Part, families_of
from impossible_moments.mechanics.moves import Move
from impossible_moments.mechanics.outcomes import Outcome

MOST_RUNS: Final = 60
"""Readings of one plan that are executed."""
MOST_UNSAID: Final = 2
"""Calls that may go without saying."""
MOST_FOLLOWING, MOST_FREE = 5, 8
Run = Callable[[Sequence[Move]], Outcome]


@dataclass(frozen=True, slots=True)
class _Draft:
    """A plan as far as it was mended."""

    parts: tuple[Part, ...]
    unsaid: tuple[Move, ...] = ()
    forgiven: bool = False
    deferred: bool = False
    rereads: int = 0
    """How often a step was read otherwise, or left out as leading nowhere."""

    @property
    def cost(self) -> int:
        """How far it is from what was said."""
        return self.rereads + 2 * len(self.unsaid) + self.deferred + 2 * self.forgiven

    @property
    def moves(self) -> tuple[Move, ...]:
        """The likeliest reading. Calls said several times are made once: kneading, pressing and smoothing are one deed."""
        return tuple(dict.fromkeys(move for part in self.parts for move in part[0]))

    def part_of(self, move: Move) -> int:
        """Which part a move first stands in."""
        return next(at for at, part in enumerate(self.parts) if move in part[0])

    def without(self, at: int) -> _Draft:
        """The draft with one part left out."""
        return replace(self, parts=(*self.parts[:at], *self.parts[at + 1 :]), rereads=self.rereads + 1)

    def otherwise(self, at: int) -> _Draft:
        """The draft with the next meaning of one part."""
        parts = (*self.parts[:at], self.parts[at][1:], *self.parts[at + 1 :])
        return replace(self, parts=parts, rereads=self.rereads + 1)

    def later(self, at: int) -> _Draft:
        """The draft with one part at its end."""
        moved = (*self.parts[:at], *self.parts[at + 1 :], self.parts[at])
        return replace(self, parts=moved, deferred=True)

    def with_unsaid(self, move: Move, at: int) -> _Draft:
        """The draft with a call that goes without saying."""
        parts = (*self.parts[:at], ((move,),), *self.parts[at:])
        return replace(self, parts=parts, unsaid=(*self.unsaid, move))


@dataclass(frozen=True, slots=True)
class Mended:
    """A reading that reaches the goal, or else comes furthest."""

    moves: tuple[Move, ...]
    outcome: Outcome
    unsaid: tuple[Move, ...] = ()
    """Calls in it that the plan does not say."""
    straight: bool = True
    """Whether nothing had to be mended."""


def mended(parts: tuple[Part, ...], key: AnswerKey, run: Run) -> Mended | None:
    """The first reading that reaches the goal, the least mended ones first; else the one that comes furthest, if there is any."""
    furthest: Mended | None = None
    seen: set[tuple[Move, ...]] = set()
    numbers = count()
    waiting = [(0, next(numbers), _Draft(parts))]
    while waiting and len(seen) < MOST_RUNS:
        _, _, draft = heappop(waiting)
        moves = draft.moves
        if not moves or moves in seen:
            continue
        seen.add(moves)
        outcome = run(moves)
        if outcome.reaches_goal:
            return Mended(moves, outcome, draft.unsaid, straight=draft.parts == parts)
        if furthest is None or _further(outcome) > _further(furthest.outcome):
            furthest = Mended(moves, outcome)
        if outcome.end.startswith("blocked"):
            stuck = moves[sum(not step.inserted for step in outcome.steps)]
            further = _mendings(draft, stuck, key)
        else:
            others = (draft.otherwise(at) for at, part in enumerate(draft.parts) if len(part) > 1)
            # what came too late or went wrong does not get better by going on
            further = chain(others, _endings(draft, key) if outcome.end == "short" else ())
        for each in further:
            heappush(waiting, (each.cost, next(numbers), each))
    return furthest


def _further(outcome: Outcome) -> tuple[bool, int]:
    """How far a reading comes: one that breaks at a figure was understood, one that sticks at what is not ready was not."""
    return fails_by_itself(outcome), len(outcome.steps)


def fails_by_itself(outcome: Outcome) -> bool:
    """Whether what failed is a plan, and not the reading of it: it is late, dangerous, short, or breaks at a figure."""
    return not outcome.end.startswith("blocked") or outcome.failing_margin is not None


def _mendings(draft: _Draft, stuck: Move, key: AnswerKey) -> Iterator[_Draft]:
    """What to do where a call cannot be carried out."""
    at = draft.part_of(stuck)
    goes = bool(families_of(stuck) & GOING)
    if goes and not key.tools & set(stuck.arguments):
        yield draft.without(at)
        return
    for move in _making_ready(stuck, draft, key):
        yield draft.with_unsaid(move, at)
    if len(draft.parts[at]) > 1:
        yield draft.otherwise(at)
    if goes and not draft.deferred and at < len(draft.parts) - 1:
        yield draft.later(at)
    if not draft.forgiven and len(draft.parts) > 1:
        yield replace(draft.without(at), forgiven=True)


def _making_ready(stuck: Move, draft: _Draft, key: AnswerKey) -> Iterator[Move]:
    """Calls on a thing that the stuck one uses: what is used has been fetched, and what it is used on made ready."""
    if draft.unsaid:
        return
    used = frozenset(stuck.arguments)
    for named, made in key.moves.items():
        if named & used and len(named - key.implied) <= 1 and named <= used | {"you"}:
            yield from (
                move for move in made if move.own and move not in draft.moves and not _tells(move, key)
            )


def _endings(draft: _Draft, key: AnswerKey) -> Iterator[_Draft]:
    """What rounds a plan off: one or two calls with nothing in them that could be chosen, or with what was made ready."""
    if len(draft.unsaid) >= MOST_UNSAID:
        return
    moves, things = draft.moves, key.analysis.world.things
    used = frozenset(name for move in moves for name in move.arguments)
    ready = frozenset(
        name for move in moves for each in move.changes if (name := each.name.partition(".")[0]) in things
    )
    following = [
        move
        for named, made in key.moves.items()
        if named - key.implied and named - key.implied <= ready | used
        for move in made
        if ((move.own and named & ready) or families_of(move) & GOING)
        # the thing it turns on was made ready, and not merely spoken of
        and not (_tells(move, key) and named - key.implied <= used)
    ]
    free = [
        move
        for named, made in key.moves.items()
        if named <= key.implied
        for move in made
        if not _tells(move, key)
    ]
    free.sort(key=lambda move: (not move.own, not families_of(move) & GOING))
    for move in [*following[:MOST_FOLLOWING], *free[:MOST_FREE]]:
        if move not in moves:
            yield draft.with_unsaid(move, len(draft.parts))


def _tells(move: Move, key: AnswerKey) -> bool:
    """Whether a call shows an insight: then it has to be said."""
    return any(each.shown_by((move.text,)) for each in key.insights)
