"""Figures of the real world: what wind, tides, fires, people and vehicles do, with range, unit and source."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any, Final

from impossible_moments.library.data_tables import load_materials
from impossible_moments.library.word_families import list_base_forms
from impossible_moments.mechanics.language import Dimension, Unit, parse_unit
from impossible_moments.mechanics.records import parse_document

DENSITY_WORDS: Final = frozenset({"density", "dense", "heavy"})
NO_DENSITY_WORDS: Final = frozenset(
    {"difference", "contrast", "light", "lighter", "dissolve", "round", "around", "surrounding"}
)
"""Words of a quantity that is not the density of the named material: a difference of two, a solubility, the density of what surrounds it."""
DENSITY_FACTOR: Final = 1.15
_SHORTEST_NAME: Final = 2


@dataclass(frozen=True)
class RealWorldFigure:
    """A row of `real_world_figures.yaml`: a range that was measured, and the wording of quantities that it is for."""

    name: str
    label: str
    unit: Unit
    low: float
    high: float
    factor: float
    """By how much a stated figure may lie outside the range before it is challenged."""
    source: str
    word_groups: tuple[frozenset[str], ...]
    excluded_words: frozenset[str]
    example: str

    @property
    def dimension(self) -> Dimension:
        """The dimension of the figure."""
        return self.unit.dimension

    @cached_property
    def range_si(self) -> tuple[float, float]:
        """Both ends of the range in SI units."""
        return self.unit.to_si(self.low), self.unit.to_si(self.high)

    def applies_to(self, words: frozenset[str]) -> bool:
        """Return whether a quantity with these words, in base forms, is one that the row is for."""
        return all(group & words for group in self.word_groups) and not self.excluded_words & words


@lru_cache(maxsize=1)
def load_real_world_figures() -> tuple[RealWorldFigure, ...]:
    """Return all rows of `real_world_figures.yaml`."""
    name = "real_world_figures.yaml"
    text = files("impossible_moments.library").joinpath(name).read_text(encoding="utf-8")
    rows: Any = parse_document(text, name=name)
    return (*_parse_rows(rows), *_build_density_figures())


def _parse_rows(rows: list[dict[str, Any]]) -> tuple[RealWorldFigure, ...]:
    return tuple(
        RealWorldFigure(
            row["name"],
            row["label"],
            parse_unit(str(row["unit"])),
            float(row["low"]),
            float(row["high"]),
            float(row["factor"]),
            row["source"],
            tuple(frozenset(group.split()) for group in row["words"]),
            frozenset(row["unless"].split()),
            row["example"],
        )
        for row in rows
    )


def _build_density_figures() -> tuple[RealWorldFigure, ...]:
    """Return the density of each material of `materials.csv`, for quantities that name it and speak of density."""
    return tuple(
        RealWorldFigure(
            f"density_of_{material.name}",
            material.name.replace("_", " "),
            parse_unit(material.density.unit),
            *material.density.range,
            DENSITY_FACTOR,
            material.density.source,
            (DENSITY_WORDS, *(frozenset({word}) for word in material.name.split("_"))),
            NO_DENSITY_WORDS,
            f"density of {material.name.replace('_', ' ')}",
        )
        for material in load_materials().values()
        if len(material.name) > _SHORTEST_NAME
    )


def collect_quantity_words(text: str) -> frozenset[str]:
    """Return the base forms of the words of a quantity's wording, also of those that have only two letters."""
    words = "".join(sign if sign.isalpha() else " " for sign in text.lower()).split()
    return frozenset(words).union(*map(list_base_forms, words))
