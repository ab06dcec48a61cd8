"""Body lengths and body weights against the body they belong to."""

from __future__ import annotations

import pytest

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.numbers.body_scale import find_wrong_body_multiples

BODY = "| Parameter | Value |\n|---|---|\n| Body length | 4 mm |\n| Body mass | 2 mg |\n\n"


def found(line: str, body: str = BODY) -> list[str]:
    return [each.correct for each in find_wrong_body_multiples(MarkdownDocument(body + line))]


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("The shelf is 20 cm high (500 body lengths).", "50 body lengths"),
        ("The drop holds you with 2 mN, which is 900x your body weight.", "102 body weights"),
        ("A crack of 8-12 mm (20-30x your body length) runs across.", "2 to 3 body lengths"),
    ],
)
def test_a_wrong_multiple_is_reported(line: str, right: str) -> None:
    assert found(line) == [right]


@pytest.mark.parametrize(
    "line",
    [
        "The shelf is 20 cm high (50 body lengths).",
        "The drop holds you with 2 mN, which is 100x your body weight.",
        "You walk at 4 mm/s (one body length per second).",
        "At 4 mm scale, the match is a 12-body-length log.",
        "A fall of 2 m is 90 body lengths, as if a human fell from a roof.",
        "You lift 40x your body weight.",
    ],
)
def test_what_is_right_or_says_nothing_is_not_reported(line: str) -> None:
    assert found(line) == []


def test_without_a_stated_body_nothing_is_judged() -> None:
    assert found("The shelf is 20 cm high (500 body lengths).", body="") == []
