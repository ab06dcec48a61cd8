"""Repair of a loosely interpreted plan: where execution is blocked, the plan is changed and executed again.

Missing obvious calls are inserted: preparing a thing that is used, using a thing that was prepared, and
completing the plan. Movement that leads nowhere is removed or deferred. Other interpretations of a step are
tried. At most one step that cannot be executed is dropped, so that a plan that tries everything does not
succeed.
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
"""Maximum number of interpretations of one plan that are executed."""
MOST_UNSAID: Final = 2
"""Maximum number of implicit calls that may be inserted."""
MOST_FOLLOWING, MOST_FREE = 5, 8
Run = Callable[[Sequence[Move]], Outcome]


@dataclass(frozen=True, slots=True)
class _Draft:
    """A plan with the repairs made so far."""

    parts: tuple[Part, ...]
    unsaid: tuple[Move, ...] = ()
    forgiven: bool = False
    deferred: bool = False
    rereads: int = 0
    """Number of steps that were reinterpreted or removed."""

    @property
    def cost(self) -> int:
        """Distance from what the answer says; cheaper drafts are executed first."""
        return self.rereads + 2 * len(self.unsaid) + self.deferred + 2 * self.forgiven

    @property
    def moves(self) -> tuple[Move, ...]:
        """The calls of the likeliest interpretation, each of them once."""
        return tuple(dict.fromkeys(move for part in self.parts for move in part[0]))

    def part_of(self, move: Move) -> int:
        """Return the index of the first part that contains a move."""
        return next(at for at, part in enumerate(self.parts) if move in part[0])

    def without(self, at: int) -> _Draft:
        """Return the draft without the part at index `at`."""
        return replace(self, parts=(*self.parts[:at], *self.parts[at + 1 :]), rereads=self.rereads + 1)

    def otherwise(self, at: int) -> _Draft:
        """Return the draft with the next interpretation of the part at index `at`."""
        parts = (*self.parts[:at], self.parts[at][1:], *self.parts[at + 1 :])
        return replace(self, parts=parts, rereads=self.rereads + 1)

    def later(self, at: int) -> _Draft:
        """Return the draft with the part at index `at` moved to the end."""
        moved = (*self.parts[:at], *self.parts[at + 1 :], self.parts[at])
        return replace(self, parts=moved, deferred=True)

    def with_unsaid(self, move: Move, at: int) -> _Draft:
        """Return the draft with an implicit call inserted at index `at`."""
        parts = (*self.parts[:at], ((move,),), *self.parts[at:])
        return replace(self, parts=parts, unsaid=(*self.unsaid, move))


@dataclass(frozen=True, slots=True)
class Mended:
    """The interpretation that reaches the goal, or else gets furthest."""

    moves: tuple[Move, ...]
    outcome: Outcome
    unsaid: tuple[Move, ...] = ()
    """Inserted calls that the plan does not state."""
    straight: bool = True
    """Whether no repair was necessary."""


def mended(parts: tuple[Part, ...], key: AnswerKey, run: Run) -> Mended | None:
    """Return the least repaired interpretation that reaches the goal, or else the one that gets furthest.

    `run` executes moves. None is returned if there is nothing to execute.
    """
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
            # only a plan that stops short can be completed by further calls
            further = chain(others, _endings(draft, key) if outcome.end == "short" else ())
        for each in further:
            heappush(waiting, (each.cost, next(numbers), each))
    return furthest


def _further(outcome: Outcome) -> tuple[bool, int]:
    """Return a sort key for progress; failing at a figure ranks above a missing preparation."""
    return fails_by_itself(outcome), len(outcome.steps)


def fails_by_itself(outcome: Outcome) -> bool:
    """Check whether the plan itself failed (late, dangerous, short, beyond a figure), not its reading."""
    return not outcome.end.startswith("blocked") or outcome.failing_margin is not None


def _mendings(draft: _Draft, stuck: Move, key: AnswerKey) -> Iterator[_Draft]:
    """Yield repaired drafts for a call that cannot be executed, the likeliest repair first."""
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
    """Yield calls that prepare a thing which the blocked call uses; none if a call was already inserted."""
    if draft.unsaid:
        return
    used = frozenset(stuck.arguments)
    for named, made in key.moves.items():
        if named & used and len(named - key.implied) <= 1 and named <= used | {"you"}:
            yield from (
                move for move in made if move.own and move not in draft.moves and not _tells(move, key)
            )


def _endings(draft: _Draft, key: AnswerKey) -> Iterator[_Draft]:
    """Yield drafts completed by a call that involves no choice of things, or that uses prepared things."""
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
        # a call that shows an insight needs a prepared thing, not only a named one
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
    """Check whether a call shows an insight; such a call must be stated and is never inserted."""
    return any(each.shown_by((move.text,)) for each in key.insights)
