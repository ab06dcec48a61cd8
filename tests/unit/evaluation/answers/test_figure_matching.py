"""Figures: which stated quantities a line of an answer speaks of, in whatever unit."""

from __future__ import annotations

import pytest

from impossible_moments.evaluation.answers.figure_matching import find_mentioned_quantities
from support.leaking_tank import build_leaking_tank

PATHS = ("soap.spans", "gap", "wear", "road", "clock")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("80 mm of soap for a slit of 28 mm", {"soap.spans", "gap"}),
        ("8 cm against 2.8 cm", {"soap.spans", "gap"}),
        ("80 against 28", {"soap.spans", "gap"}),
        ("two and a half hours of road, 150 minutes, and five hours", {"road", "clock"}),
        ("the road takes 2.5 h of 300 min", {"road", "clock"}),
        ("80 kg", set()),
        ("800 mm", set()),
        ("nothing at all", set()),
        ("79.9 mm", {"soap.spans"}),
        ("79 mm", set()),
    ],
)
def test_a_figure_is_known_in_any_unit_and_only_if_it_is_the_same(line: str, meant: set[str]) -> None:
    assert find_mentioned_quantities(line, PATHS, build_leaking_tank().analysis.world) == meant
