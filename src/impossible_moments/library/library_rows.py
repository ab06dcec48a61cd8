"""Conversion of the data tables into library rows and into property lines of the standard agent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from impossible_moments.library.data_tables import EverydayObject, HumanCapability, Material, SourcedFigure
from impossible_moments.mechanics.records import parse_line

LIBRARY_PROPERTY_NAMES: Final = {"ignites": "kindles"}
"""Figures that have a different name in the library's operators: there, `ignites` is what a match does."""
NOT_PROPERTIES: Final = frozenset({"label", "class", "dissolves_in", "corroded_by", "flammability"})
"""Figures of a material that only describe it. No operator computes with them."""


def build_object_rows(things: Mapping[str, EverydayObject]) -> Iterator[dict[str, Any]]:
    """Yield a library row for each everyday object: its figures, its properties, and `held = false`."""
    for thing in things.values():
        length, width, height = thing.size
        low, high = thing.mass_range
        source_suffix = f"@ {_format_source(thing.source)}"
        lines = [
            f"mass = {thing.mass:g}[kg] ({low:g}..{high:g}) assumed {source_suffix}",
            f"length = {length:g}[m]",
            f"width = {width:g}[m]",
            f"height = {height:g}[m]",
            "held = false",
            *(line.strip() for line in thing.props.split(";") if line.strip()),
        ]
        yield {
            "name": thing.name,
            "label": thing.label,
            "kind": "object",
            "uses": list(thing.uses),
            "source": thing.source,
            "group": thing.group,
            "props": "\n".join(lines),
        }


def build_material_rows(materials: Mapping[str, Material]) -> Iterator[dict[str, Any]]:
    """Yield a library row of kind `substance` for each material, with its measured figures."""
    for material in materials.values():
        if material.name in {"water", "air"}:
            continue  # defined in base.yaml: present in every world, and a record may change them
        lines = [
            f"{LIBRARY_PROPERTY_NAMES.get(name, name)} = {_format_sourced_figure(figure)}"
            for name, figure in material.figures.items()
            if figure.is_measured and name not in NOT_PROPERTIES
        ]
        yield {
            "name": material.name,
            "label": material.label,
            "kind": "substance",
            "source": material.density.source,
            "group": "materials",
            "props": "\n".join(lines),
        }


def build_agent_property_lines(property_names: str, known: tuple[HumanCapability, ...]) -> Iterator[str]:
    """Yield the property lines of the standard agent.

    A line such as `reach = standing_reach, adult` refers to a row of people.csv and is replaced by its
    figure. Any other line is yielded unchanged.
    """
    figures = {(each.name, each.population): each.figure for each in known}
    for line in filter(str.strip, property_names.splitlines()):
        parts = parse_line(line.strip(), example="reach = standing_reach, adult")
        name, _, population = (part.strip() for part in parts.body.partition(","))
        figure = figures.get((name, population))
        yield f"{parts.head} = {_format_sourced_figure(figure)}" if figure is not None else line.strip()


def _format_sourced_figure(figure: SourcedFigure) -> str:
    unit = "" if figure.unit == "1" else f"[{figure.unit}]"
    return f"{figure.value}{unit} ({figure.low}..{figure.high}) assumed @ {_format_source(figure.source)}"


def _format_source(source: str) -> str:
    """Return a source as it appears in a property line: the prefix `library:` marks a listed work."""
    return source if source == "estimate" else f"library: {source}"
