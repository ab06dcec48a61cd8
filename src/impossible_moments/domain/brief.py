"""Generation brief: the scenario that the orchestrator asks ATHENA to create."""

from __future__ import annotations

from typing import Annotated

from pydantic import AliasChoices, ConfigDict, Field, field_validator

from impossible_moments.domain.labels import Content, Labelled
from impossible_moments.domain.vocabulary import Category, Status, Tier, main_status


class TwinWanted(Labelled):
    """Whose twin a scenario is to be, and how both are drawn, so that they differ in what decides and in little else."""

    of: Annotated[str, Content.BRIEF] = Field(pattern=r"^IM-\d{4,}$")
    """Identifier of the published scenario."""
    title: Annotated[str, Content.BRIEF]
    """Title of the published scenario. Its twin gets a different title."""
    drawn_as: Annotated[str, Content.BRIEF]
    """Blueprint, skin and variant of the published scenario. Both twins draw from this random stream."""
    attempt: Annotated[int, Content.BRIEF] = Field(default=0, ge=0)
    again: Annotated[int, Content.BRIEF] = Field(default=0, ge=0)
    """Index of the draw that was used for the published scenario."""
    variant: Annotated[str, Content.BRIEF]
    """Variant of the twin."""
    told_alike: Annotated[bool, Content.BRIEF] = True
    """Whether the twin uses the wording of the published scenario, not the wording of its own variant."""
    depth: Annotated[int, Content.BRIEF] = Field(default=0, ge=0, le=2)
    anew: Annotated[int, Content.BRIEF] = Field(default=0, ge=0)
    """How many times the values that only the twin's variant draws have been redrawn."""


class GenerationBrief(Labelled):
    """What a scenario is to be. The names of the specification's brief, `target_category` and so on, are read as well."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    category: Annotated[Category, Content.BRIEF] = Field(
        validation_alias=AliasChoices("category", "target_category")
    )
    difficulty_tier: Annotated[Tier, Content.BRIEF] = Field(
        validation_alias=AliasChoices("difficulty_tier", "target_difficulty_tier")
    )
    solution_status: Annotated[Status, Content.BRIEF] = Field(
        validation_alias=AliasChoices("solution_status", "target_solution_status")
    )
    constraints: Annotated[tuple[str, ...], Content.BRIEF] = ()
    inspiration_seed: Annotated[str | None, Content.BRIEF] = None
    scenario_id: Annotated[str, Content.BRIEF] = Field(default="", pattern=r"^(IM-\d{4,})?$")
    seed: Annotated[int, Content.BRIEF] = 0
    # Omitted when it is None: briefs are stored as text, and the text of earlier briefs must not change.
    twin: TwinWanted | None = Field(default=None, exclude_if=lambda value: value is None)

    @field_validator("solution_status", mode="before")
    @classmethod
    def _without_subtype(cls, value: object) -> object:
        return main_status(value) if isinstance(value, str) else value
