"""Library against which a record is checked: known things, everyday actions and general dangers.

A library is written in the language of records. This module defines its model; the rows are in `knowledge`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Final, TypeAlias

from pydantic import BeforeValidator, Field

from impossible_moments.mechanics.language.dimensions import PLAIN
from impossible_moments.mechanics.language.expression_types import ExpressionType, NonNumericType
from impossible_moments.mechanics.language.units import parse_unit
from impossible_moments.mechanics.records.base_form import BaseForm, Identifier, Lines, Names, Sentence
from impossible_moments.mechanics.records.formula_templates import (
    FormulaTemplate,
    FormulaTemplates,
    TemplateForm,
)
from impossible_moments.mechanics.records.lines import LineError, parse_line, split_lines
from impossible_moments.mechanics.records.record import ActionForm, ThingForm, ThingKind

MOST_LINES: Final = 2_000


def _parse_library_lines(value: object) -> list[str]:
    try:
        return split_lines(value, MOST_LINES)
    except LineError as problem:
        raise ValueError(str(problem)) from None


ManyLines: TypeAlias = Annotated[list[str], BeforeValidator(_parse_library_lines)]
_MEASURED: Final = re.compile(r"(\w+)\s*(?:\[([^\[\]]*)\]|\((truth|word|count)\))")


class LibraryRow(ThingForm):
    """A thing that the library knows, with the verbs of its everyday use."""

    uses: Names = Field(
        default=[], description="Verbs and mechanisms that are its everyday use.", examples=[["climb"]]
    )
    source: str = Field(default="estimate", description="Source of its figures.", examples=["estimate"])
    group: str = Field(default="", description="What it is listed under.", examples=["furniture"])


class LibraryAction(ActionForm):
    """An action that is possible with any things of the right properties."""

    logistics: bool = Field(
        default=False,
        description="True for going and fetching, which are inserted where a plan leaves them out.",
        examples=[False],
    )
    source: str = Field(default="estimate", description="Source of its conditions.", examples=["estimate"])
    domain: str = Field(default="", description="What it is listed under.", examples=["egress"])
    about: str = Field(
        default="", description="What happens, in one sentence.", examples=["a latch is lifted"]
    )


class LibraryKind(BaseForm):
    """Properties and mechanisms of every thing of a kind."""

    kind: ThingKind = Field(description="The kind.", examples=["boundary"])
    props: Lines = Field(
        default=[],
        description="Default properties of every thing of the kind.",
        examples=[["leads = 'out'"]],
    )
    needs: Names = Field(
        default=[],
        description="Properties without which such a thing cannot be judged; others are features that it may lack.",
        examples=[["shut", "locked"]],
    )
    mechanisms: Names = Field(
        default=[], description="The ways such a thing can be overcome.", examples=[["open", "pass", "break"]]
    )


class LibraryForm(BaseForm):
    """Model of a library."""

    name: Identifier = Field(description="Name of the library.", examples=["everyday"])
    version: str = Field(description="Its version.", examples=["1"])
    properties: ManyLines = Field(
        default=[],
        description="Known properties: `mass[kg] = meaning`, `shut(truth) = meaning`.",
        examples=[["mass[kg] = mass"]],
    )
    further: ManyLines = Field(
        default=[],
        description="Further properties, in the same form. A record may use such a name for something else; the library's actions then ignore it.",
        examples=[["gap[m] = width of a gap to be crossed"]],
    )
    kinds: list[LibraryKind] = Field(default=[], description="What holds for each kind.", examples=[[]])
    things: list[LibraryRow] = Field(
        default=[], description="Rows that `like` may name; `you` is the standard agent.", examples=[[]]
    )
    always: Names = Field(
        default=[], description="Rows that exist in every record.", examples=[["you", "water", "air"]]
    )
    roles: ManyLines = Field(
        default=[], description="Roles for its actions.", examples=[["platform(o) = o.height >= 0.2"]]
    )
    actions: list[LibraryAction] = Field(default=[], description="Everyday operators.", examples=[[]])
    templates: list[TemplateForm] = Field(
        default=[], description="Formulas that a record calls by name.", examples=[[]]
    )
    never: Lines = Field(
        default=[],
        description="Dangers that apply in every record: `name = condition @ law`.",
        examples=[["frozen = you.core <= 301 @ law"]],
    )
    note: Sentence | None = Field(
        default=None, description="What the library is for.", examples=["everyday egress"]
    )


@dataclass(frozen=True, eq=False)
class Library:
    """A library with look-up tables, compared by identity so that results computed from it can be cached."""

    form: LibraryForm

    @cached_property
    def rows(self) -> Mapping[str, LibraryRow]:
        """Rows by name."""
        return {row.name: row for row in self.form.things}

    @cached_property
    def kinds(self) -> Mapping[str, LibraryKind]:
        """Properties and mechanisms of each kind, by kind."""
        return {each.kind: each for each in self.form.kinds}

    @cached_property
    def properties(self) -> Mapping[str, tuple[ExpressionType, str]]:
        """Type and meaning of each known property."""
        return dict(_parse_property_line(line) for line in self.form.properties)

    @cached_property
    def further(self) -> Mapping[str, tuple[ExpressionType, str]]:
        """Type and meaning of each property whose name a record may also use for something else."""
        return dict(_parse_property_line(line) for line in self.form.further)

    @cached_property
    def mechanisms(self) -> frozenset[str]:
        """Names of the mechanisms of all kinds."""
        return frozenset(name for kind in self.form.kinds for name in kind.mechanisms)

    @cached_property
    def verbs(self) -> Mapping[str, LibraryAction]:
        """Actions by verb."""
        return {action.do.split("(")[0].strip(): action for action in self.form.actions}

    @cached_property
    def templates(self) -> FormulaTemplates:
        """Formulas that a record can call by name."""
        return FormulaTemplates(tuple(FormulaTemplate.from_form(form) for form in self.form.templates))

    @cached_property
    def catalogue(self) -> Mapping[str, str]:
        """Name of the row for each label without its article, to recognise things in prose."""
        return {
            re.sub(r"^(?:a|an|the) ", "", row.label.lower()): row.name
            for row in self.form.things
            if row.kind != "substance" and row.name not in self.form.always
        }

    @cached_property
    def never_names(self) -> frozenset[str]:
        """Names of the dangers of the library."""
        return frozenset(line.partition("=")[0].strip() for line in self.form.never)

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the whole content. A computed status is valid only for this content."""
        text = json.dumps(self.form.model_dump(), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def __str__(self) -> str:
        return f"{self.form.name} v{self.form.version} ({self.fingerprint})"


def _parse_property_line(line: str) -> tuple[str, tuple[ExpressionType, str]]:
    parts = parse_line(line, example="mass[kg] = mass of the whole thing")
    match = _MEASURED.fullmatch(parts.head)
    if match is None:
        raise ValueError(
            f"the library property `{line}` does not have the form name[unit] or name(truth|word|count)"
        )
    name, measure, expression_sort = match[1], match[2], match[3]
    if measure is not None:
        return name, (parse_unit(measure).dimension, parts.body)
    sorts: dict[str, ExpressionType] = {
        "truth": NonNumericType.TRUTH,
        "word": NonNumericType.TEXT,
        "count": PLAIN,
    }
    return name, (sorts[expression_sort], parts.body)


EMPTY: Final = Library(
    LibraryForm(
        name="empty", version="0", always=["you"],
        things=[LibraryRow(name="you", label="you", kind="person", props=["at = 'start'"])],
    )
)  # fmt: skip
"""Library that contains only `you`."""
