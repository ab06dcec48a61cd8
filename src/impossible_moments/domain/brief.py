"""The generation brief: what the orchestrator asks ATHENA for."""

from __future__ import annotations

from typing import Annotated

from pydantic import AliasChoices, ConfigDict, Field, field_validator

from impossible_moments.domain.labels import Content, Labelled
from impossible_moments.domain.vocabulary import Category, Status, Tier, main_status


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

    @field_validator("solution_status", mode="before")
    @classmethod
    def _without_subtype(cls, value: object) -> object:
        return main_status(value) if isinstance(value, str) else value
