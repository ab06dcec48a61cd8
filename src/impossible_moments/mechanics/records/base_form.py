"""Base class and field types of all record models."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints

from impossible_moments.mechanics.records.lines import LineError, split_lines


class BaseForm(BaseModel):
    """Base class of all record models: frozen, with unknown fields forbidden to catch misspelt names."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=False)


def _parse_lines_field(value: object) -> list[str]:
    try:
        return split_lines(value)
    except LineError as problem:
        raise ValueError(str(problem)) from None


def _parse_names_field(value: object) -> object:
    """Return a list of names. Split a single text at commas, semicolons and line breaks."""
    if isinstance(value, str):
        return [
            part.strip() for part in value.replace(";", ",").replace("\n", ",").split(",") if part.strip()
        ]
    return [] if value is None else value


Lines: TypeAlias = Annotated[list[str], BeforeValidator(_parse_lines_field)]
Identifier: TypeAlias = Annotated[
    str, StringConstraints(min_length=1, max_length=40, pattern=r"^[A-Za-z][A-Za-z0-9_]*$")
]
Names: TypeAlias = Annotated[list[str], BeforeValidator(_parse_names_field)]
Sentence: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=600, strip_whitespace=True)]
