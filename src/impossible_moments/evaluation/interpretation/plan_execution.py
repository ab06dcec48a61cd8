"""Execution of an interpreted plan, with the steps that follow by themselves added where they are missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.mechanics.execution import Move, MoveError, PlanOutcome
from impossible_moments.mechanics.language import Value
from impossible_moments.mechanics.records import PlanError, parse_call

MOST_UNSAID: Final = 3
"""The most steps that are added at one place of a plan."""


@dataclass(frozen=True)
class ExecutedInterpretation:
    """A plan as it was executed, with its outcome."""

    moves: tuple[Move, ...]
    outcome: PlanOutcome
    added: tuple[str, ...] = ()
    """The calls that the answer leaves out because they follow by themselves."""
    changes: Mapping[str, Value] = field(default_factory=dict)
    lifted: frozenset[str] = frozenset()
    faults: tuple[str, ...] = ()
    """Calls that the record does not allow, with the reason."""

    @property
    def reaches_goal(self) -> bool:
        """Whether the goal is met in time."""
        return not self.faults and self.outcome.reaches_goal

    @property
    def executed_calls(self) -> tuple[str, ...]:
        """The calls that were executed, without inserted errands."""
        return tuple(step.call for step in self.outcome.steps if not step.inserted)


def execute_interpreted_plan(
    calls: Sequence[str],
    key: AnswerKey,
    *,
    lifted: frozenset[str] = frozenset(),
    changes: Mapping[str, Value] | None = None,
) -> ExecutedInterpretation:
    """Execute calls exactly as they are, and add only steps that are marked as unsaid.

    `lifted` names never-lines that are not enforced, `changes` gives other values to quantities.
    """
    moves, faults = _compile_moves(calls, key)
    run = _PlanRunner(key, lifted, changes or {})
    outcome = run.execute(moves)
    added: tuple[str, ...] = ()
    if not outcome.reaches_goal and moves and not faults:
        completed = run.complete(moves)
        if completed is not None:
            moves, added, outcome = completed
    return ExecutedInterpretation(moves, outcome, added, changes or {}, lifted, faults)


def _compile_moves(calls: Sequence[str], key: AnswerKey) -> tuple[tuple[Move, ...], tuple[str, ...]]:
    found: list[Move] = []
    faults: list[str] = []
    for text in calls:
        try:
            found.append(key.analysis.executor.moves.get_move(parse_call(text)))
        except (PlanError, MoveError) as problem:
            faults.append(str(problem))
    return tuple(found), tuple(faults)


@dataclass(frozen=True)
class _PlanRunner:
    key: AnswerKey
    lifted: frozenset[str]
    changes: Mapping[str, Value]

    def execute(self, moves: Sequence[Move]) -> PlanOutcome:
        return self.key.analysis.executor.run_plan(moves, changes=dict(self.changes), lifted=self.lifted)

    def complete(self, moves: Sequence[Move]) -> tuple[tuple[Move, ...], tuple[str, ...], PlanOutcome] | None:
        """Return the plan with unsaid steps added so that it reaches the goal, or None if none does.

        Every stated act must be carried out: steps are added before an act that is blocked, and at the end.
        """
        unsaid = [move for move in self.key.unsaid_moves if move not in moves]
        plan = tuple(moves)
        added: tuple[str, ...] = ()
        for place in (*range(len(moves)), None):
            progress = self._get_progress(plan)
            if place is not None and progress > place + len(added):
                continue  # the step at this place is not blocked
            if place is None and progress < len(plan):
                return None
            if added and (outcome := self.execute(plan)).reaches_goal and progress == len(plan):
                return plan, added, outcome
            for more in _iterate_arrangements(unsaid):
                at = len(plan) if place is None else place + len(added)
                trial = (*plan[:at], *more, *plan[at:])
                outcome = self.execute(trial)
                if place is None and outcome.reaches_goal:
                    return trial, (*added, *(move.text for move in more)), outcome
                if place is not None and self._get_progress(trial) > at + len(more):
                    plan, added = trial, (*added, *(move.text for move in more))
                    break
        return None

    def _get_progress(self, moves: Sequence[Move]) -> int:
        """Return how many moves of a plan were executed. Statements count as executed."""
        outcome = self.execute(moves)
        executed = len([step for step in outcome.steps if not step.inserted]) + len(outcome.said)
        return min(executed, len(moves))


def _iterate_arrangements(moves: Sequence[Move]) -> Iterator[tuple[Move, ...]]:
    for size in range(1, min(MOST_UNSAID, len(moves)) + 1):
        yield from permutations(moves, size)
