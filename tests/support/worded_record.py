"""The first record of the documentation, with changes to its section `wording`."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any, Final

from impossible_moments.mechanics.records import load_document
from impossible_moments.mechanics.records.json_schema import convert_record_to_normal_form
from impossible_moments.mechanics.records.record import Record

EXAMPLE: Final = Path(__file__).parents[2] / "examples" / "first_record.yaml"


def _load_example() -> dict[str, Any]:
    record = convert_record_to_normal_form(Record.model_validate(load_document(EXAMPLE)))
    assert isinstance(record, dict)
    return record


WORDING: Final[dict[str, Any]] = _load_example()["wording"]


def build_worded_record(**changes: Any) -> dict[str, Any]:
    """Return the record with its wording, of which some fields are replaced."""
    return {**_load_example(), "wording": {**deepcopy(WORDING), **changes}}
