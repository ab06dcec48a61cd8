"""Reports that additional agents (specification 8.3) submit before REFINE, one type for each phase."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.vocabulary import Phase, Tier

Severity: TypeAlias = Literal["low", "moderate", "high"]
DEMANDING_SEVERITIES: Final[frozenset[Severity]] = frozenset({"moderate", "high"})
"""Required changes of these severities oblige ATHENA to revise in REFINE. Others are only reported."""


class RequiredChange(LabelledModel):
    """A change of the scenario that an additional agent requires."""

    severity: Annotated[Severity, ContentLabel.EXTENSION]
    text: Annotated[str, ContentLabel.EXTENSION]
    tiers: Annotated[tuple[Tier, ...], ContentLabel.EXTENSION] = ()
    """The tiers at which the change is required. Empty means all tiers."""

    def applies_at(self, tier: Tier) -> bool:
        """Return whether ATHENA must make the change in a scenario of a tier."""
        return self.severity in DEMANDING_SEVERITIES and (not self.tiers or tier in self.tiers)


class Mutation(LabelledModel):
    """A change of one quantity of the record, and the status that is computed with it."""

    quantity: Annotated[str, ContentLabel.EXTENSION]
    """A quantity of the record, such as `opening.sill`."""
    before: Annotated[str, ContentLabel.EXTENSION]
    after: Annotated[str, ContentLabel.EXTENSION]
    """The changed value in the notation of the record, such as `3.1[m]`."""
    status: Annotated[str, ContentLabel.EXTENSION]
    """The computed status with its subtype, or `undecided`."""
    becomes: Annotated[
        Literal["still solvable", "fragile", "impossible", "solvable", "still impossible", "another status"],
        ContentLabel.EXTENSION,
    ]


class FurtherReport(LabelledModel):
    """The findings of an additional agent. It has no disputes: before REFINE agents cannot read the disputed work."""

    text: Annotated[str, ContentLabel.EXTENSION]
    findings: Annotated[tuple[str, ...], ContentLabel.EXTENSION] = ()
    required_changes: tuple[RequiredChange, ...] = ()
    mutations: tuple[Mutation, ...] = ()
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.EXTENSION]


class FurtherValidation(FurtherReport):
    """The report of an additional agent in VALIDATE."""


class FurtherGrounding(FurtherReport):
    """The report of an additional agent in GROUND."""


class FurtherClassification(FurtherReport):
    """The report of an additional agent in CLASSIFY, made without the solution like SOCRATES's."""


# One type for each phase: the latest document of a type counts, so a report of a later phase must not replace
# a report of an earlier one.
FURTHER_REPORTS: Final[Mapping[Phase, type[FurtherReport]]] = MappingProxyType(
    {
        Phase.VALIDATE: FurtherValidation,
        Phase.GROUND: FurtherGrounding,
        Phase.CLASSIFY: FurtherClassification,
    }
)
"""The phases before REFINE in which an additional agent may work, with the type of its report."""
