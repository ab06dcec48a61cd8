"""The tables of the public document: cells that a seed leaves open are filled from the record and the library."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.wording.record_wording import RecordWording
from impossible_moments.domain.seed import NO_BODILY_LIMIT, ObjectRow
from impossible_moments.library import load_everyday_objects
from impossible_moments.scenarios import NOTHING

FILLERS: Final = frozenset(
    {"", "-", "–", "—", "?", "n/a", "none", "none stated", "not stated", "unknown", "as told above"}
    | {"an ordinary adult", "tbd", "todo"}
)
"""Texts of cells that state nothing."""
SIZES: Final = ("length", "width", "height")
_SENTENCE_BREAK: Final = re.compile(r"(?<=[.!?;])\s+")
_ARTICLE: Final = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


def is_filler(text: str) -> bool:
    """Return whether a cell states nothing."""
    return text.strip().rstrip(".").casefold() in FILLERS


def build_environment_rows(case: FinishedCase) -> list[tuple[str, str]]:
    """Return the rows of the environment table that state something, else the deadline of the record."""
    rows = [
        (row.feature, row.specification)
        for row in case.seed.scenario.environment
        if not is_filler(row.specification)
    ]
    deadline = case.wording.format_value("deadline") if case.wording is not None else ""
    return rows or ([("Time there is", deadline)] if deadline else [])


def build_object_rows(case: FinishedCase) -> list[tuple[str, ...]]:
    """Return the rows of the object table. A row without any statement is left out."""
    rows = []
    for row in case.seed.scenario.objects:
        mass, dimensions, material, notes = _fill_object_cells(case.wording, row)
        if is_filler(notes):
            notes = _quote_sentence_naming(row.name, case.seed.scenario.narrative)
        cells = (mass, dimensions, material, notes)
        if any(not is_filler(cell) for cell in cells):
            rows.append((row.name, *(NOTHING if is_filler(cell) else cell for cell in cells)))
    return rows


def build_capability_rows(case: FinishedCase) -> list[tuple[str, str]]:
    """Return the stated capabilities. Nothing is added that SOCRATES did not read."""
    rows = [(row.parameter, row.value) for row in case.seed.scenario.capabilities if not is_filler(row.value)]
    return rows or [NO_BODILY_LIMIT]


def _fill_object_cells(wording: RecordWording | None, row: ObjectRow) -> tuple[str, str, str, str]:
    name = _find_thing(wording, row.name)
    if wording is None or name is None:
        return row.mass, row.dimensions, row.material, row.notes
    return (
        wording.format_value(f"{name}.mass") if is_filler(row.mass) else row.mass,
        _format_dimensions(wording, name) if is_filler(row.dimensions) else row.dimensions,
        _describe_materials(wording, name) if is_filler(row.material) else row.material,
        row.notes,
    )


def _quote_sentence_naming(label: str, narrative: str) -> str:
    """Return the first sentence of the narrative that names a thing, or nothing."""
    wanted = _ARTICLE.sub("", label.strip()).casefold()
    sentences = _SENTENCE_BREAK.split(" ".join(narrative.split()))
    return next((f"“{each.rstrip('.')}”" for each in sentences if wanted and wanted in each.casefold()), "")


def _find_thing(wording: RecordWording | None, label: str) -> str | None:
    """Return the thing of the record whose label a row has, with any article."""
    if wording is None:
        return None
    wanted = _ARTICLE.sub("", label.strip()).casefold()
    return next(
        (
            name
            for name, thing in wording.world.things.items()
            if _ARTICLE.sub("", thing.label).casefold() == wanted
        ),
        None,
    )


def _format_dimensions(wording: RecordWording, name: str) -> str:
    values = (wording.format_value(f"{name}.{size}") for size in SIZES)
    return " × ".join(value for value in values if value)


def _describe_materials(wording: RecordWording, name: str) -> str:
    known = load_everyday_objects().get(wording.world.things[name].like or "")
    return " and ".join(each.replace("_", " ") for each in known.materials) if known is not None else ""
