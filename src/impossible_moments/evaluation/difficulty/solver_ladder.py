"""A ladder of solvers without knowledge of the catalogue, from one act to bounded searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.difficulty.solver_responses import SolverResponses
from impossible_moments.evaluation.runs.greedy_search import find_greedy_plan, find_plan_within_nodes
from impossible_moments.mechanics.execution import MoveError
from impossible_moments.mechanics.records import PlanError

SOLVABLE: Final = frozenset({"KS", "DG"})
"""Statuses that a plan answers. A solver that only looks for plans says nothing about the others."""
NODES: Final = (10, 100, 1_000)


def try_first_idea(key: AnswerKey) -> bool:
    """Return whether the act that brings the goal nearest at the start is enough."""
    return _reaches_goal(key, find_greedy_plan(key)[:1])


def try_single_acts(key: AnswerKey) -> bool:
    """Return whether one act alone reaches the goal."""
    executor = key.analysis.executor
    return any(executor.run_plan((move,)).reaches_goal for move in executor.moves.all_actions)


def try_greedy_steps(key: AnswerKey) -> bool:
    """Return whether taking the step that brings the goal nearest, again and again, reaches it."""
    return _reaches_goal(key, find_greedy_plan(key))


def try_bounded_search(nodes: int, key: AnswerKey) -> bool:
    """Return whether a best-first search finds a plan within a number of partial plans."""
    plan = find_plan_within_nodes(key, nodes)
    return plan is not None and _reaches_goal(key, plan)


def _reaches_goal(key: AnswerKey, calls: Sequence[str]) -> bool:
    try:
        moves = key.analysis.executor.parse_plan(calls)
    except (MoveError, PlanError):
        return False
    return key.analysis.executor.run_plan(moves).reaches_goal


LADDER: Final[Mapping[str, Callable[[AnswerKey], bool]]] = {
    "first idea": try_first_idea,
    "any one act": try_single_acts,
    "greedy steps": try_greedy_steps,
    **{f"search of {nodes} nodes": partial(try_bounded_search, nodes) for nodes in NODES},
}
"""The solvers by name, ordered by their effort."""


def climb_ladder(keys: Mapping[str, AnswerKey]) -> tuple[SolverResponses, ...]:
    """Return which scenarios each solver of the ladder solves. Scenarios that no plan answers are left out."""
    solvable = {name: key for name, key in keys.items() if key.status in SOLVABLE}
    return tuple(
        SolverResponses(solver, {name: float(attempt(key)) for name, key in solvable.items()})
        for solver, attempt in LADDER.items()
    )
