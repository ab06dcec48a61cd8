"""The library a record is judged within: what things are, what anybody can do, what nobody can lift.

It is written in the record's own language. This module knows its form; the rows live in `knowledge`.
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

from impossible_moments.mechanics.dimensions import PLAIN
from impossible_moments.mechanics.form import Form, Identifier, Lines, Names, Sentence
from impossible_moments.mechanics.lines import LineError, split_line, split_lines
from impossible_moments.mechanics.record import ActionForm, ThingForm, ThingKind
from impossible_moments.mechanics.sorts import Sort, Type
from impossible_moments.mechanics.templates import Template, TemplateForm, Templates
from impossible_moments.mechanics.units import unit

MOST_LINES: Final = 2_000


def _many_lines(value: object) -> list[str]:
    try:
        return split_lines(value, MOST_LINES)
    except LineError as problem:
        raise ValueError(str(problem)) from None


ManyLines: TypeAlias = Annotated[list[str], BeforeValidator(_many_lines)]
_MEASURED: Final = re.compile(r"(\w+)\s*(?:\[([^\[\]]*)\]|\((truth|word|count)\))")


class LibraryRow(ThingForm):
    """A kind of thing the library knows, with the verbs it is made for."""

    uses: Names = Field(
        default=[], description="Verbs and mechanisms that are its everyday use.", examples=[["climb"]]
    )
    source: str = Field(default="estimate", description="Where its figures come from.", examples=["estimate"])
    group: str = Field(default="", description="What it is listed under.", examples=["furniture"])


class LibraryAction(ActionForm):
    """Something anybody may do with things of the right properties."""

    logistics: bool = Field(
        default=False,
        description="True: going and fetching; inserted where a plan leaves it out.",
        examples=[False],
    )
    source: str = Field(
        default="estimate", description="Where its conditions come from.", examples=["estimate"]
    )
    domain: str = Field(default="", description="What it is listed under.", examples=["egress"])
    about: str = Field(
        default="", description="What happens, in one sentence.", examples=["a latch is lifted"]
    )


class LibraryKind(Form):
    """What holds for every thing of a kind."""

    kind: ThingKind = Field(description="The kind.", examples=["boundary"])
    props: Lines = Field(
        default=[],
        description="Properties every thing of the kind has unless it says otherwise.",
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


class LibraryForm(Form):
    """A library as it is written down."""

    name: Identifier = Field(description="Name of the library.", examples=["everyday"])
    version: str = Field(description="Its version.", examples=["1"])
    properties: ManyLines = Field(
        default=[],
        description="Known properties: `mass[kg] = meaning`, `shut(truth) = meaning`.",
        examples=[["mass[kg] = mass"]],
    )
    further: ManyLines = Field(
        default=[],
        description="Further properties, in the same form. A record may use such a name for something else; the library's actions then pass it by.",
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
        description="Dangers nobody can lift: `name = condition @ law`.",
        examples=[["frozen = you.core <= 301 @ law"]],
    )
    note: Sentence | None = Field(
        default=None, description="What the library is for.", examples=["everyday egress"]
    )


@dataclass(frozen=True, eq=False)
class Library:
    """A library with its look-ups. Two are equal only if they are one, so that what is made from it can be kept."""

    form: LibraryForm

    @cached_property
    def rows(self) -> Mapping[str, LibraryRow]:
        """Rows by name."""
        return {row.name: row for row in self.form.things}

    @cached_property
    def kinds(self) -> Mapping[str, LibraryKind]:
        """What holds for each kind."""
        return {each.kind: each for each in self.form.kinds}

    @cached_property
    def properties(self) -> Mapping[str, tuple[Type, str]]:
        """Known properties: what each measures, and its meaning."""
        return dict(_property(line) for line in self.form.properties)

    @cached_property
    def further(self) -> Mapping[str, tuple[Type, str]]:
        """Properties that a record may use otherwise."""
        return dict(_property(line) for line in self.form.further)

    @cached_property
    def mechanisms(self) -> frozenset[str]:
        """Every mechanism of every kind."""
        return frozenset(name for kind in self.form.kinds for name in kind.mechanisms)

    @cached_property
    def verbs(self) -> Mapping[str, LibraryAction]:
        """The actions by verb."""
        return {action.do.split("(")[0].strip(): action for action in self.form.actions}

    @cached_property
    def templates(self) -> Templates:
        """The formulas by name."""
        return Templates(tuple(Template.read(form) for form in self.form.templates))

    @cached_property
    def catalogue(self) -> Mapping[str, str]:
        """Things that prose may name in plain words: the label without its article, and the row."""
        return {
            re.sub(r"^(?:a|an|the) ", "", row.label.lower()): row.name
            for row in self.form.things
            if row.kind != "substance" and row.name not in self.form.always
        }

    @cached_property
    def never_names(self) -> frozenset[str]:
        """The names of its dangers."""
        return frozenset(line.partition("=")[0].strip() for line in self.form.never)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything it says: verdicts hold within it."""
        text = json.dumps(self.form.model_dump(), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def __str__(self) -> str:
        return f"{self.form.name} v{self.form.version} ({self.fingerprint})"


def _property(line: str) -> tuple[str, tuple[Type, str]]:
    parts = split_line(line, example="mass[kg] = mass of the whole thing")
    match = _MEASURED.fullmatch(parts.head)
    if match is None:
        raise ValueError(f"library property `{line}` is not of the form name[unit] or name(truth|word|count)")
    name, measure, sort = match[1], match[2], match[3]
    if measure is not None:
        return name, (unit(measure).dimension, parts.body)
    sorts: dict[str, Type] = {"truth": Sort.TRUTH, "word": Sort.TEXT, "count": PLAIN}
    return name, (sorts[sort], parts.body)


EMPTY: Final = Library(
    LibraryForm(
        name="empty", version="0", always=["you"],
        things=[LibraryRow(name="you", label="you", kind="person", props=["at = 'start'"])],
    )
)  # fmt: skip
"""A library that knows only that you exist."""
