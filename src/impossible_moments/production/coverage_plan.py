"""The coverage plan: how many scenarios of each category, tier and status are made, by integer programming.

Categories and tiers are met exactly where the capacity allows it. The status tables of the specification contradict each
other, so the total deviation from both is made as small as possible. What cannot be met is listed with its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Final, NamedTuple

from impossible_moments.domain.vocabulary import CATEGORIES, STATUSES, TIERS, Category, Status, Tier
from impossible_moments.production.coverage_targets import CoverageTargets
from impossible_moments.production.integer_program import CountProgram

UNMET: Final = 1000.0
"""The weight of a scenario that a category or tier lacks, or by which a batch misses its share of one."""
DEVIATION: Final = 1.0
"""The weight of a scenario by which a status misses a table."""
SPREAD: Final = 0.01
"""The weight of a scenario by which a cell misses its share of category, tier and status. It only decides ties."""


class Cell(NamedTuple):
    """A category, tier and status."""

    category: Category
    tier: Tier
    status: Status

    def is_in(self, category: str | None = None, tier: str | None = None, status: str | None = None) -> bool:
        """Return whether the cell has the given properties."""
        return (
            category in {None, self.category} and tier in {None, self.tier} and status in {None, self.status}
        )


def rank_cell(cell: Cell) -> tuple[int, int, int]:
    """Return the place of a cell in the order of the specification."""
    return CATEGORIES.index(cell.category), TIERS.index(cell.tier), STATUSES.index(cell.status)


@dataclass(frozen=True)
class UnmetTarget:
    """A target that a plan misses: what it is, the count wanted, the count planned, and why."""

    name: str
    wanted: float
    planned: int
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.planned} of {self.wanted:g} ({self.reason})"


def _compare(name: str, wanted: int, planned: int) -> UnmetTarget:
    reason = "no more can be made" if planned < wanted else "it fills what others lack"
    return UnmetTarget(name, wanted, planned, reason)


@dataclass(frozen=True)
class CoveragePlan:
    """The number of scenarios of each cell that are to be made, beside those that exist."""

    targets: CoverageTargets
    counts: Mapping[Cell, int]
    capacity: Mapping[Cell, int]
    made: Mapping[Cell, int]

    @property
    def total(self) -> int:
        """The number of scenarios to make."""
        return sum(self.counts.values())

    def count(self, category: str | None = None, tier: str | None = None, status: str | None = None) -> int:
        """Return the number of scenarios with the given properties, made and planned."""
        return sum(
            number
            for counts in (self.counts, self.made)
            for cell, number in counts.items()
            if cell.is_in(category, tier, status)
        )

    def list_unmet(self) -> tuple[UnmetTarget, ...]:
        """Return the targets that the plan misses by one scenario or more, categories and tiers first."""
        return tuple(each for each in self._iterate_targets() if abs(each.wanted - each.planned) >= 1)

    def _iterate_targets(self) -> Iterator[UnmetTarget]:
        for category in CATEGORIES:
            wanted = self.targets.categories.get(category, 0)
            yield _compare(category, wanted, self.count(category))
        for tier in TIERS:
            wanted = self.targets.tiers.get(tier, 0)
            yield _compare(tier, wanted, self.count(tier=tier))
        for tier in TIERS:
            for status in STATUSES:
                share = self.targets.get_status_target(tier, status)
                planned = self.count(tier=tier, status=status)
                yield UnmetTarget(
                    f"{tier} {status}", share, planned, self._explain_share(tier, status, share, planned)
                )
        for status in STATUSES:
            wanted = self.targets.statuses.get(status, 0)
            shares = sum(self.targets.get_status_target(tier, status) for tier in TIERS)
            differs = abs(shares - wanted) >= 1
            reason = f"the shares of the tiers ask for {shares:g}" if differs else "as its tiers above"
            yield UnmetTarget(f"all {status}", wanted, self.count(status=status), reason)

    def _explain_share(self, tier: Tier, status: Status, share: float, planned: int) -> str:
        room = sum(
            number for cell, number in self.capacity.items() if cell.is_in(tier=tier, status=status)
        ) + sum(number for cell, number in self.made.items() if cell.is_in(tier=tier, status=status))
        if room < share:
            return f"{room} can be made"
        return "other statuses of the tier are short" if planned > share else "other targets come first"

    def split_into_batches(self) -> tuple[tuple[Cell, ...], ...]:
        """Return the planned scenarios in batches of the size of the targets, each with a proportional mix.

        In each batch the scenarios of a category, and those of a tier, are their share rounded down or up.
        """
        left, batches = Counter(self.counts), list[tuple[Cell, ...]]()
        for remaining in range(ceil(self.total / self.targets.batch_size), 0, -1):
            counts = choose_proportional_part(left, remaining)
            batches.append(tuple(cell for cell in sorted(counts, key=rank_cell) for _ in range(counts[cell])))
            left -= Counter(counts)
        return tuple(batches)


def plan_coverage(
    targets: CoverageTargets, capacity: Mapping[Cell, int], made: Mapping[Cell, int] | None = None
) -> CoveragePlan:
    """Return the plan that meets the targets best within the capacity.

    `made` counts scenarios that exist already: the plan fills what is missing.
    """
    made = made or {}
    cells = sorted({*capacity, *made}, key=rank_cell)
    program = CountProgram([capacity.get(cell, 0) for cell in cells])

    def aim(wanted: float, weight: float, *properties: str | None) -> None:
        chosen = [number for number, cell in enumerate(cells) if cell.is_in(*properties)]
        missing = wanted - sum(made.get(cells[number], 0) for number in chosen)
        program.keep_sum_between(chosen, missing, missing, weight)

    aim(targets.total, UNMET)
    for category in CATEGORIES:
        aim(targets.categories.get(category, 0), UNMET, category)
    for tier in TIERS:
        aim(targets.tiers.get(tier, 0), UNMET, None, tier)
        for status in STATUSES:
            aim(targets.get_status_target(tier, status), DEVIATION, None, tier, status)
    for status, wanted in targets.statuses.items():
        aim(wanted, DEVIATION, None, None, status)
    for cell in cells:
        share = targets.categories.get(cell.category, 0) / targets.total
        aim(share * targets.get_status_target(cell.tier, cell.status), SPREAD, *cell)
    return CoveragePlan(targets, _count_cells(cells, program.solve()), capacity, made)


def choose_proportional_part(counts: Mapping[Cell, int], parts: int) -> dict[Cell, int]:
    """Return one of so many parts of some counts, with every category and tier in proportion."""
    cells = sorted((cell for cell, number in counts.items() if number), key=rank_cell)
    program = CountProgram([counts[cell] for cell in cells])

    def keep_share(weight: float, *properties: str | None) -> None:
        chosen = [number for number, cell in enumerate(cells) if cell.is_in(*properties)]
        share = sum(counts[cells[number]] for number in chosen) / parts
        program.keep_sum_between(chosen, floor(share), ceil(share), weight)

    keep_share(UNMET)
    for category in CATEGORIES:
        keep_share(UNMET, category)
    for tier in TIERS:
        keep_share(UNMET, None, tier)
    for status in STATUSES:
        keep_share(DEVIATION, None, None, status)
    for number, cell in enumerate(cells):
        share = counts[cell] / parts
        program.keep_sum_between([number], share, share, SPREAD)
    return _count_cells(cells, program.solve())


def _count_cells(cells: Sequence[Cell], values: Sequence[int]) -> dict[Cell, int]:
    return {cell: value for cell, value in zip(cells, values, strict=True) if value}
