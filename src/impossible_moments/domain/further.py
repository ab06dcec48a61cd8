"""What agents beyond the five hand in before REFINE: a report of their own, one kind for each phase."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import Field

from impossible_moments.domain.labels import Content, Labelled
from impossible_moments.domain.vocabulary import Phase


class FurtherReport(Labelled):
    """A further agent's findings. It disputes nothing: before REFINE nobody could read what the dispute is about."""

    text: Annotated[str, Content.EXTENSION]
    findings: Annotated[tuple[str, ...], Content.EXTENSION] = ()
    confidence: Annotated[float, Field(ge=0.0, le=1.0), Content.EXTENSION]


class FurtherValidation(FurtherReport):
    """Handed in in VALIDATE."""


class FurtherGrounding(FurtherReport):
    """Handed in in GROUND."""


class FurtherClassification(FurtherReport):
    """Handed in in CLASSIFY, as blind as SOCRATES's."""


# A kind for each phase: the newest document of a kind counts, and a later phase's must not stand for an earlier one's.
FURTHER_REPORTS: Final[Mapping[Phase, type[FurtherReport]]] = MappingProxyType(
    {
        Phase.VALIDATE: FurtherValidation,
        Phase.GROUND: FurtherGrounding,
        Phase.CLASSIFY: FurtherClassification,
    }
)
"""The phases in which a further agent may be given work before REFINE, and what it hands in."""
