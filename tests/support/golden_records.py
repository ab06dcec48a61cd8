"""The golden records, each proofread by a person. They are loaded and checked once, and returned as copies."""

from __future__ import annotations

import re
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, Final

from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.checks.record_check import CheckReport, verify_record
from impossible_moments.mechanics.records.documents import load_document
from impossible_moments.mechanics.records.json_schema import convert_record_to_normal_form
from impossible_moments.mechanics.records.record import Record
from support.derived_wording import add_wording

Data = dict[str, Any]

_ROOT: Final = Path(__file__).parents[2]
_PATHS: Final = {
    path.stem: path
    for path in (
        *sorted((_ROOT / "tests/golden/records").glob("*.yaml")),
        _ROOT / "examples/blast_room.yaml",
    )
}
_CLAIM: Final = re.compile(r"\bclaim: ([\w-]+)")
NAMES: Final = tuple(_PATHS)
"""Every golden record by the name of its file."""


def load_golden_document(name: str) -> Data:
    """Return a golden record as written in its file, with a wording made from its names."""
    return add_wording(load_document(_PATHS[name]))


def load_published_record(name: str) -> Data:
    """Return a record as it was published, with its flaws, in normal form."""
    return deepcopy(_load_normal_form(_ROOT / "tests/golden/published" / f"{name}.yaml"))


def load_golden_record(name: str) -> Data:
    """Return a golden record in normal form, with a wording made from its names. The copy may be changed."""
    return deepcopy(_load_worded_form(_PATHS[name]))


@cache
def check_golden_record(name: str) -> CheckReport:
    """Return the check report of a golden record."""
    return check_record(load_golden_record(name))


def check_record(data: Data) -> CheckReport:
    """Return the check report of some data with the shipped library."""
    return verify_record(data, load_everyday_library())


@cache
def load_claims() -> dict[str, str]:
    """Return the status that each golden record claims, read from the text alone; used to parametrize tests."""
    return {name: _read_claim(path) for name, path in _PATHS.items()}


def list_records_claiming(status: str) -> tuple[str, ...]:
    """Return the golden records that claim a status."""
    return tuple(name for name, claim in load_claims().items() if claim == status)


def _read_claim(path: Path) -> str:
    (claim,) = _CLAIM.findall(path.read_text(encoding="utf-8"))
    return str(claim)


@cache
def _load_worded_form(path: Path) -> Data:
    return convert_record_to_normal_form(Record.model_validate(add_wording(load_document(path))))


@cache
def _load_normal_form(path: Path) -> Data:
    return convert_record_to_normal_form(Record.model_validate(load_document(path)))
