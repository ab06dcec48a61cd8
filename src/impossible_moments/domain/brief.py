"""Generation brief: the scenario that the orchestrator asks ATHENA to create."""

from __future__ import annotations

from typing import Annotated

from pydantic import AliasChoices, ConfigDict, Field, ValidationError, field_validator, model_validator

from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.vocabulary import (
    SUBTYPES,
    Category,
    Status,
    Subtype,
    Tier,
    parse_wanted_status,
)


class TwinWanted(LabelledModel):
    """The scenario whose twin is wanted, and how both are drawn so that they differ in the deciding fact and little else."""

    of: Annotated[str, ContentLabel.BRIEF] = Field(pattern=r"^IM-\d{4,}$")
    """Identifier of the published scenario."""
    title: Annotated[str, ContentLabel.BRIEF]
    """Title of the published scenario. Its twin gets a different title."""
    drawn_as: Annotated[str, ContentLabel.BRIEF]
    """Blueprint, skin and variant of the published scenario. Both twins draw from this random stream."""
    attempt: Annotated[int, ContentLabel.BRIEF] = Field(default=0, ge=0)
    again: Annotated[int, ContentLabel.BRIEF] = Field(default=0, ge=0)
    """Index of the draw that was used for the published scenario."""
    variant: Annotated[str, ContentLabel.BRIEF]
    """Variant of the twin."""
    told_alike: Annotated[bool, ContentLabel.BRIEF] = True
    """Whether the twin uses the wording of the published scenario, not the wording of its own variant."""
    depth: Annotated[int, ContentLabel.BRIEF] = Field(default=0, ge=0, le=2)
    anew: Annotated[int, ContentLabel.BRIEF] = Field(default=0, ge=0)
    """How many times the values that only the twin's variant draws have been redrawn."""


class DisputedReading(LabelledModel):
    """The reading of a disputed point that one half of a split scenario takes."""

    of: Annotated[str, ContentLabel.BRIEF] = ""
    """Identifier of the scenario that was split."""
    text: Annotated[str, ContentLabel.BRIEF]
    """The reading in words: the agent, its position, and the expression if there is one."""


class ChangedQuantity(LabelledModel):
    """A quantity of a record with another value."""

    quantity: Annotated[str, ContentLabel.BRIEF]
    """The changed quantity, such as `opening.sill`."""
    value: Annotated[str, ContentLabel.BRIEF]
    """Its value in the variant, such as `3.1[m]`."""


class VariantWanted(LabelledModel):
    """The published scenario of which a variant is wanted, and the quantity that differs."""

    of: Annotated[str, ContentLabel.BRIEF] = Field(pattern=r"^IM-\d{4,}$")
    """Identifier of the published scenario, the parent."""
    title: Annotated[str, ContentLabel.BRIEF]
    """Title of the parent. The variant gets a different title."""
    drawn_as: Annotated[str, ContentLabel.BRIEF]
    """Blueprint, skin and variant of the parent."""
    attempt: Annotated[int, ContentLabel.BRIEF] = Field(default=0, ge=0)
    again: Annotated[int, ContentLabel.BRIEF] = Field(default=0, ge=0)
    """Index of the draw that was used for the parent."""
    revised_as: Annotated[str, ContentLabel.BRIEF] = ""
    """The origin of the parent with the changes that revisions made to its draw."""
    changes: tuple[ChangedQuantity, ...] = Field(min_length=1)
    """The single changes to try, one for each time that the variant is designed. The first is the wanted one."""


class ComposedWanted(LabelledModel):
    """A composed scenario: the level that it must have, and the place from which it is drawn."""

    level: Annotated[int, ContentLabel.BRIEF] = Field(ge=1, le=10)
    place: Annotated[str, ContentLabel.BRIEF]
    """The name of the place."""
    other_way: Annotated[bool, ContentLabel.BRIEF] = False
    """Whether the scenario is the near twin of the draw of this seed in which one figure differs and another way is the only one."""
    attempt: Annotated[int | None, ContentLabel.BRIEF] = None
    """The attempt of the figure search that a near twin shares with its sibling."""


class GenerationBrief(LabelledModel):
    """The requirements for a scenario. The field names of the specification, such as `target_category`, are also accepted."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    category: Annotated[Category, ContentLabel.BRIEF] = Field(
        validation_alias=AliasChoices("category", "target_category")
    )
    difficulty_tier: Annotated[Tier, ContentLabel.BRIEF] = Field(
        validation_alias=AliasChoices("difficulty_tier", "target_difficulty_tier")
    )
    solution_status: Annotated[Status, ContentLabel.BRIEF] = Field(
        validation_alias=AliasChoices("solution_status", "target_solution_status")
    )
    status_subtype: Annotated[Subtype | None, ContentLabel.BRIEF] = Field(
        default=None, exclude_if=lambda value: value is None
    )
    """The subtype of KS that is wanted, such as KS-Multiple, if the status was given as a subtype."""
    constraints: Annotated[tuple[str, ...], ContentLabel.BRIEF] = ()
    inspiration_seed: Annotated[str | None, ContentLabel.BRIEF] = None
    scenario_id: Annotated[str, ContentLabel.BRIEF] = Field(default="", pattern=r"^(IM-\d{4,})?$")
    seed: Annotated[int, ContentLabel.BRIEF] = 0
    # Omitted when they are None: briefs are stored as text, and the text of earlier briefs must not change.
    twin: TwinWanted | None = Field(default=None, exclude_if=lambda value: value is None)
    composed: ComposedWanted | None = Field(default=None, exclude_if=lambda value: value is None)
    reading: DisputedReading | None = Field(default=None, exclude_if=lambda value: value is None)
    variant: VariantWanted | None = Field(default=None, exclude_if=lambda value: value is None)
    replaces: Annotated[str | None, ContentLabel.BRIEF] = Field(
        default=None, pattern=r"^IM-\d{4,}$", exclude_if=lambda value: value is None
    )
    """The scenario in whose place this one is designed, because another run published a similar one first."""
    blueprints: Annotated[str | None, ContentLabel.BRIEF] = Field(
        default=None, exclude_if=lambda value: value is None
    )
    """Name and hash of a contributor's blueprints that the built-in designer draws from beside the shipped ones."""

    @model_validator(mode="before")
    @classmethod
    def _keep_status_subtype(cls, data: object) -> object:
        """Keep the subtype of a status that is given as a subtype."""
        if not isinstance(data, dict):
            return data
        given = data.get("solution_status", data.get("target_solution_status"))
        return {**data, "status_subtype": given} if given in SUBTYPES else data

    @field_validator("solution_status", mode="before")
    @classmethod
    def _remove_status_subtype(cls, value: object) -> object:
        return parse_wanted_status(value) if isinstance(value, str) else value


def parse_stored_brief(text: str) -> GenerationBrief | None:
    """Return the brief that a ledger row stores, or None if the row has none that this version can read."""
    try:
        return GenerationBrief.model_validate_json(text) if text else None
    except ValidationError:
        return None
