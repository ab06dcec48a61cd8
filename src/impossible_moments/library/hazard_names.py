"""Hazardous things and substances: weapons, poisons, explosives and what explosives are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from impossible_moments.mechanics.records import parse_document


@dataclass(frozen=True, slots=True)
class NamedHazard:
    """A hazard by the names under which texts mention it, with its tag and the reason for the tag."""

    names: tuple[str, ...]
    tag: str
    why: str


@lru_cache(maxsize=1)
def load_named_hazards() -> tuple[NamedHazard, ...]:
    """Return the hazards of `hazard_names.yaml`."""
    text = files("impossible_moments.library").joinpath("hazard_names.yaml").read_text(encoding="utf-8")
    rows: Any = parse_document(text, name="hazard_names.yaml")
    return tuple(NamedHazard(tuple(row["names"]), row["tag"], row["why"]) for row in rows)


def find_named_hazards(text: str) -> Iterator[tuple[str, NamedHazard]]:
    """Yield the name and the hazard of each hazardous thing that a text mentions."""
    for hazard in load_named_hazards():
        for name in hazard.names:
            if re.search(rf"\b{re.escape(name)}s?\b", text, re.IGNORECASE):
                yield name, hazard
