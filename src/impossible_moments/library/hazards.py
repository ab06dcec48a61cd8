"""Hazards of materials, everyday objects and properties, each with its source."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from io import StringIO
from itertools import combinations
from types import MappingProxyType
from typing import Final

from impossible_moments.library.word_families import split_words


@dataclass(frozen=True, slots=True)
class HazardTag:
    """A row of `hazards.csv`: a material, substance, object, property or pair of materials, and its hazard."""

    kind: str
    name: str
    hazard: str
    source: str


@dataclass(frozen=True, slots=True)
class ThingHazard:
    """A hazard of a thing, and what causes it."""

    hazard: str
    cause: str
    source: str


# fmt: off
HAZARD_MEANINGS: Final[Mapping[str, str]] = MappingProxyType({
    "toxic":            "poisons those who breathe or swallow it",
    "corrosive":        "burns skin and eyes",
    "explosive":        "explodes",
    "explosive_vapour": "gives off vapour or gas that explodes with air",
    "flammable":        "burns fiercely",
    "oxidising":        "makes other things burn fiercely",
    "asphyxiant":       "displaces the air in a closed room",
    "fire":             "is an open flame or a source of ignition",
    "pressure":         "stores energy under pressure",
    "electric_shock":   "can give a dangerous electric shock",
    "weapon":           "wounds people if it is used against them",
    "medicine":         "is used in medical treatment",
})
# fmt: on


@lru_cache(maxsize=1)
def load_hazard_tags() -> tuple[HazardTag, ...]:
    """Return all rows of `hazards.csv`."""
    text = files("impossible_moments.library").joinpath("hazards.csv").read_text(encoding="utf-8")
    return tuple(
        HazardTag(row["kind"], row["name"], row["hazard"], row["source"])
        for row in csv.DictReader(StringIO(text, newline=""))
    )


def find_thing_hazards(
    row: str, materials: Collection[str], properties: Collection[str], *, text: str = ""
) -> tuple[ThingHazard, ...]:
    """Return the hazards of a thing, given its library row, its materials and its properties that are not false.

    `text` is its label and its material in words. Substances that the library has no figures for are found in it.
    """
    words = " ".join(split_words(text))
    known: dict[str, Collection[str]] = {
        "material": materials,
        "object": {row},
        "property": properties,
        "substance": {
            tag.name
            for tag in load_hazard_tags()
            if tag.kind == "substance" and re.search(rf"\b{re.escape(tag.name)}\b", words)
        },
    }
    return tuple(
        ThingHazard(tag.hazard, f"{tag.kind} {tag.name.replace('_', ' ')}", tag.source)
        for tag in load_hazard_tags()
        if tag.name in known.get(tag.kind, ())
    )


def find_reaction_hazards(first: Collection[str], second: Collection[str]) -> tuple[ThingHazard, ...]:
    """Return the hazards of bringing two things together, given their materials."""
    return tuple(
        ThingHazard(tag.hazard, f"{one.replace('_', ' ')} with {other.replace('_', ' ')}", tag.source)
        for tag in load_hazard_tags()
        if tag.kind == "pair"
        for one, other in combinations(tag.name.split(), 2)
        if (one in first and other in second) or (one in second and other in first)
    )
