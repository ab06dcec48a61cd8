"""Numbers found in plain text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.mechanics.prose.numerals import find_numerals, is_one_numeral
from support.processor_time import measure_least_seconds


def found(text: str) -> list[tuple[str, float | None]]:
    return [(numeral.text, numeral.value) for numeral in find_numerals(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at 400 it burns", [("400", 400)]),
        ("10,000 men", [("10,000", 10_000)]),
        ("3.6m deep.", [("3.6", 3.6)]),
        ("at 12:30", [("12:30", None)]),
        ("½ a loaf", [("½", 0.5)]),
        ("m²", [("²", 2)]),
        ("٣ cats", [("٣", 3)]),
        ("Twelve men", [("Twelve", 12)]),
        ("twenty-one men", [("twenty-one", 21)]),
        ("two hundred and five", [("two hundred and five", 205)]),
        ("three thousand four hundred", [("three thousand four hundred", 3400)]),
        ("hundreds of crates", [("hundreds", 100)]),
        ("two dozen", [("two dozen", 24)]),
        ("twice as far", [("twice", 2)]),
        ("the load doubled", [("doubled", 2)]),
        ("a tenfold rise", [("tenfold", 10)]),
        ("a three-legged stool", [("three", 3)]),
        ("four five six", [("four five six", None)]),
        ("a quarter of an hour", [("quarter", 0.25)]),
    ],
)
def test_a_number_is_found_with_its_value(text: str, expected: list[tuple[str, float | None]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "one of you, once, half asleep",
        "the first, the second and the third door",
        "some seconds later",
        "the fortieth step",
        "Louis XIV and chapter IX",
        "someone often weighs the stone",
        "the officers' quarters",
        "temperatures below zero",
    ],
)
def test_words_too_common_to_be_numbers_are_left_alone(text: str) -> None:
    assert found(text) == []


SINGLE = (
    "1943|12:30|10,000|10 000|3.5|½|3½|1/2|-5|3-5|1914–18|3rd|²|٣|two|One|twenty-one|twenty one|hundred|two hundred|"
    "third|Twenty-first|second|two-thirds|half|zero|quarter|twice|dozens|ninety-second"
)
NOT_SINGLE = (
    "| |-|word|12 m|50%|5s|1940s|1 2 3|3, 4|1-2-3|4x4|at 5|5 or 6|12:|two weeks|two or three|two hundred and five|"
    "a hundred|seconds|two seconds|ten second|one two three|three.|XIV"
)


@pytest.mark.parametrize("text", SINGLE.split("|"))
def test_a_single_number_is_one_numeral(text: str) -> None:
    assert is_one_numeral(text)


@pytest.mark.parametrize("text", NOT_SINGLE.split("|"))
def test_more_or_less_than_a_number_is_not_one_numeral(text: str) -> None:
    assert not is_one_numeral(text)


@given(st.text(max_size=300))
def test_any_text_is_searched(text: str) -> None:
    for numeral in find_numerals(text):
        assert text[numeral.start : numeral.end] == numeral.text
    is_one_numeral(text)


@pytest.mark.parametrize("unit", ["two ", "two-", "hundred and ", "1,", "²", "a.", "two   ", "quarter "])
def test_time_grows_only_with_the_text(unit: str) -> None:
    text = (unit * 12_000)[:12_000]
    assert measure_least_seconds(lambda: (list(find_numerals(text)), is_one_numeral(text)), enough=5) < 5
