"""Figures of reasons: a wrong fact about what a condition compares contradicts the record, anything else does not."""

from __future__ import annotations

import pytest

from impossible_moments.evaluation.translation.conflict_figures import find_contradicted_figure
from support.worded_scenarios import MIX_TWIN, build_bottles_key, build_grate_key

REACH = "reach_down.long_enough"


@pytest.mark.parametrize("fact", ["1.2 m", "120 cm", "0.7 m", "about 0.75 m", "1.0 m", "70 centimetres"])
def test_a_figure_of_the_situation_is_right(fact: str) -> None:
    assert find_contradicted_figure([fact], REACH, build_grate_key("PX")) == ""


@pytest.mark.parametrize("fact", ["0.3 m", "12 m", "2.4 m", "30 cm"])
def test_another_figure_of_what_the_condition_compares_is_wrong(fact: str) -> None:
    assert find_contradicted_figure(["1.2 m", fact], REACH, build_grate_key("PX")) == fact


@pytest.mark.parametrize("fact", ["90 g", "500 kg", "3 h", "twice", "two of them"])
def test_a_figure_of_something_else_decides_nothing(fact: str) -> None:
    assert find_contradicted_figure([fact], REACH, build_grate_key("PX")) == ""


def test_an_ability_of_the_library_is_not_a_figure_of_the_situation() -> None:
    """The library knows a step of 0.3 m, which the situation does not state."""
    key = build_grate_key("PX")
    assert key.analysis.world.quantities["you.step"].value == pytest.approx(0.3)
    assert find_contradicted_figure(["0.3 m"], "tie.l", key) == "0.3 m"


@pytest.mark.parametrize(("fact", "wrong"), [("8 min", ""), ("480 s", ""), ("20 min", "20 min")])
def test_the_deadline_is_compared_with_the_available_time(fact: str, wrong: str) -> None:
    assert find_contradicted_figure([fact], "deadline", build_grate_key("PX")) == wrong


def test_conditions_of_a_drawn_scenario() -> None:
    key = build_bottles_key(MIX_TWIN)
    lower = key.analysis.world.quantities["lower"]
    assert lower.display_unit is not None
    right = f"{lower.display_unit.from_si(float(str(lower.value))):g} {lower.display_unit.text}"
    assert find_contradicted_figure([right], "blend.low", key) == ""
    assert find_contradicted_figure(["777 K"], "blend.low", key) == "777 K"
