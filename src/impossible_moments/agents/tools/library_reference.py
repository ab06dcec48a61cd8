"""Look-up of materials, people and objects in the library, with values, ranges, units and sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from impossible_moments.agents.tools.argument_checks import (
    LONGEST_NAME,
    ToolRefusal,
    find_similar_names,
    require_known_word_argument,
    require_text_argument,
)
from impossible_moments.agents.tools.tool_results import Data
from impossible_moments.library import (
    HumanCapability,
    Material,
    SourcedFigure,
    find_row_affordances,
    load_everyday_objects,
    load_figure_sources,
    load_human_capabilities,
    load_materials,
)
from impossible_moments.mechanics.records import Library, LibraryRow, format_short_text, parse_line

KINDS: Final = ("material", "person", "object")
MOST_NEAR: Final = 6
MOST_IN_FULL: Final = 8
_SHORT_FORM_NOTE: Final = "Short form: value (low..high) unit. Look up one entry for its source and note."
_ARTICLE: Final = re.compile(r"^(?:a|an|the)_")


@dataclass(frozen=True)
class LibraryReference:
    """Look-up of rows in a library and its tables."""

    library: Library

    def look_up(
        self,
        *,
        kind: Annotated[str, Field(description="material, person or object.")],
        name: Annotated[
            str,
            Field(
                description="Name of a material (steel), an object (wooden_chair) or a human capability (grip_force). "
                "Add a population if needed (stature, woman). A population alone (adult) returns all its capabilities."
            ),
        ],
    ) -> Data:
        """Look up a row of the knowledge library: its values with range, unit and source."""
        row_kind = require_known_word_argument(kind, "kind", KINDS)
        row_name = require_text_argument(name, "name", LONGEST_NAME)
        match row_kind:
            case "material":
                return self._look_up_material(row_name)
            case "person":
                return self._look_up_person(row_name)
            case _:
                return self._look_up_object(row_name)

    def _look_up_material(self, material_name: str) -> Data:
        found = load_materials().get(_normalize_name(material_name))
        if found is None:
            raise self._build_missing_row_refusal(
                "material", material_name, {name: each.label for name, each in load_materials().items()}
            )
        values = {name: _describe_figure(figure) for name, figure in found.figures.items() if name != "label"}
        return {
            "kind": "material",
            "name": found.name,
            "label": found.label,
            "values": values,
            "sources": _collect_cited_works(_collect_material_sources(found)),
        }

    def _look_up_person(self, population_name: str) -> Data:
        name, _, population = (_normalize_name(part) for part in population_name.partition(","))
        rows = [each for each in load_human_capabilities() if name in {each.name, each.population}]
        if population:
            rows = [each for each in rows if population in {each.name, each.population}]
        if not rows:
            raise self._build_missing_row_refusal("person", population_name, _collect_people_names())
        called = ", ".join(filter(None, (name, population)))
        if len(rows) > MOST_IN_FULL:
            return {
                "kind": "person",
                "name": called,
                "values": _summarize_capabilities(rows),
                "note": _SHORT_FORM_NOTE,
            }
        return {
            "kind": "person",
            "name": called,
            "values": [_describe_capability(each) for each in rows],
            "sources": _collect_cited_works(each.figure.source for each in rows),
        }

    def _look_up_object(self, object_name: str) -> Data:
        row = self._objects.get(_normalize_name(object_name))
        if row is None:
            raise self._build_missing_row_refusal(
                "object", object_name, {name: each.label for name, each in self._objects.items()}
            )
        lines = [parse_line(line, example="mass = 4[kg]") for line in row.props]
        everyday_object = load_everyday_objects().get(row.name)
        return {
            "kind": "object",
            "name": row.name,
            "label": row.label,
            "group": row.group,
            "values": {
                line.head: f"{line.body} @ {line.evidence}" if line.evidence else line.body for line in lines
            },
            "source": row.source,
            "made_of": dict(everyday_object.materials) if everyday_object is not None else {},
            "everyday_uses": list(row.uses),
            "can_serve_as": list(find_row_affordances(row, self.library)),
            "sources": _collect_cited_works(
                [row.source, *(line.evidence.removeprefix("library: ") for line in lines)]
            ),
        }

    @property
    def _objects(self) -> Mapping[str, LibraryRow]:
        return {name: row for name, row in self.library.rows.items() if row.kind != "substance"}

    def _build_missing_row_refusal(self, kind: str, name: str, known: Mapping[str, str]) -> ToolRefusal:
        close = _find_similar_rows(_normalize_name(name), known)
        hint = f"similar names: {', '.join(close)}" if close else "try a simpler word"
        other_kinds = [each for each in KINDS if each != kind and self._has_row(each, _normalize_name(name))]
        other_kind_note = f"; it exists as kind {other_kinds[0]}" if other_kinds else ""
        return ToolRefusal(f"the library has no {kind} `{format_short_text(name)}`{other_kind_note}; {hint}.")

    def _has_row(self, kind: str, name: str) -> bool:
        known: Iterable[str] = {
            "material": load_materials(),
            "person": _collect_people_names(),
            "object": self._objects,
        }[kind]
        return name in known


def _normalize_name(name: str) -> str:
    return _ARTICLE.sub("", re.sub(r"[\s\-]+", "_", name.strip().lower()))


def _find_similar_rows(name: str, known: Mapping[str, str]) -> list[str]:
    """Return similar names, and names whose own text or label contains a word of the wanted name."""
    words = [word for word in name.split("_") if len(word) > 2]  # noqa: PLR2004 - shorter words are too common
    worded = [
        each for each, label in known.items() if any(word in f"{each} {label}".lower() for word in words)
    ]
    return list(dict.fromkeys([*find_similar_names(name, known), *worded]))[:MOST_NEAR]


def _collect_people_names() -> Mapping[str, str]:
    return {
        **{each.name: each.note for each in load_human_capabilities()},
        **{each.population: "" for each in load_human_capabilities()},
    }


def _describe_figure(figure: SourcedFigure) -> Data:
    if not figure.is_measured:
        return {"value": figure.value, "source": figure.source}
    low, high = figure.range
    return {"value": figure.number, "low": low, "high": high, "unit": figure.unit, "source": figure.source}


def _describe_capability(capability: HumanCapability) -> Data:
    return {
        "capability": capability.name,
        "population": capability.population,
        **_describe_figure(capability.figure),
        "note": capability.note,
    }


def _summarize_capabilities(rows: list[HumanCapability]) -> Data:
    return {
        each.name: f"{each.figure.value} ({each.figure.low}..{each.figure.high}) {each.figure.unit}"
        for each in rows
    }


def _collect_material_sources(material: Material) -> list[str]:
    return [figure.source for figure in material.figures.values()]


def _collect_cited_works(sources: Iterable[str]) -> Data:
    """Return the cited works by key."""
    keys = dict.fromkeys(source.partition(",")[0].strip() for source in sources)
    return {
        key: f"{load_figure_sources()[key].authors} ({load_figure_sources()[key].year}), {load_figure_sources()[key].title}"
        for key in keys
        if key in load_figure_sources()
    }
