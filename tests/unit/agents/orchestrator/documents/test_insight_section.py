"""The section on key insights: the order in which a solver can have them."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.documents.insight_section import place_after_needed
from impossible_moments.domain.seed import Insight


def build_insight(*needs: int) -> Insight:
    return Insight(text="It floats.", fixedness_type="overlooked property", depends_on=needs)


@pytest.mark.parametrize(
    ("needs", "places"),
    [
        (((), (1,), ()), (1, 2, 3)),
        (((2,), ()), (2, 1)),
        (((3,), (), (2,), ()), (3, 1, 2, 4)),
        (((2,), (1,)), (1, 2)),  # a circle has no order of its own
        ((), ()),
    ],
)
def test_an_insight_takes_its_place_after_those_that_it_needs(
    needs: tuple[tuple[int, ...], ...], places: tuple[int, ...]
) -> None:
    assert place_after_needed([build_insight(*each) for each in needs]) == places
