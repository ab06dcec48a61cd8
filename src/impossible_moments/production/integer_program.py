"""Integer programs over counts: sums of counts are kept within ranges, and every miss is charged.

The solver is HiGHS. Its package has no dependency but numpy and takes a seventh of the space of scipy, which wraps the same
solver. This module is its only door.
"""

from __future__ import annotations

from collections.abc import Sequence

import highspy

from impossible_moments.errors import ImpossibleMomentsError


class NoPlanFound(ImpossibleMomentsError):
    """An integer program that the solver could not solve."""


class CountProgram:
    """An integer program with one count for each cell. A miss of a range costs its weight for each unit."""

    def __init__(self, most: Sequence[int]) -> None:
        self._solver = highspy.Highs()
        self._solver.silent()
        self._solver.setOptionValue("threads", 1)  # the same plan on every machine
        self._counts = [self._solver.addIntegral(lb=0, ub=max(each, 0)) for each in most]
        self._charges = [self._solver.addVariable(lb=0, ub=0)]

    def keep_sum_between(self, chosen: Sequence[int], low: float, high: float, weight: float) -> None:
        """Charge every unit by which the sum of the chosen counts is outside a range."""
        if not chosen:
            return
        below, above = self._solver.addVariable(lb=0), self._solver.addVariable(lb=0)
        total = sum(self._counts[number] for number in chosen)
        self._solver.addConstr(total + below >= low)
        self._solver.addConstr(total - above <= high)
        self._charges.append(weight * below + weight * above)

    def solve(self) -> list[int]:
        """Return the counts with the smallest charge. Raise `NoPlanFound` if there are none."""
        self._solver.minimize(sum(self._charges))
        status = self._solver.getModelStatus()
        if status != highspy.HighsModelStatus.kOptimal:
            raise NoPlanFound(
                f"No coverage plan was found ({status.name}). Check the counts of the coverage targets."
            )
        return [round(self._solver.val(each)) for each in self._counts]
