"""Briefs from which no scenario can be made are found before they are entered into a ledger."""

from __future__ import annotations

from pathlib import Path

import pytest

from impossible_moments.domain.brief import ComposedWanted, GenerationBrief
from impossible_moments.pipeline import Pipeline


@pytest.mark.parametrize(
    ("place", "level", "feasible"), [("mine_pump_room", 1, True), ("antidote_chip_bench", 10, False)]
)
def test_a_place_that_gives_no_scenario_makes_a_brief_infeasible(
    tmp_path: Path, place: str, level: int, *, feasible: bool
) -> None:
    brief = GenerationBrief(
        category="The Ticking Trade",
        difficulty_tier="FRACTURE",
        solution_status="KS",
        seed=1,
        composed=ComposedWanted(level=level, place=place),
    )
    assert Pipeline(output=tmp_path).is_feasible(brief) is feasible
