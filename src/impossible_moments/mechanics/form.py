"""The ground that all written forms stand on: frozen, nothing unknown, lines read from any spelling."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints

from impossible_moments.mechanics.lines import LineError, split_lines


class Form(BaseModel):
    """A part of a record. An unknown field is an error, because a misspelt one would be lost in silence."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=False)


def _lines(value: object) -> list[str]:
    try:
        return split_lines(value)
    except LineError as problem:
        raise ValueError(str(problem)) from None


def _names(value: object) -> object:
    """A list of names; one text with commas or semicolons is read as a list."""
    if isinstance(value, str):
        return [
            part.strip() for part in value.replace(";", ",").replace("\n", ",").split(",") if part.strip()
        ]
    return [] if value is None else value


Lines: TypeAlias = Annotated[list[str], BeforeValidator(_lines)]
Identifier: TypeAlias = Annotated[
    str, StringConstraints(min_length=1, max_length=40, pattern=r"^[A-Za-z][A-Za-z0-9_]*$")
]
Names: TypeAlias = Annotated[list[str], BeforeValidator(_names)]
Sentence: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=600, strip_whitespace=True)]
