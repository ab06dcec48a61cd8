"""The corpus that a new scenario is compared with: the vector and the sizes of each scenario, in arrays.

A comparison multiplies blocks of rows in single precision, and measures the few nearest again in double precision.
So the cost of one more scenario hardly depends on how many there are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from impossible_moments.scenarios.similarity.embedding import Embedder, Vectors
from impossible_moments.scenarios.similarity.scenario_similarity import (
    ComparedScenario,
    compute_scenario_vectors,
)

Sizes: TypeAlias = NDArray[np.int32]
"""One row per scenario: words of the narrative, figures in it, and objects."""
_BLOCK: Final = 8192
"""Rows that are multiplied at a time."""
_SLACK: Final = 2e-4
"""Upper bound of twice the single-precision error of a cosine."""
_FIGURE: Final = re.compile(r"\d[\d.,]*")


@dataclass(frozen=True)
class Corpus:
    """Scenarios with their vectors and sizes. `hidden` holds the positions that do not count."""

    vectors: Vectors
    sizes: Sizes
    get_name: Callable[[int], str]
    """Returns the name of the scenario at a position."""
    find_positions: Callable[[Iterable[str]], Iterable[int]]
    """Returns the positions of scenarios. Names that are not in the corpus have none."""
    load_scenario: Callable[[int], ComparedScenario]
    """Returns the parts of the scenario at a position that are compared."""
    hidden: frozenset[int] = field(default=frozenset())

    @classmethod
    def from_scenarios(cls, scenarios: Sequence[ComparedScenario], embedder: Embedder) -> Corpus:
        """Build the corpus of some scenarios in memory."""
        listed = tuple(scenarios)
        positions: dict[str, list[int]] = {}
        for position, each in enumerate(listed):
            positions.setdefault(each.name, []).append(position)
        return cls(
            compute_scenario_vectors(listed, embedder),
            measure_scenarios(listed),
            lambda position: listed[position].name,
            lambda names: [position for name in names for position in positions.get(name, ())],
            lambda position: listed[position],
        )

    def __len__(self) -> int:
        return len(self.sizes) - len(self.hidden)

    def __contains__(self, name: str) -> bool:
        return any(position not in self.hidden for position in self.find_positions((name,)))

    def without(self, names: Iterable[str]) -> Corpus:
        """Return the corpus without some scenarios."""
        return replace(self, hidden=self.hidden | frozenset(self.find_positions(names)))

    def find_greatest_cosine(self, vector: Vectors) -> float:
        """Return the cosine of the nearest scenario, or 0 without scenarios."""
        return max((cosine for _, cosine in self._measure_nearest(vector, 1, 0.0)), default=0.0)

    def find_nearest(self, vector: Vectors, count: int, *, digits: int) -> list[tuple[str, float, int]]:
        """Return name, cosine and position of the nearest scenarios, the nearest first.

        Cosines are rounded to `digits`, and equal ones are in the order of the names.
        """
        found = [
            (self.get_name(position), round(cosine, digits), position)
            for position, cosine in self._measure_nearest(vector, count, 10.0**-digits)
        ]
        return sorted(found, key=lambda each: (-each[1], each[0]))[:count]

    def compute_percentiles(self, scenario: ComparedScenario) -> tuple[float | None, ...]:
        """Return for each size of a scenario the share of the corpus that lies below it, ties counted half.

        They are None without scenarios.
        """
        own = measure_scenarios((scenario,))[0]
        sizes = self._visible_sizes
        if not len(sizes):
            return tuple(None for _ in own)
        below = (sizes < own).sum(axis=0) + (sizes <= own).sum(axis=0)
        return tuple(round(int(each) / 2 / len(sizes), 2) for each in below)

    @cached_property
    def _visible_sizes(self) -> Sizes:
        return np.delete(self.sizes, sorted(self.hidden), axis=0) if self.hidden else self.sizes

    def _measure_nearest(self, vector: Vectors, count: int, rounding: float) -> list[tuple[int, float]]:
        """Return position and cosine of at least the `count` nearest scenarios, in no order.

        Those that lie within the rounding of the last of them are among them.
        """
        if not len(self):
            return []
        products = np.concatenate(
            [self.vectors[at : at + _BLOCK] @ vector for at in range(0, len(self.vectors), _BLOCK)]
        )
        products[sorted(self.hidden)] = -np.inf
        last = min(count, len(self))
        least = np.partition(products, -last)[-last] - _SLACK - rounding
        row = vector.astype(np.float64)
        return [
            (position, float(self.vectors[position].astype(np.float64) @ row))
            for position in np.nonzero(products >= least)[0].tolist()
        ]


def measure_scenarios(scenarios: Sequence[ComparedScenario]) -> Sizes:
    """Return the sizes of some scenarios."""
    rows = [
        (len(each.narrative.split()), len(_FIGURE.findall(each.narrative)), len(each.objects))
        for each in scenarios
    ]
    return np.array(rows, np.int32).reshape(len(rows), 3)
