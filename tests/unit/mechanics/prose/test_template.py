"""The scanner: what is a placeholder, what is not, and that nothing upsets it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.mechanics.prose.template import (
    MalformedPlaceholder,
    PlainText,
    SaidNumber,
    ShownValue,
    ThingLabel,
    parse_template,
)
from support.processor_time import measure_least_seconds


def only(text: str) -> object:
    (piece,) = parse_template(text)
    return piece


def test_a_template_is_cut_into_words_and_placeholders() -> None:
    pieces = list(parse_template("At {rim|m} stands {thing:crate}."))
    assert [type(piece) for piece in pieces] == [PlainText, ShownValue, PlainText, ThingLabel, PlainText]
    assert pieces[1] == ShownValue(3, "{rim|m}", "rim", "m", None)


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("{rim|m|2}", ShownValue(0, "{rim|m|2}", "rim", "m", 2)),
        ("{ tube.limit | K }", ShownValue(0, "{ tube.limit | K }", "tube.limit", "K", None)),
        ("{rim}", ShownValue(0, "{rim}", "rim", "", None)),
        ("{thing:crate}", ThingLabel(0, "{thing:crate}", "crate")),
        ("{say:1943}", SaidNumber(0, "{say:1943}", "1943")),
        ("{say: 12:30}", SaidNumber(0, "{say: 12:30}", "12:30")),
    ],
)
def test_a_placeholder_is_read(text: str, piece: object) -> None:
    assert only(text) == piece


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "not closed"),
        ("}", "without an opening"),
        ("{}", "empty"),
        ("{  }", "empty"),
        ("{thing:}", "nothing follows"),
        ("{{rim|m}}", "must not be nested"),
        ("{thing:{crate}}", "must not be nested"),
        ("{" + "a" * 119 + "}", "at most 120"),
        ("{rim|m|7}", "1 to 6"),
        ("{rim|m|two}", "1 to 6"),
        ("{rim|m|2|3}", "may have only"),
    ],
)
def test_braces_that_are_no_placeholder_are_one_piece_with_its_reason(text: str, problem: str) -> None:
    piece = only(text)
    assert isinstance(piece, MalformedPlaceholder)
    assert problem in piece.problem


def test_a_placeholder_of_the_greatest_length_is_read() -> None:
    assert isinstance(only("{say:" + "a" * 114 + "}"), SaidNumber)


def test_what_follows_an_unclosed_brace_is_still_read() -> None:
    assert [type(piece) for piece in parse_template("a { b {rim|m} c")] == [
        PlainText,
        MalformedPlaceholder,
        PlainText,
        ShownValue,
        PlainText,
    ]


@given(st.text(alphabet="{}|:a1 ½\n", max_size=300) | st.text(max_size=300))
def test_any_text_is_cut_without_loss(text: str) -> None:
    assert "".join(piece.raw for piece in parse_template(text)) == text


@pytest.mark.parametrize("unit", ["{", "}", "{a", "{}", "{a|", "{ {", "{" + "a" * 119, "{" + "{}" * 40])
def test_time_grows_only_with_the_text(unit: str) -> None:
    text = (unit * 12_000)[:12_000]
    assert measure_least_seconds(lambda: list(parse_template(text)), enough=5) < 5
    assert sum(len(piece.raw) for piece in parse_template(text)) == 12_000
