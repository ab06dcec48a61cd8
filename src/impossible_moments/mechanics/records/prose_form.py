"""Model of the public text of a record."""

from __future__ import annotations

from pydantic import Field

from impossible_moments.mechanics.records.base_form import BaseForm


class ProseForm(BaseForm):
    """The public text as a template. Numbers are allowed only in placeholders."""

    narrative: str = Field(
        description="Second person, two to four paragraphs. Every number and number word is a placeholder: {rim|m} a value in a "
        "unit, {rim|m|2} with 2 significant digits, {tube.limit|K}, {people|words}, {tol|percent}, {s|plain}, {deadline|min}, {lag.low|h} and {lag.high|h} for the ends of a range; "
        "{thing:crate} prints a label and marks the thing as named; {say:1943} is a number that is not part of the mechanics. "
        "Number words are two to twenty, tens, hundred, thousand, dozen, twice, double and the like; one, once, half and ordinals are allowed. Quotes elsewhere match this template, placeholders as written. All things are named, and all given quantities and all properties that a solution needs are printed or quoted.",
        examples=["You stand in {thing:tank}, {rim|m} deep, with {thing:bucket} and {oil_fire|min} to go."],
        max_length=12_000,
    )
    environment: str | None = Field(
        default=None,
        description="Further text on the place, same placeholders, or null.",
        examples=["{thing:wall} is {wall.thickness|cm} thick."],
        max_length=6_000,
    )
    threat: str | None = Field(
        default=None,
        description="Further text on the threat, or null.",
        examples=["The oil burns in {oil_fire|min}."],
        max_length=6_000,
    )
    position: str | None = Field(
        default=None,
        description="Where you are at the start, or null.",
        examples=["You stand in the middle."],
        max_length=6_000,
    )
    objects: str | None = Field(
        default=None,
        description="Text for the table of things, same placeholders, or null.",
        examples=["{thing:crate}: bears {crate.bears|kg}."],
        max_length=6_000,
    )
    capabilities: str | None = Field(
        default=None,
        description="What you can do, or null.",
        examples=["You weigh {you.mass|kg}."],
        max_length=6_000,
    )
