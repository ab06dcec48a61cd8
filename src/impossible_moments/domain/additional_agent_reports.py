"""Reports that additional agents (specification 8.3) submit before REFINE, one type for each phase."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import Field

from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.vocabulary import Phase


class FurtherReport(LabelledModel):
    """A further agent's findings. It disputes nothing: before REFINE nobody could read what the dispute is about."""

    text: Annotated[str, ContentLabel.EXTENSION]
    findings: Annotated[tuple[str, ...], ContentLabel.EXTENSION] = ()
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.EXTENSION]


class FurtherValidation(FurtherReport):
    """Handed in in VALIDATE."""


class FurtherGrounding(FurtherReport):
    """Handed in in GROUND."""


class FurtherClassification(FurtherReport):
    """Handed in in CLASSIFY, as blind as SOCRATES's."""


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
