"""Agreement of judges: Cohen's kappa, Krippendorff's alpha, and the leniency of each judge.

The result is None if there are too few ratings, or if all ratings are the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

FEWEST_PAIRS: Final = 5
"""Least number of items that two judges must both have rated."""
Rating = float | None
"""The rating of an item by a judge; None if there is no verdict."""
_Array = npt.NDArray[np.float64]


class MeasurementLevel(StrEnum):
    """Level of measurement, which defines the distance between two ratings."""

    NOMINAL = "nominal"
    """Equal or different."""
    ORDINAL = "ordinal"
    """The number of ratings between them."""
    INTERVAL = "interval"
    """Their squared difference."""


class KappaWeights(StrEnum):
    """Weighting of disagreements in Cohen's kappa."""

    NONE = "none"
    LINEAR = "linear"
    QUADRATIC = "quadratic"


def compute_cohen_kappa(
    first: Sequence[Rating], second: Sequence[Rating], weights: KappaWeights = KappaWeights.QUADRATIC
) -> float | None:
    """Return the agreement of two judges beyond chance, over items that both rated; 1 is full agreement."""
    pairs = _collect_rating_pairs(first, second)
    if len(pairs) < FEWEST_PAIRS:
        return None
    values = np.unique(pairs)
    places = np.searchsorted(values, pairs)
    observed = np.zeros((len(values), len(values)))
    np.add.at(observed, (places[:, 0], places[:, 1]), 1.0 / len(pairs))
    by_chance = np.outer(observed.sum(axis=1), observed.sum(axis=0))
    cost = _compute_disagreement_costs(values, weights)
    expected = float((cost * by_chance).sum())
    return None if expected == 0.0 else 1.0 - float((cost * observed).sum()) / expected


def compute_krippendorff_alpha(
    judges: Sequence[Sequence[Rating]], level: MeasurementLevel = MeasurementLevel.ORDINAL
) -> float | None:
    """Return the agreement of any number of judges, each a row of ratings; gaps are allowed."""
    items = _collect_item_ratings(judges)
    if len(items) < FEWEST_PAIRS:
        return None
    values = np.unique([each for item in items for each in item])
    together = np.zeros((len(values), len(values)))
    for item in items:
        counts = np.bincount(np.searchsorted(values, item), minlength=len(values)).astype(np.float64)
        together += (np.outer(counts, counts) - np.diag(counts)) / (len(item) - 1)
    totals = together.sum(axis=0)
    distance = _compute_squared_distances(values, totals, level)
    by_chance = (np.outer(totals, totals) - np.diag(totals)) / (totals.sum() - 1)
    expected = float((distance * by_chance).sum())
    return None if expected == 0.0 else 1.0 - float((distance * together).sum()) / expected


def compute_judge_leniency(judges: Mapping[str, Sequence[Rating]]) -> Mapping[str, float | None]:
    """Return each judge's mean difference from the panel, over items that another judge rated too."""
    rows = {name: _build_rating_row(ratings) for name, ratings in judges.items()}
    if not rows:
        return {}
    table = np.vstack(list(rows.values()))
    rated = ~np.isnan(table)
    shared = rated.sum(axis=0) > 1
    means = np.where(rated, table, 0.0).sum(axis=0) / np.maximum(rated.sum(axis=0), 1)
    found: dict[str, float | None] = {}
    for name, row in rows.items():
        usable = shared & ~np.isnan(row)
        found[name] = float((row - means)[usable].mean()) if usable.sum() >= FEWEST_PAIRS else None
    return found


def _build_rating_row(ratings: Sequence[Rating]) -> _Array:
    return np.array([np.nan if each is None else each for each in ratings], dtype=np.float64)


def _collect_rating_pairs(first: Sequence[Rating], second: Sequence[Rating]) -> _Array:
    pairs = [
        pair
        for pair in zip(_build_rating_row(first), _build_rating_row(second), strict=True)
        if not (np.isnan(pair[0]) or np.isnan(pair[1]))
    ]
    return np.array(pairs, dtype=np.float64).reshape(-1, 2)


def _collect_item_ratings(judges: Sequence[Sequence[Rating]]) -> list[_Array]:
    """Return the ratings of each item that at least two judges rated."""
    columns = (np.array([each for each in item if each is not None]) for item in zip(*judges, strict=True))
    return [item for item in columns if len(item) > 1]


def _compute_disagreement_costs(values: _Array, weights: KappaWeights) -> _Array:
    distances = np.abs(values[:, None] - values[None, :])
    match weights:
        case KappaWeights.NONE:
            return (distances > 0).astype(np.float64)
        case KappaWeights.LINEAR:
            return distances
        case KappaWeights.QUADRATIC:
            return distances**2.0


def _compute_squared_distances(values: _Array, totals: _Array, level: MeasurementLevel) -> _Array:
    """Return the squared distances between ratings at a level of measurement."""
    match level:
        case MeasurementLevel.NOMINAL:
            return _compute_disagreement_costs(values, KappaWeights.NONE)
        case MeasurementLevel.INTERVAL:
            return _compute_disagreement_costs(values, KappaWeights.QUADRATIC)
        case MeasurementLevel.ORDINAL:
            # a rank is the middle of its group, so neighbouring ranks are half of both group sizes apart
            steps = [(one + other) / 2 for one, other in pairwise(totals)]
            ranks = np.concatenate(([0.0], np.cumsum(steps)))
            return _compute_disagreement_costs(ranks, KappaWeights.QUADRATIC)
