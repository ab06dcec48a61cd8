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
class Hazard:
    """A hazard by the names under which texts mention it, with its tag and the reason for the tag."""

    names: tuple[str, ...]
    tag: str
    why: str


@lru_cache(maxsize=1)
def load_hazards() -> tuple[Hazard, ...]:
    """Return the hazards of `hazards.yaml`."""
    text = files("impossible_moments.library").joinpath("hazards.yaml").read_text(encoding="utf-8")
    rows: Any = parse_document(text, name="hazards.yaml")
    return tuple(Hazard(tuple(row["names"]), row["tag"], row["why"]) for row in rows)


def find_hazards(text: str) -> Iterator[tuple[str, Hazard]]:
    """Yield the name and the hazard of each hazardous thing that a text mentions."""
    for hazard in load_hazards():
        for name in hazard.names:
            if re.search(rf"\b{re.escape(name)}s?\b", text, re.IGNORECASE):
                yield name, hazard
