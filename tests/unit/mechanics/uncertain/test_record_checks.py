"""Uncertain records: what is accepted, and how each fault is reported."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import jsonschema
import pytest

from impossible_moments.mechanics.records import load_document
from impossible_moments.mechanics.uncertain import (
    UncertainRecordError,
    build_uncertain_schema,
    is_uncertain_record,
    parse_uncertain_record,
)
from impossible_moments.mechanics.uncertain.record_checks import resolve_chances
from support.uncertain_records import GOLDEN, build_small_data


def change_act(code: str, **changes: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["acts"][code].update(changes)


def remove_success(data: dict[str, Any]) -> None:
    for code in ("LEFT", "RIGHT"):
        data["acts"][code]["cases"] = [{"results": [{"see": "shut", "ends": "failure"}]}]


# fmt: off
FAULTS: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (lambda data: data.update(colour="red"), "`colour` is not a field here"),
    (lambda data: data["hidden"]["door"]["values"]["left"].update(chance=1.2), "less than or equal to 1"),
    (lambda data: data["hidden"]["door"]["values"]["right"].update(chance=0.5), "At /hidden/door, the probabilities sum to 1.1 instead of 1."),
    (lambda data: data["marks"].update(door={"yes": "a", "no": "b"}), "`door` names two things"),
    (change_act("LIGHT", takes=0, at_most=None), "an episode might never end"),
    (change_act("LOOK", uses={"gold": 1}), "`gold` is not a stock"),
    (change_act("LOOK", needs={"door": "left"}), "`door` is hidden, so an act cannot need it"),
    (change_act("LOOK", needs={"lit": 1.5}), "/acts/LOOK/needs/lit"),
    (change_act("LOOK", needs={"coins": True}), "`coins` is a stock, so its value is a whole number"),
    (change_act("LOOK", needs={"lamp": True}), "no hidden variable, stock or mark `lamp`"),
    (change_act("LIGHT", sets={"lamp": True}), "`lamp` is not a mark"),
    (change_act("LOOK", aims={"door": "left"}), "is not a value of a hidden variable with `aimed`"),
    (change_act("LEFT", kind="test"), "a test cannot end the episode"),
    (change_act("LOOK", cases=[{"when": {"door": "left"}, "results": [{"see": "gold"}]}]), "no case fits door = right"),
    (change_act("LOOK", cases=[{"when": {"door": "middle"}, "results": [{"see": "gold"}]}]), "`middle` is not a value of door"),
    (change_act("LOOK", cases=[{"results": [{"see": "gold", "chance": 0.4}]}]), "sum to 0.4 instead of 1"),
    (remove_success, "No result ends with success"),
]
# fmt: on


@pytest.mark.parametrize(("spoil", "words"), FAULTS)
def test_a_fault_is_reported_with_its_place(spoil: Callable[[dict[str, Any]], None], words: str) -> None:
    data = build_small_data()
    parse_uncertain_record(data)
    spoil(data)

    with pytest.raises(UncertainRecordError) as found:
        parse_uncertain_record(data)
    assert words in str(found.value)


def test_rest_is_shared_equally_and_exactly() -> None:
    assert resolve_chances([0.7, "rest", "rest"]) == (Fraction(7, 10), Fraction(3, 20), Fraction(3, 20))
    assert resolve_chances([0.1, 0.2, 0.7]) == (Fraction(1, 10), Fraction(1, 5), Fraction(7, 10))


def test_only_the_format_makes_an_uncertain_record() -> None:
    assert is_uncertain_record(build_small_data())
    assert not is_uncertain_record({"format": "im-mechanics/1"})
    assert not is_uncertain_record([])


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.yaml")), ids=lambda path: path.stem)
def test_the_published_schema_accepts_the_golden_records(path: Any) -> None:
    schema = build_uncertain_schema()
    jsonschema.validate(load_document(path), schema)

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**load_document(path), "colour": "red"}, schema)
