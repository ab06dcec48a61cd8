"""What placeholders print."""

import pickle
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from impossible_moments.mechanics.language import dimensions as dim
from impossible_moments.mechanics.language.dimensions import Dimension
from impossible_moments.mechanics.language.scalar_evaluation import Value
from impossible_moments.mechanics.language.units import parse_unit
from impossible_moments.mechanics.prose import (
    PlaceholderError,
    PrintableValue,
    ProseRequirements,
    render_prose,
)
from impossible_moments.mechanics.records.record import ProseForm


def a_tie(**printable: PrintableValue) -> ProseRequirements:
    labels = {"crate": "oak crate", "drain": "the floor drain"}
    return ProseRequirements(printable, labels, {}, {}, {}, frozenset(), (), {}, {})


def text_of(template: str, **printable: PrintableValue) -> str:
    return render_prose(ProseForm(narrative=template), a_tie(**printable))["narrative"]


def shown(value: Value, dimension: Dimension | None, form: str) -> str:
    return text_of(f"It is {{x|{form}}}.", x=PrintableValue(value, dimension))[6:-1]


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        (3.6, "m", "3.6 m"),
        (0.35, "cm", "35 cm"),
        (18e-3 / 60, "l/min", "18 l/min"),
        (5e-4, "cm**2", "5 cm²"),
        (1000.0, "kg/m**3", "1000 kg/m³"),
        (293.15, "degC", "20 °C"),
        (378.0, "K", "378 K"),
        (0.05, "percent", "5 %"),
        (0.610865, "deg", "35°"),
        (86400.0 * 400, "day", "400 days"),
        (86400.0, "day", "1 day"),
        (12.0, "N*m", "12 N·m"),
        (1e-6, "um", "1 µm"),
        (4700.0, "kohm", "4.7 kΩ"),
        (26.8224, "mph", "60 mph"),
        (900_000.0, "m", "900,000 m"),
        (37.0, "people", "37 people"),
        (0.5, "m/s**-1", "0.5 m/s⁻¹"),
    ],
)
def test_a_value_is_printed_in_its_unit(value: float, text: str, expected: str) -> None:
    assert shown(value, parse_unit(text).dimension, text) == expected


@pytest.mark.parametrize(
    ("value", "form", "expected"),
    [
        (37.0, "words", "thirty-seven"),
        (0.01, "plain", "0.01"),
        (8274.0, "plain", "8274"),
        (3.12159, "plain|2", "3.1"),
        (0.123456, "percent|4", "12.35 %"),
    ],
)
def test_a_plain_number_is_printed_bare_or_in_words(value: float, form: str, expected: str) -> None:
    assert shown(value, dim.PLAIN, form) == expected


def test_a_word_and_a_truth_are_printed_plainly() -> None:
    assert shown("dark_red", None, "plain") == "dark red"
    assert shown(True, None, "plain") == "yes"  # noqa: FBT003 - the value is the case


def test_a_label_begins_a_sentence_with_a_capital() -> None:
    assert (
        text_of("{thing:crate} is shut. {thing:drain} is not.")
        == "Oak crate is shut. The floor drain is not."
    )
    assert text_of("Here, {thing:crate}.") == "Here, oak crate."


def test_a_label_brings_no_second_article() -> None:
    assert text_of("By the {thing:drain} and your {thing:crate}.") == "By the floor drain and your oak crate."


def test_a_label_keeps_its_article_behind_a_conjunction() -> None:
    assert text_of("You see that {thing:drain} is shut.") == "You see that the floor drain is shut."


def test_a_temperature_stated_on_a_scale_is_printed_however_cold() -> None:
    assert text_of("{x|degC}", x=PrintableValue(77.15, dim.TEMPERATURE, absolute=True)) == "-196 °C"
    with pytest.raises(PlaceholderError, match="difference"):
        text_of("{x|degC}", x=PrintableValue(77.15, dim.TEMPERATURE))


def test_a_temperature_stated_on_a_scale_is_best_printed_on_it() -> None:
    with pytest.raises(PlaceholderError) as caught:
        text_of("{x}", x=PrintableValue(77.15, dim.TEMPERATURE, absolute=True))
    assert caught.value.expected == "{x|degC}"


def test_words_that_are_no_number_are_not_said() -> None:
    with pytest.raises(PlaceholderError, match="`say:` takes only one number"):
        text_of("In {say:the spring of the year}.")


def test_what_is_said_is_printed_as_it_stands() -> None:
    assert text_of("In {say:1943}.") == "In 1943."


def test_every_written_part_is_printed_and_no_other() -> None:
    prose = ProseForm(narrative="You stand.", threat="It burns.")
    assert render_prose(prose, a_tie()) == {"narrative": "You stand.", "threat": "It burns."}


def test_a_text_without_placeholders_is_printed_unchanged() -> None:
    text = "the a\n\n  b. c % %s \\1 \t"
    assert text_of(text) == text


def test_an_unprintable_placeholder_raises_an_error_that_can_be_pickled() -> None:
    with pytest.raises(PlaceholderError) as caught:
        text_of("{rim|m}")
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own bytes
    assert (copy.message, copy.expected) == (caught.value.message, caught.value.expected)


UNITS = [
    "m",
    "cm",
    "km",
    "l/min",
    "kg/m**3",
    "K/h",
    "degC",
    "percent",
    "deg",
    "kW*h",
    "m/s**2",
    "um",
    "day",
    "N*m",
    "Pa*s",
]
SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def read_back(text: str) -> float:
    """The SI value of a printed number with its unit."""
    match = re.fullmatch(r"(-?[\d.,]+)(?: × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))? ?(\D.*)", text)
    assert match is not None, text
    exponent = int((match[2] or "⁰").translate(SUPERSCRIPTS))
    measure = parse_unit(match[3])
    return measure.to_si(float(match[1].replace(",", "")) * 10.0**exponent)


@given(st.floats(-1e12, 1e12), st.sampled_from(UNITS), st.integers(3, 6) | st.none())
def test_a_printed_value_is_read_back_within_a_hundredth(
    number: float, text: str, digits: int | None
) -> None:
    measure = parse_unit(text)
    value = measure.to_si(number)
    assume(not measure.offset or value > 150)
    assume(abs(number) > 1e-12 or number == 0)
    printed = shown(value, measure.dimension, text if digits is None else f"{text}|{digits}")
    in_unit = measure.from_si(value)
    assert abs(measure.from_si(read_back(printed)) - in_unit) <= 0.01 * abs(in_unit) + 1e-9 * measure.offset


@given(st.floats(0.01, 1e6), st.integers(1, 2))
def test_a_value_is_printed_within_a_hundredth_or_the_digits_it_needs_are_named(
    number: float, digits: int
) -> None:
    try:
        printed = shown(number, dim.LENGTH, f"m|{digits}")
    except PlaceholderError as problem:
        enough = problem.expected.strip("{}").removeprefix("x|")
        printed = shown(number, dim.LENGTH, enough)
    assert abs(read_back(printed) - number) <= 0.01 * number * (1 + 1e-9)
