"""The Rasch fit recovers known difficulties and abilities, with honest standard errors and item fit."""

from __future__ import annotations

import numpy as np
import pytest

from impossible_moments.evaluation.difficulty import fit_rasch_model
from impossible_moments.evaluation.difficulty.rasch_model import Floats


def simulate(abilities: Floats, difficulties: Floats, seed: int) -> Floats:
    chance = 1.0 / (1.0 + np.exp(-(abilities[:, None] - difficulties[None, :])))
    return (np.random.default_rng(seed).random(chance.shape) < chance).astype(float)


ABILITIES = np.linspace(-2.5, 2.5, 60)
DIFFICULTIES = np.linspace(-2.0, 2.0, 30)


def test_difficulties_and_abilities_are_recovered() -> None:
    fit = fit_rasch_model(simulate(ABILITIES, DIFFICULTIES, 1))

    assert np.corrcoef(fit.difficulties, DIFFICULTIES)[0, 1] > 0.95
    assert np.corrcoef(fit.abilities, ABILITIES)[0, 1] > 0.95
    assert fit.difficulties.mean() == pytest.approx(0.0, abs=1e-9)
    assert np.abs(fit.difficulties - DIFFICULTIES).mean() < 0.35


def test_standard_errors_cover_the_truth() -> None:
    covered = []
    for seed in range(12):
        fit = fit_rasch_model(simulate(ABILITIES, DIFFICULTIES, seed))
        covered.append(np.abs(fit.difficulties - DIFFICULTIES) <= 1.96 * fit.difficulty_errors)

    assert 0.9 <= np.mean(covered) <= 0.99


def test_fewer_answers_give_larger_errors() -> None:
    responses = simulate(ABILITIES, DIFFICULTIES, 2)
    sparse = responses.copy()
    sparse[::2, 0] = np.nan

    assert fit_rasch_model(sparse).difficulty_errors[0] > fit_rasch_model(responses).difficulty_errors[0]


def test_items_that_all_or_none_solve_stay_finite_and_at_the_ends() -> None:
    responses = np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 0.0]])
    fit = fit_rasch_model(responses)

    assert np.isfinite(fit.difficulties).all()
    assert fit.difficulties[0] < fit.difficulties[1] < fit.difficulties[2]


def test_an_item_that_the_weak_solve_and_the_strong_do_not_misfits() -> None:
    responses = simulate(ABILITIES, DIFFICULTIES, 3)
    responses[:, 15] = ABILITIES < 0
    fit = fit_rasch_model(responses)
    others = np.delete(fit.outfit, 15)

    assert fit.outfit[15] > 1.5 > np.median(others)
    assert fit.infit[15] > 1.3


def test_an_item_without_answers_keeps_the_prior() -> None:
    responses = simulate(ABILITIES, DIFFICULTIES, 4)
    responses[:, 3] = np.nan
    fit = fit_rasch_model(responses)

    assert np.isnan(fit.outfit[3])
    assert fit.difficulty_errors[3] == fit.difficulty_errors.max()


def test_shares_of_runs_count_as_parts() -> None:
    half = fit_rasch_model(np.array([[0.5, 1.0], [0.5, 1.0]]))
    assert half.difficulties[0] > half.difficulties[1]
