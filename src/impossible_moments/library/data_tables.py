"""Data tables of materials, people and everyday objects, each figure with its range and source."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from io import StringIO
from typing import Final

WORDS: Final = frozenset({"word", "text"})
"""Units of figures that are words, not numbers."""


@dataclass(frozen=True, slots=True)
class SourcedFigure:
    """A number with unit and range, or a word, and its source."""

    value: str
    low: str
    high: str
    unit: str
    source: str

    @property
    def is_measured(self) -> bool:
        """Whether the figure is a number."""
        return self.unit not in WORDS

    @property
    def number(self) -> float:
        """Value in the unit of the figure."""
        return float(self.value)

    @property
    def range(self) -> tuple[float, float]:
        """Lower and upper end of the range, in the unit of the figure."""
        return float(self.low), float(self.high)

    @property
    def words(self) -> tuple[str, ...]:
        """Words of a list value such as `water acetone`."""
        return tuple(self.value.split())


@dataclass(frozen=True, slots=True)
class Material:
    """A material with its figures."""

    name: str
    figures: Mapping[str, SourcedFigure]

    @property
    def label(self) -> str:
        """Name of the material in prose."""
        return self.figures["label"].value

    @property
    def density(self) -> SourcedFigure:
        """Mass per volume."""
        return self.figures["density"]


@dataclass(frozen=True, slots=True)
class HumanCapability:
    """A measured ability of the people of a population."""

    name: str
    population: str
    figure: SourcedFigure
    note: str


@dataclass(frozen=True, slots=True)
class EverydayObject:
    """An everyday object: lengths in metres, masses in kilograms, `solid` in litres of material."""

    name: str
    label: str
    group: str
    materials: Mapping[str, float]
    mass: float
    mass_range: tuple[float, float]
    size: tuple[float, float, float]
    solid: float
    props: str
    uses: tuple[str, ...]
    source: str = field(default="estimate")


@lru_cache(maxsize=1)
def load_materials() -> Mapping[str, Material]:
    """Return all materials of `materials.csv` by name."""
    found: dict[str, dict[str, SourcedFigure]] = {}
    for row in _read_csv_rows("materials.csv"):
        found.setdefault(row["material"], {})[row["property"]] = _parse_figure_row(row)
    return {name: Material(name, figures) for name, figures in found.items()}


@lru_cache(maxsize=1)
def load_human_capabilities() -> tuple[HumanCapability, ...]:
    """Return all capabilities of `people.csv`."""
    return tuple(
        HumanCapability(row["capability"], row["population"], _parse_figure_row(row), row["note"])
        for row in _read_csv_rows("people.csv")
    )


@lru_cache(maxsize=1)
def load_everyday_objects() -> Mapping[str, EverydayObject]:
    """Return all everyday objects of `objects.csv` by name."""
    return {row["name"]: _parse_object_row(row) for row in _read_csv_rows("objects.csv")}


def _parse_object_row(row: Mapping[str, str]) -> EverydayObject:
    shares = (part.partition(":") for part in row["materials"].split())
    return EverydayObject(
        row["name"],
        row["label"],
        row["group"],
        {name: float(share or 1) for name, _, share in shares},
        float(row["mass"]),
        (float(row["mass_low"]), float(row["mass_high"])),
        (float(row["length"]), float(row["width"]), float(row["height"])),
        float(row["solid"]),
        row["props"],
        tuple(row["uses"].split()),
        row["source"],
    )


def _parse_figure_row(row: Mapping[str, str]) -> SourcedFigure:
    return SourcedFigure(row["value"], row["low"], row["high"], row["unit"], row["source"])


def _read_csv_rows(name: str) -> Iterator[dict[str, str]]:
    text = files("impossible_moments.library").joinpath(name).read_text(encoding="utf-8")
    yield from csv.DictReader(StringIO(text, newline=""))
