"""Existing benchmarks of other projects: what each one tests and what it leaves untested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from impossible_moments.mechanics.records import parse_document


@dataclass(frozen=True, slots=True)
class ExistingBenchmark:
    """A benchmark of another project; `categories` names our categories that it comes closest to."""

    name: str
    year: str
    cite: str
    tests: str
    lacks: str
    categories: tuple[str, ...]


@lru_cache(maxsize=1)
def load_existing_benchmarks() -> Mapping[str, ExistingBenchmark]:
    """Return all existing benchmarks by name, in the order of `benchmarks.yaml`."""
    text = files("impossible_moments.library").joinpath("benchmarks.yaml").read_text(encoding="utf-8")
    rows: Any = parse_document(text, name="benchmarks.yaml")
    return {
        row["name"]: ExistingBenchmark(
            row["name"], str(row["year"]), row["cite"], row["tests"], row["lacks"], tuple(row["categories"])
        )
        for row in rows
    }
