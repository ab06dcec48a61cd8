"""Reports that additional agents (specification 8.3) submit before REFINE, one type for each phase."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import Field

from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.vocabulary import Phase


class FurtherReport(LabelledModel):
    """The findings of an additional agent. It has no disputes: before REFINE agents cannot read the disputed work."""

    text: Annotated[str, ContentLabel.EXTENSION]
    findings: Annotated[tuple[str, ...], ContentLabel.EXTENSION] = ()
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
