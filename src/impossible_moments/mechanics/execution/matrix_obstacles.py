"""Why the states of a world cannot be followed as rows of numbers: what would change between the moves of a plan."""

from __future__ import annotations

import numpy as np

from impossible_moments.mechanics.execution.executor import PlanExecutor
from impossible_moments.mechanics.execution.moves import Move, MoveKind
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.world.world_model import ELAPSED


def find_matrix_obstacle(executor: PlanExecutor, moves: tuple[Move, ...]) -> str:
    """Return why a world cannot be compiled for many states at once, or an empty text if it can."""
    world, dynamics = executor.engine.world, executor.dynamics
    if executor.engine.decisions:
        return f"`{executor.engine.decisions[0].name}` is chosen by the solver"
    for move in moves:
        if move.unattended:
            return f"`{move.verb}` goes on unattended"
        if move.logistics or any(executor.find_logistics_moves(test) for test in move.tests):
            return f"`{move.verb}` needs a person to go or fetch something first"
        if move.kind is not MoveKind.ACT:
            return f"`{move.text}` is not an action"
    trees = [world.goal, *world.rates.values(), *(never.tree for never in world.never_rules)]
    trees += [tree for move in moves for tree in (*(test.tree for test in move.tests), move.takes_tree)]
    if any(ELAPSED in world.collect_stated_quantities(tree) for tree in trees):
        return "a condition reads the elapsed time"
    if not dynamics.has_constant_rates:
        return "a rate reads a changing state"
    return _find_helpful_rate(executor, moves)


def _find_helpful_rate(executor: PlanExecutor, moves: tuple[Move, ...]) -> str:
    """Return which rate could make a condition true or end a danger, so that waiting might help."""
    world = executor.engine.world
    signs = {name: _find_sign(executor, tree) for name, tree in world.rates.items()}
    wanted = [(f"{test.name}", test.tree) for move in moves for test in move.tests]
    wanted += [("goal", world.goal), *((never.name, ex.Negation(never.tree)) for never in world.never_rules)]
    for label, tree in wanted:
        expanded = world.expand_derived_quantities(tree)
        for name, sign in signs.items():
            if name in ex.collect_paths(expanded) and (
                not sign or _can_become_true(expanded, name, sign, wanted=True)
            ):
                return f"`{name}` changes by itself and could make `{label}` true"
    return ""


def _find_sign(executor: PlanExecutor, tree: Expression) -> int:
    """Return the direction of a constant rate, or 0 if it depends on anything that changes."""
    world = executor.engine.world
    if world.collect_stated_quantities(tree) & world.mutable:
        return 0
    value = executor.engine.evaluate_expression(tree)
    return 0 if isinstance(value, str) else int(np.sign(float(value)))


def _can_become_true(tree: Expression, name: str, sign: int, *, wanted: bool) -> bool:
    """Return whether a condition can change to `wanted` while a state moves in one direction."""
    match tree:
        case ex.Conjunction(parts) | ex.Disjunction(parts):
            return any(_can_become_true(part, name, sign, wanted=wanted) for part in parts)
        case ex.Negation(inner):
            return _can_become_true(inner, name, sign, wanted=not wanted)
        case ex.Comparison(operator, left, right) if operator in {"<", "<=", ">", ">="}:
            slope = _find_slope(left, name) - _find_slope(right, name)
            if np.isnan(slope):
                return True
            rising = slope * sign if operator in {">", ">="} else -slope * sign
            return bool(rising > 0 if wanted else rising < 0)
        case _:
            return name in ex.collect_paths(tree)


def _find_slope(tree: Expression, name: str) -> float:
    """Return the sign of the slope of a side in a state: 0 if it does not read it, nan if it is not plain."""
    if name not in ex.collect_paths(tree):
        return 0.0
    match tree:
        case ex.Name() | ex.Property():
            return 1.0
        case ex.UnaryMinus(inner):
            return -_find_slope(inner, name)
        case ex.Arithmetic("+", left, right):
            return _join_slopes(_find_slope(left, name), _find_slope(right, name))
        case ex.Arithmetic("-", left, right):
            return _join_slopes(_find_slope(left, name), -_find_slope(right, name))
        case _:
            return np.nan


def _join_slopes(left: float, right: float) -> float:
    return left + right if left * right >= 0 else np.nan
