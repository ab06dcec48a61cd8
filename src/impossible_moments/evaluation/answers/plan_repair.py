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

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.loose_interpretation import (
    MOVEMENT_VERBS,
    Part,
    get_common_verbs_for_call,
)
from impossible_moments.mechanics.execution import Move, PlanOutcome

MOST_RUNS: Final = 60
"""Maximum number of interpretations of one plan that are executed."""
MOST_IMPLICIT_CALLS: Final = 2
"""Maximum number of implicit calls that may be inserted."""
MOST_FOLLOWING, MOST_FREE = 5, 8
Run = Callable[[Sequence[Move]], PlanOutcome]


@dataclass(frozen=True, slots=True)
class _PlanDraft:
    """A plan with the repairs made so far."""

    parts: tuple[Part, ...]
    implicit_moves: tuple[Move, ...] = ()
    forgiven: bool = False
    deferred: bool = False
    rereads: int = 0
    """Number of steps that were reinterpreted or removed."""

    @property
    def cost(self) -> int:
        """Distance from what the answer says; cheaper drafts are executed first."""
        return self.rereads + 2 * len(self.implicit_moves) + self.deferred + 2 * self.forgiven

    @property
    def moves(self) -> tuple[Move, ...]:
        """The calls of the likeliest interpretation, each of them once."""
        return tuple(dict.fromkeys(move for part in self.parts for move in part[0]))

    def find_index_of_part_with_move(self, move: Move) -> int:
        """Return the index of the first part that contains a move."""
        return next(at for at, part in enumerate(self.parts) if move in part[0])

    def remove_part(self, at: int) -> _PlanDraft:
        """Return the draft without the part at index `at`."""
        return replace(self, parts=(*self.parts[:at], *self.parts[at + 1 :]), rereads=self.rereads + 1)

    def use_next_interpretation(self, at: int) -> _PlanDraft:
        """Return the draft with the next interpretation of the part at index `at`."""
        parts = (*self.parts[:at], self.parts[at][1:], *self.parts[at + 1 :])
        return replace(self, parts=parts, rereads=self.rereads + 1)

    def defer_part(self, at: int) -> _PlanDraft:
        """Return the draft with the part at index `at` moved to the end."""
        moved = (*self.parts[:at], *self.parts[at + 1 :], self.parts[at])
        return replace(self, parts=moved, deferred=True)

    def insert_implicit_call(self, move: Move, at: int) -> _PlanDraft:
        """Return the draft with an implicit call inserted at index `at`."""
        parts = (*self.parts[:at], ((move,),), *self.parts[at:])
        return replace(self, parts=parts, implicit_moves=(*self.implicit_moves, move))


@dataclass(frozen=True, slots=True)
class RepairedPlan:
    """The interpretation that reaches the goal, or else gets furthest."""

    moves: tuple[Move, ...]
    outcome: PlanOutcome
    implicit_moves: tuple[Move, ...] = ()
    """Inserted calls that the plan does not state."""
    is_unrepaired: bool = True
    """Whether no repair was necessary."""


def repair_plan(parts: tuple[Part, ...], key: AnswerKey, run: Run) -> RepairedPlan | None:
    """Return the least repaired interpretation that reaches the goal, or else the one that gets furthest.

    `run` executes moves. None is returned if there is nothing to execute.
    """
    best: RepairedPlan | None = None
    seen: set[tuple[Move, ...]] = set()
    numbers = count()
    queue = [(0, next(numbers), _PlanDraft(parts))]
    while queue and len(seen) < MOST_RUNS:
        _, _, draft = heappop(queue)
        moves = draft.moves
        if not moves or moves in seen:
            continue
        seen.add(moves)
        outcome = run(moves)
        if outcome.reaches_goal:
            return RepairedPlan(moves, outcome, draft.implicit_moves, is_unrepaired=draft.parts == parts)
        if best is None or _compute_progress_sort_key(outcome) > _compute_progress_sort_key(best.outcome):
            best = RepairedPlan(moves, outcome)
        if outcome.end.startswith("blocked"):
            blocked = moves[sum(not step.inserted for step in outcome.steps)]
            repairs = _iterate_repairs(draft, blocked, key)
        else:
            completions = (
                draft.use_next_interpretation(at) for at, part in enumerate(draft.parts) if len(part) > 1
            )
            # only a plan that stops short can be completed by further calls
            repairs = chain(
                completions, _iterate_completed_drafts(draft, key) if outcome.end == "short" else ()
            )
        for each in repairs:
            heappush(queue, (each.cost, next(numbers), each))
    return best


def _compute_progress_sort_key(outcome: PlanOutcome) -> tuple[bool, int]:
    """Return a sort key for progress; failing at a figure ranks above a missing preparation."""
    return is_failure_of_plan_itself(outcome), len(outcome.steps)


def is_failure_of_plan_itself(outcome: PlanOutcome) -> bool:
    """Check whether the plan itself failed (late, dangerous, short, beyond a figure), not its reading."""
    return not outcome.end.startswith("blocked") or outcome.failing_margin is not None


def _iterate_repairs(draft: _PlanDraft, blocked: Move, key: AnswerKey) -> Iterator[_PlanDraft]:
    """Yield repaired drafts for a call that cannot be executed, the likeliest repair first."""
    at = draft.find_index_of_part_with_move(blocked)
    goes = bool(get_common_verbs_for_call(blocked) & MOVEMENT_VERBS)
    if goes and not key.tools & set(blocked.arguments):
        yield draft.remove_part(at)
        return
    for move in _iterate_preparatory_calls(blocked, draft, key):
        yield draft.insert_implicit_call(move, at)
    if len(draft.parts[at]) > 1:
        yield draft.use_next_interpretation(at)
    if goes and not draft.deferred and at < len(draft.parts) - 1:
        yield draft.defer_part(at)
    if not draft.forgiven and len(draft.parts) > 1:
        yield replace(draft.remove_part(at), forgiven=True)


def _iterate_preparatory_calls(blocked: Move, draft: _PlanDraft, key: AnswerKey) -> Iterator[Move]:
    """Yield calls that prepare a thing which the blocked call uses; none if a call was already inserted."""
    if draft.implicit_moves:
        return
    used_things = frozenset(blocked.arguments)
    for named, moves in key.moves.items():
        if named & used_things and len(named - key.implied_things) <= 1 and named <= used_things | {"you"}:
            yield from (
                move
                for move in moves
                if move.own and move not in draft.moves and not _is_insight_call(move, key)
            )


def _iterate_completed_drafts(draft: _PlanDraft, key: AnswerKey) -> Iterator[_PlanDraft]:
    """Yield drafts completed by a call that involves no choice of things, or that uses prepared things."""
    if len(draft.implicit_moves) >= MOST_IMPLICIT_CALLS:
        return
    moves, things = draft.moves, key.analysis.world.things
    used_things = frozenset(name for move in moves for name in move.arguments)
    ready = frozenset(
        name for move in moves for each in move.changes if (name := each.name.partition(".")[0]) in things
    )
    following = [
        move
        for named, made in key.moves.items()
        if named - key.implied_things and named - key.implied_things <= ready | used_things
        for move in made
        if ((move.own and named & ready) or get_common_verbs_for_call(move) & MOVEMENT_VERBS)
        # a call that shows an insight needs a prepared thing, not only a named one
        and not (_is_insight_call(move, key) and named - key.implied_things <= used_things)
    ]
    free = [
        move
        for named, made in key.moves.items()
        if named <= key.implied_things
        for move in made
        if not _is_insight_call(move, key)
    ]
    free.sort(key=lambda move: (not move.own, not get_common_verbs_for_call(move) & MOVEMENT_VERBS))
    for move in [*following[:MOST_FOLLOWING], *free[:MOST_FREE]]:
        if move not in moves:
            yield draft.insert_implicit_call(move, len(draft.parts))


def _is_insight_call(move: Move, key: AnswerKey) -> bool:
    """Check whether a call shows an insight; such a call must be stated and is never inserted."""
    return any(each.is_shown_by((move.text,)) for each in key.insights)
