"""Values follow from the quoted words: converted, shared or added up, and never supplied."""

from __future__ import annotations

import pytest

from impossible_moments.evaluation.menus.menu_values import format_chosen_value
from impossible_moments.evaluation.translation.reading_forms import StatedValue
from impossible_moments.evaluation.translation.record_codes import CodedDeed, DeedKind
from impossible_moments.evaluation.translation.stated_values import (
    build_value_call,
    build_wait_call,
    explain_bad_value,
)
from support.worded_scenarios import build_bottles_key


def build_deed(unit: str | None, *options: str) -> CodedDeed:
    return CodedDeed("V1", DeedKind.VALUE, "share", "share", unit=unit, options=options)


FOLLOWING = [
    ("66", "percent", "66 % glycerine"),
    ("66", "percent", "with 0.66 of glycerine in it"),
    ("67", "percent", "two thirds of it are glycerine"),
    ("66.7", "percent", "glycerine and water two to one"),
    ("66", "percent", "33 litres of glycerine to 17 litres of water"),
    ("66", "percent", "34 percent water, the rest glycerine"),
    ("33.3", "percent", "a third of it"),
    ("62", "percent", "somewhere from 60-65 % of it"),
    ("150", "min", "after two and a half hours"),
    ("150", "min", "after 2 h 30 min"),
    ("7", "plain", "with seven sheets"),
    ("-40", "degC", "cooled to -40 °C"),
]


@pytest.mark.parametrize(("value", "unit", "quote"), FOLLOWING)
def test_a_value_follows_from_its_quote(value: str, unit: str, quote: str) -> None:
    assert explain_bad_value(StatedValue(code="V1", value=value, quote=quote), build_deed(unit)) == ""


SUPPLIED = [
    ("66", "percent", "mix them in the right proportion", "figures"),
    ("66", "percent", "half and half, 50 % each", "does not follow"),
    ("66 %", "percent", "66 % glycerine", "not a number alone"),
    ("150", "min", "after 3 h", "does not follow"),
    ("150", "min", "after 150 km", "does not follow"),
    ("66", "percent", " ".join(f"{each} l" for each in range(1, 12)), "11 figures"),
]


@pytest.mark.parametrize(("value", "unit", "quote", "reason"), SUPPLIED)
def test_a_value_that_the_words_do_not_state_is_refused(
    value: str, unit: str, quote: str, reason: str
) -> None:
    assert reason in explain_bad_value(StatedValue(code="V1", value=value, quote=quote), build_deed(unit))


def test_a_value_in_words_is_in_its_quote() -> None:
    deed = build_deed(None)
    quote = "the first is one and the second seven"
    assert explain_bad_value(StatedValue(code="V1", value="first=1, second=7", quote=quote), deed) == ""
    assert "not in its quote" in explain_bad_value(StatedValue(code="V1", value="8274", quote=quote), deed)


def test_an_option_is_chosen_by_its_name() -> None:
    deed = build_deed(None, "left_door", "right_door")
    chosen = StatedValue(code="V1", value="left door", quote="through the left door")
    assert explain_bad_value(chosen, deed) == ""
    assert build_value_call(chosen, deed, build_bottles_key()) == "choose(share='left_door')"
    wrong = StatedValue(code="V1", value="window", quote="through the window")
    assert "is not one of" in explain_bad_value(wrong, deed)


def test_a_percentage_becomes_a_choice_of_the_record() -> None:
    value = StatedValue(code="V1", value="66", quote="66 % glycerine")
    assert build_value_call(value, build_deed("percent"), build_bottles_key()) == "choose(share=0.66)"


def test_a_choice_of_the_record_is_written_in_the_unit_of_the_answer() -> None:
    assert format_chosen_value("share", "0.66", build_bottles_key()) == "66"


@pytest.mark.parametrize(
    ("quote", "call"),
    [("wait 20 min", "wait(1200[s])"), ("for half an hour", "wait(1800[s])"), ("wait a moment", "")],
)
def test_waiting_takes_the_stated_time(quote: str, call: str) -> None:
    assert build_wait_call(quote) == call
