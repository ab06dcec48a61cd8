"""Look-up of materials, people and objects in the library, with values, ranges, units and sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from impossible_moments.agents.tools.arguments import LONGEST_NAME, ToolRefused, near, one_of, text
from impossible_moments.agents.tools.results import Data
from impossible_moments.knowledge.affordances import affordances_of
from impossible_moments.knowledge.bibliography import figures
from impossible_moments.knowledge.tables import Capability, Figure, Material, materials, objects, people
from impossible_moments.mechanics.document_values import excerpt
from impossible_moments.mechanics.library import Library, LibraryRow
from impossible_moments.mechanics.lines import split_line

KINDS: Final = ("material", "person", "object")
MOST_NEAR: Final = 6
MOST_IN_FULL: Final = 8
_IN_SHORT: Final = "In short, value (low..high) unit; look up one of them for its source and note."
_ARTICLE: Final = re.compile(r"^(?:a|an|the)_")


@dataclass(frozen=True)
class Reference:
    """Look-up of rows in a library and its tables."""

    library: Library

    def look_up(
        self,
        *,
        kind: Annotated[str, Field(description="material, person or object.")],
        name: Annotated[
            str,
            Field(
                description="What to look up: a material (steel), an object (wooden_chair), or what a person can do "
                "(grip_force), of whom if wanted (stature, woman), or all of a population (adult)."
            ),
        ],
    ) -> Data:
        """Look up a row of the knowledge library: its values with range, unit and source."""
        wanted = one_of(kind, "kind", KINDS)
        asked = text(name, "name", LONGEST_NAME)
        match wanted:
            case "material":
                return self._material(asked)
            case "person":
                return self._person(asked)
            case _:
                return self._object(asked)

    def _material(self, asked: str) -> Data:
        found = materials().get(_normal(asked))
        if found is None:
            raise self._absent("material", asked, {name: each.label for name, each in materials().items()})
        values = {name: _figure(figure) for name, figure in found.figures.items() if name != "label"}
        return {
            "kind": "material",
            "name": found.name,
            "label": found.label,
            "values": values,
            "sources": _works(_material_sources(found)),
        }

    def _person(self, asked: str) -> Data:
        name, _, population = (_normal(part) for part in asked.partition(","))
        rows = [each for each in people() if name in {each.name, each.population}]
        if population:
            rows = [each for each in rows if population in {each.name, each.population}]
        if not rows:
            raise self._absent("person", asked, _of_people())
        called = ", ".join(filter(None, (name, population)))
        if len(rows) > MOST_IN_FULL:
            return {"kind": "person", "name": called, "values": _in_short(rows), "note": _IN_SHORT}
        return {
            "kind": "person",
            "name": called,
            "values": [_capability(each) for each in rows],
            "sources": _works(each.figure.source for each in rows),
        }

    def _object(self, asked: str) -> Data:
        row = self._objects.get(_normal(asked))
        if row is None:
            raise self._absent("object", asked, {name: each.label for name, each in self._objects.items()})
        lines = [split_line(line, example="mass = 4[kg]") for line in row.props]
        made = objects().get(row.name)
        return {
            "kind": "object",
            "name": row.name,
            "label": row.label,
            "group": row.group,
            "values": {
                line.head: f"{line.body} @ {line.evidence}" if line.evidence else line.body for line in lines
            },
            "source": row.source,
            "made_of": dict(made.materials) if made is not None else {},
            "everyday_uses": list(row.uses),
            "can_serve_as": list(affordances_of(row, self.library)),
            "sources": _works([row.source, *(line.evidence.removeprefix("library: ") for line in lines)]),
        }

    @property
    def _objects(self) -> Mapping[str, LibraryRow]:
        return {name: row for name, row in self.library.rows.items() if row.kind != "substance"}

    def _absent(self, kind: str, asked: str, known: Mapping[str, str]) -> ToolRefused:
        close = _near(_normal(asked), known)
        hint = f"similar names: {', '.join(close)}" if close else "try a simpler word"
        others = [each for each in KINDS if each != kind and self._has(each, _normal(asked))]
        elsewhere = f"; it exists as kind {others[0]}" if others else ""
        return ToolRefused(f"the library has no {kind} `{excerpt(asked)}`{elsewhere}; {hint}.")

    def _has(self, kind: str, name: str) -> bool:
        known: Iterable[str] = {"material": materials(), "person": _of_people(), "object": self._objects}[
            kind
        ]
        return name in known


def _normal(name: str) -> str:
    return _ARTICLE.sub("", re.sub(r"[\s\-]+", "_", name.strip().lower()))


def _near(name: str, known: Mapping[str, str]) -> list[str]:
    """Return similar names, and names whose own text or label contains a word of the wanted name."""
    words = [word for word in name.split("_") if len(word) > 2]  # noqa: PLR2004 - shorter words are too common
    worded = [
        each for each, label in known.items() if any(word in f"{each} {label}".lower() for word in words)
    ]
    return list(dict.fromkeys([*near(name, known), *worded]))[:MOST_NEAR]


def _of_people() -> Mapping[str, str]:
    return {**{each.name: each.note for each in people()}, **{each.population: "" for each in people()}}


def _figure(figure: Figure) -> Data:
    if not figure.is_measured:
        return {"value": figure.value, "source": figure.source}
    low, high = figure.range
    return {"value": figure.number, "low": low, "high": high, "unit": figure.unit, "source": figure.source}


def _capability(each: Capability) -> Data:
    return {"capability": each.name, "population": each.population, **_figure(each.figure), "note": each.note}


def _in_short(rows: list[Capability]) -> Data:
    return {
        each.name: f"{each.figure.value} ({each.figure.low}..{each.figure.high}) {each.figure.unit}"
        for each in rows
    }


def _material_sources(found: Material) -> list[str]:
    return [figure.source for figure in found.figures.values()]


def _works(sources: Iterable[str]) -> Data:
    """Return the cited works by key."""
    keys = dict.fromkeys(source.partition(",")[0].strip() for source in sources)
    return {
        key: f"{figures()[key].authors} ({figures()[key].year}), {figures()[key].title}"
        for key in keys
        if key in figures()
    }
