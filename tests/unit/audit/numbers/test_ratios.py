"""Ratios and changes against the two amounts beside them."""

from __future__ import annotations

import pytest

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.numbers.ratios import find_wrong_ratios


def found(line: str) -> list[str]:
    return [each.correct for each in find_wrong_ratios(MarkdownDocument(line))]


@pytest.mark.parametrize(
    "line",
    [
        "The rope pulls with 600 N, 40 times the 60 N that the hook takes.",
        "The leak is 2 L/min. This is about 500x less than the 20 L/min of the pump.",
        "The load rises from 20 N to 60 N (a 9x increase).",
        "The new pump moves 30 L/min versus 10 L/min (roughly 12x).",
        "The sling holds 900 N against a load of 300 N (safety factor 7).",
        "The flow falls from 40 L/min to 30 L/min, a 60% reduction.",
    ],
)
def test_a_ratio_that_is_something_else_is_reported(line: str) -> None:
    assert len(found(line)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "The rope pulls with 600 N, 10 times the 60 N that the hook takes.",
        "The leak is 2 L/min. This is about 10x less than the 20 L/min of the pump.",
        "The load rises from 20 N to 60 N (a 3x increase).",
        "The sling holds 900 N against a load of 300 N (safety factor 3).",
        "The flow falls from 40 L/min to 30 L/min, a 25% reduction.",
        "The flow falls from 40 L/min to 30 L/min, a 60% reduction of noise.".replace("60%", "25%"),
        "Turn the wheel 3 times, then wait 5 min and turn it for 2 min.",
        "The beam is 4 m long and 3 x 5 cm thick.",
        "It is 20 times hotter than at 4 m, and 2 m is not far.",
    ],
)
def test_a_ratio_that_holds_or_is_none_is_not_reported(line: str) -> None:
    assert found(line) == []
