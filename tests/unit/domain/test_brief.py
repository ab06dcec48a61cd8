"""The generation brief: both spellings of its fields, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import STATUSES

SHORT: dict[str, Any] = {
    "category": "The Locked Room",
    "difficulty_tier": "FRACTURE",
    "solution_status": "KS",
}
LONG = {f"target_{name}": value for name, value in SHORT.items()}


def brief(**changes: Any) -> GenerationBrief:
    return GenerationBrief.model_validate(SHORT | changes)


def test_the_names_of_phase_1_are_read_as_those_of_the_interface() -> None:
    assert GenerationBrief.model_validate(LONG) == brief()


def test_a_brief_is_written_with_the_names_of_the_interface() -> None:
    assert set(SHORT) <= set(brief().model_dump())


def test_the_brief_of_the_specification_is_accepted() -> None:
    found = GenerationBrief(
        category="The Locked Room",
        difficulty_tier="FRACTURE",
        solution_status="KS",
        constraints=["Must involve water as a threat", "Must include exactly 3 objects"],  # type: ignore[arg-type]
        inspiration_seed="A flooding scenario with unconventional tools",
    )

    assert found.constraints == ("Must involve water as a threat", "Must include exactly 3 objects")


def test_a_brief_survives_being_written_and_read() -> None:
    asked = brief(constraints=["no rope"], scenario_id="IM-0042", seed=7)

    assert GenerationBrief.model_validate_json(asked.model_dump_json()) == asked


@pytest.mark.parametrize("subtype", ["KS-Singular", "KS-Multiple", "KS-Fragile"])
def test_a_subtype_is_read_as_its_status(subtype: str) -> None:
    assert brief(solution_status=subtype).solution_status == "KS"


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_can_be_asked_for(status: str) -> None:
    assert brief(solution_status=status).solution_status == status


# fmt: off
REFUSED = [
    ("category",        "The Open Door",  "The Locked Room"),
    ("difficulty_tier", "HARD",           "SPARK"),
    ("solution_status", "XX",             "the statuses are KS, CT, OF, PX, MT, DG"),
    ("solution_status", "ks",             "the statuses are KS, CT, OF, PX, MT, DG"),
    ("solution_status", "KS-Banana",      "`KS-Banana` is not a solution status; .*the subtypes of KS are KS-Singular, KS-Multiple, KS-Fragile"),
    ("solution_status", "KS-Fragil",      "did you mean `KS-Fragile`"),
    ("solution_status", "PX-Fragile",     "`PX-Fragile` is not a solution status"),
    ("solution_status", "KS-",            "`KS-` is not a solution status"),
    ("solution_status", 7,                "KS"),
    ("scenario_id",     "IM-1",           "pattern"),
    ("scenario_id",     "../IM-0001",     "pattern"),
    ("scenario_id",     "IM-0001\n",      "pattern"),
    ("seed",            "seven",          "integer"),
    ("deadline",        "soon",           "Extra inputs"),
]
# fmt: on


@pytest.mark.parametrize(("field", "value", "told"), REFUSED)
def test_a_wrong_field_is_refused_with_what_would_be_right(field: str, value: object, told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        brief(**{field: value})


@pytest.mark.parametrize("field", sorted(SHORT))
def test_category_tier_and_status_must_be_said(field: str) -> None:
    with pytest.raises(ValidationError, match="Field required"):
        GenerationBrief.model_validate({name: value for name, value in SHORT.items() if name != field})
