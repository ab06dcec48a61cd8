"""The complete records in ATHENA's prompt are what the checker accepts, with everything that the SEED gate asks for."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.domain.vocabulary import ATHENA
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.checks import verify_record
from impossible_moments.mechanics.records import Record
from impossible_moments.mechanics.records.wording_forms import ActionWording

PROMPT = load_configuration().prompts[ATHENA]
BLOCKS = [json.loads(text) for text in re.findall(r"```json\n(\{.*?\})\n```", PROMPT, re.DOTALL)]
RECORDS: list[dict[str, Any]] = [block for block in BLOCKS if "format" in block]


def test_the_prompt_has_two_records() -> None:
    assert [each["status"]["claim"] for each in RECORDS] == ["KS-Singular", "PX"]


@pytest.mark.parametrize("record", RECORDS, ids=lambda each: str(each["title"]))
def test_a_record_of_the_prompt_is_accepted_without_a_finding(record: dict[str, Any]) -> None:
    report = verify_record(record, load_everyday_library())

    assert list(report.findings) == []
    assert set(record) == set(Record.model_fields)


def test_the_example_of_an_entry_has_every_field() -> None:
    entry = next(block for block in BLOCKS if "needs_said" in block)

    assert set(entry) == set(ActionWording.model_fields)
    assert ActionWording.model_validate(entry).near_misses
