"""Areas and volumes against the shape they come from."""

from __future__ import annotations

import pytest

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.numbers.shape_sizes import find_wrong_shape_sizes


def found(line: str) -> list[str]:
    return [each.correct for each in find_wrong_shape_sizes(MarkdownDocument(line))]


@pytest.mark.parametrize(
    "line",
    [
        "Its surface is 6.3 m2 (a hemispherical dome of 2 m radius).",
        "The volume is about 9 m3 (sphere, 2 m diameter).",
        "A cylindrical tank 1 m in diameter and 2 m tall (8 m3).",
    ],
)
def test_a_size_that_the_shape_does_not_have_is_reported(line: str) -> None:
    assert len(found(line)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "Its surface is 25 m2 (a hemispherical dome of 2 m radius).",
        "The volume is about 4.2 m3 (sphere, 2 m diameter).",
        "A cylindrical tank 1 m in diameter and 2 m tall (1.6 m3).",
        "A round hole 0.5 m in diameter (0.2 m2).",
        "A room of 20 m2 (with a round table of 1 m and a bench of 2 m and a stool of 1 m).",
        "The roof is 12 m2 (4 m by 3 m).",
    ],
)
def test_a_size_that_the_shape_may_have_is_not_reported(line: str) -> None:
    assert found(line) == []
