"""Simulated solvers of known ability: the estimate is unbiased, intervals cover, and adaptive and fixed tests agree."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import exp

import numpy as np
import pytest

from impossible_moments.evaluation.reach import LevelEstimate, LevelPosterior

LEVELS = tuple(range(1, 11))
REPLICATIONS = 120
Solver = Callable[[float], bool]


def simulate_solver(ability: float, slope: float, stream: np.random.Generator) -> Solver:
    """Return a solver that solves half of the items at the level of its ability."""
    return lambda level: bool(stream.random() < 1.0 / (1.0 + exp(-slope * (ability - level))))


def run_adaptive_test(solves: Solver, items: int) -> LevelEstimate:
    posterior = LevelPosterior()
    for _ in range(items):
        level = posterior.choose_level(LEVELS)
        posterior = posterior.add_outcome(level, passed=solves(level))
    return posterior.estimate()


def run_fixed_test(solves: Solver, per_level: int) -> LevelEstimate:
    outcomes = [(float(level), solves(level)) for level in (2, 4, 6, 8, 10) for _ in range(per_level)]
    return LevelPosterior().add_outcomes(outcomes).estimate()


@cache
def replicate(ability: float, slope: float) -> tuple[LevelEstimate, ...]:
    stream = np.random.default_rng([int(10 * ability), int(10 * slope)])
    return tuple(run_adaptive_test(simulate_solver(ability, slope, stream), 20) for _ in range(REPLICATIONS))


@pytest.mark.parametrize("slope", [0.8, 1.5])
@pytest.mark.parametrize("ability", [3.0, 5.5, 8.0])
def test_the_estimate_is_unbiased(ability: float, slope: float) -> None:
    levels = np.array([each.level for each in replicate(ability, slope)])
    error = levels.std() / np.sqrt(len(levels))

    assert abs(levels.mean() - ability) < 0.2 + 2 * error


@pytest.mark.parametrize("slope", [0.8, 1.5])
@pytest.mark.parametrize("ability", [3.0, 5.5, 8.0])
def test_the_interval_covers_the_ability(ability: float, slope: float) -> None:
    found = replicate(ability, slope)
    covered = sum(each.low <= ability <= each.high for each in found)

    # 95 % are expected; below 88 % of 120 has a probability under 0.2 % then
    assert covered / len(found) >= 0.88


def test_intervals_of_twenty_items_are_useful() -> None:
    widths = [each.high - each.low for each in replicate(5.5, 1.5)]

    assert np.median(widths) < 3.0


@pytest.mark.parametrize("ability", [3.0, 6.0, 8.0])
def test_adaptive_and_fixed_tests_agree_within_their_intervals(ability: float) -> None:
    stream = np.random.default_rng(int(ability))
    agreeing = 0
    for _ in range(40):
        solver = simulate_solver(ability, 1.2, stream)
        adaptive, fixed = run_adaptive_test(solver, 20), run_fixed_test(solver, 8)
        agreeing += adaptive.low <= fixed.level <= adaptive.high

    assert agreeing >= 34


def test_the_test_moves_towards_the_solver() -> None:
    posterior = LevelPosterior()
    first = posterior.choose_level(LEVELS)
    harder = posterior.add_outcome(first, passed=True).choose_level(LEVELS)
    easier = posterior.add_outcome(first, passed=False).choose_level(LEVELS)

    assert easier < first < harder


def test_solving_everything_reaches_beyond_the_levels_and_nothing_below_them() -> None:
    all_solved = LevelPosterior().add_outcomes([(10.0, True)] * 12).estimate()
    none_solved = LevelPosterior().add_outcomes([(1.0, False)] * 12).estimate()

    assert all_solved.level > 10
    assert none_solved.level < 1


def test_a_steep_fall_is_told_from_a_flat_one() -> None:
    steep = LevelPosterior().add_outcomes([(4.0, True), (5.0, False)] * 15).estimate()
    flat = (
        LevelPosterior().add_outcomes([(1.0, True), (1.0, False), (9.0, True), (9.0, False)] * 8).estimate()
    )

    assert steep.slope > 1.5 > flat.slope


def test_outcomes_in_any_order_give_the_same_posterior() -> None:
    outcomes = [(3.0, True), (5.0, False), (4.0, True)]
    forward = LevelPosterior().add_outcomes(outcomes)
    backward = LevelPosterior().add_outcomes(reversed(outcomes))

    assert np.allclose(forward.weights, backward.weights)
