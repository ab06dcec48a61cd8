"""The golden records: each read by a person, loaded once, handed out as copies and checked once."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, Final

from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.checks.record_check import CheckReport, verify_record
from impossible_moments.mechanics.records.documents import load_document
from impossible_moments.mechanics.records.json_schema import to_normal_form
from impossible_moments.mechanics.records.record import Record

Data = dict[str, Any]

_ROOT: Final = Path(__file__).parents[2]
_PATHS: Final = {
    path.stem: path
    for path in (
        *sorted((_ROOT / "tests/golden/records").glob("*.yaml")),
        _ROOT / "examples/blast_room.yaml",
    )
}
NAMES: Final = tuple(_PATHS)
"""Every golden record by the name of its file."""


def document(name: str) -> Data:
    """A golden record as its file writes it."""
    return load_document(_PATHS[name])


def published(name: str) -> Data:
    """A record as it was published, flaws and all, in normal form."""
    return deepcopy(_normal(_ROOT / "tests/golden/published" / f"{name}.yaml"))


def golden(name: str) -> Data:
    """A golden record in normal form: every section there, every line by itself. The copy may be changed."""
    return deepcopy(_normal(_PATHS[name]))


@cache
def golden_report(name: str) -> CheckReport:
    """What the check says of a golden record."""
    return checked(golden(name))


def checked(data: Data) -> CheckReport:
    """What the check says of some data, with the library that ships."""
    return verify_record(data, load_everyday_library())


@cache
def claims() -> dict[str, str]:
    """What each golden record claims to be."""
    return {name: _normal(path)["status"]["claim"] for name, path in _PATHS.items()}


def claiming(status: str) -> tuple[str, ...]:
    """The golden records that claim a status."""
    return tuple(name for name, claim in claims().items() if claim == status)


@cache
def _normal(path: Path) -> Data:
    return to_normal_form(Record.model_validate(load_document(path)))
