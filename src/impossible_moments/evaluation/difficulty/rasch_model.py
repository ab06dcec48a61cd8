"""The Rasch model (1PL): abilities of solvers and difficulties of items on one scale, fitted with priors.

Both are estimated together as the mode of the posterior with normal priors. The priors keep items that every solver
solves, or none does, at finite difficulties. Standard errors come from the inverse of the second derivatives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ABILITY_SPREAD: Final = 3.0
"""Standard deviation of the prior of abilities, in logits. Solvers of a ladder differ widely."""
DIFFICULTY_SPREAD: Final = 2.0
"""Standard deviation of the prior of difficulties, in logits."""
MOST_STEPS: Final = 100
LARGEST_STEP: Final = 1.0
TOLERANCE: Final = 1e-8


@dataclass(frozen=True)
class RaschFit:
    """Abilities and difficulties in logits with standard errors, and how well each item fits.

    `infit` and `outfit` are mean squares of residuals, weighted and unweighted: 1 is expected, above about 1.5 the
    item is answered less regularly than the model says, and NaN stands for an item without answers.
    """

    abilities: Floats
    ability_errors: Floats
    difficulties: Floats
    difficulty_errors: Floats
    infit: Floats
    outfit: Floats


def fit_rasch_model(responses: Floats) -> RaschFit:
    """Fit the model to responses: a row for each solver, a column for each item, 1, 0 or NaN for no answer.

    A response between 0 and 1 is a share of runs. The mean difficulty is 0.
    """
    known = ~np.isnan(responses)
    values = np.where(known, responses, 0.0)
    solvers, items = responses.shape
    scale = np.concatenate([np.full(solvers, ABILITY_SPREAD**-2), np.full(items, DIFFICULTY_SPREAD**-2)])
    estimates = np.zeros(solvers + items)
    for _ in range(MOST_STEPS):
        expected, information = _compute_expectations(estimates, solvers, known)
        residuals = np.where(known, values - expected, 0.0)
        gradient = np.concatenate([residuals.sum(axis=1), -residuals.sum(axis=0)]) - scale * estimates
        step = np.linalg.solve(_build_curvature(information, scale), gradient)
        step *= min(1.0, LARGEST_STEP / max(float(np.abs(step).max()), TOLERANCE))
        estimates = estimates + step
        if np.abs(step).max() < TOLERANCE:
            break
    expected, information = _compute_expectations(estimates, solvers, known)
    errors = np.sqrt(np.diag(np.linalg.inv(_build_curvature(information, scale))))
    infit, outfit = _measure_item_fit(values, expected, information, known)
    shift = float(estimates[solvers:].mean()) if items else 0.0
    return RaschFit(
        estimates[:solvers] - shift,
        errors[:solvers],
        estimates[solvers:] - shift,
        errors[solvers:],
        infit,
        outfit,
    )


def _compute_expectations(estimates: Floats, solvers: int, known: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return the expected responses and their variances. Missing answers carry no information."""
    logits = estimates[:solvers, None] - estimates[None, solvers:]
    expected = 1.0 / (1.0 + np.exp(-logits))
    return expected, np.where(known, expected * (1.0 - expected), 0.0)


def _build_curvature(information: Floats, scale: Floats) -> Floats:
    """Return the negative second derivatives of the log posterior."""
    solvers = information.shape[0]
    curvature = np.diag(np.concatenate([information.sum(axis=1), information.sum(axis=0)]) + scale)
    curvature[:solvers, solvers:] = -information
    curvature[solvers:, :solvers] = -information.T
    return curvature


def _measure_item_fit(
    values: Floats, expected: Floats, information: Floats, known: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    squares = np.where(known, (values - expected) ** 2, 0.0)
    counts = known.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        infit = squares.sum(axis=0) / information.sum(axis=0)
        standardized = np.where(known, squares / np.where(known, information, 1.0), 0.0)
        outfit = standardized.sum(axis=0) / counts
    return infit, outfit
