"""Coverage targets: how many scenarios of each category, tier and status a benchmark has, as a file."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from math import prod
from pathlib import Path
from typing import Final, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from impossible_moments.domain.thresholds import EXPECTED_ATTRITION
from impossible_moments.domain.vocabulary import CATEGORIES, STATUSES, TIERS, Category, Phase, Status, Tier
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.records import load_document

FILE_NAME: Final = "coverage_targets.yaml"
K = TypeVar("K")


class CoverageTargets(BaseModel):
    """The counts of sections 7.2 to 7.4 of the specification, and the expected attrition of 7.7."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["im-coverage/1"]
    total: int = Field(ge=1)
    batch_size: int = Field(ge=1, default=50)
    tolerance: float = Field(ge=0, le=1, default=0.1)
    categories: dict[Category, int]
    tiers: dict[Tier, int]
    status_shares: dict[Tier, dict[Status, float]] = Field(default_factory=dict)
    statuses: dict[Status, int] = Field(default_factory=dict)
    attrition: dict[Phase, float] = Field(default_factory=lambda: dict(EXPECTED_ATTRITION))
    """The share of scenarios that each phase is expected to discard."""

    @model_validator(mode="after")
    def check_totals(self) -> Self:
        """Check that categories and tiers add up to the total, because both are met exactly."""
        for name, counts in (("categories", self.categories.values()), ("tiers", self.tiers.values())):
            if sum(counts) != self.total:
                raise ValueError(f"the {name} add up to {sum(counts)}, but the total is {self.total}")
            if min(counts, default=0) < 0:
                raise ValueError(f"a count of the {name} is negative")
        return self

    def get_status_target(self, tier: Tier, status: Status) -> float:
        """Return how many scenarios of a tier should have a status, by the shares of the tier."""
        return self.tiers.get(tier, 0) * self.status_shares.get(tier, {}).get(status, 0.0)

    def compute_expected_seeds(self, wanted: int) -> float:
        """Return how many seed documents are expected for so many accepted scenarios."""
        return wanted / prod(1 - share for share in self.attrition.values())

    def scale(self, total: int) -> CoverageTargets:
        """Return the same proportions for another total. Counts are rounded so that they add up."""
        return self.model_copy(
            update={
                "total": total,
                "categories": apportion({each: self.categories.get(each, 0) for each in CATEGORIES}, total),
                "tiers": apportion({each: self.tiers.get(each, 0) for each in TIERS}, total),
                "statuses": apportion({each: self.statuses.get(each, 0) for each in STATUSES}, total)
                if self.statuses
                else {},
            }
        )


def apportion(weights: Mapping[K, int], total: int) -> dict[K, int]:
    """Return whole numbers in proportion to the weights that add up to the total, by largest remainders."""
    sum_of_weights = sum(weights.values())
    exact = {name: weight * total / sum_of_weights for name, weight in weights.items()}
    counts = {name: int(value) for name, value in exact.items()}
    by_remainder = sorted(exact, key=lambda name: counts[name] - exact[name])
    for name in by_remainder[: total - sum(counts.values())]:
        counts[name] += 1
    return counts


def load_coverage_targets(path: Path | None = None) -> CoverageTargets:
    """Load coverage targets from a file, or those of the specification.

    Raise `ConfigurationError` with every mistake if the file is not valid.
    """
    with_packaged = Path(str(files("impossible_moments.production") / FILE_NAME))
    source = path or with_packaged
    try:
        return CoverageTargets.model_validate(load_document(source))
    except ValidationError as problem:
        mistakes = "; ".join(
            f"{'.'.join(str(part) for part in each['loc']) or 'the file'}: {each['msg']}"
            for each in problem.errors()
        )
        raise ConfigurationError(f"The coverage targets in {source} are not valid. {mistakes}.") from None
