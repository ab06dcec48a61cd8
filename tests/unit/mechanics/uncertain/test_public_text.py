"""The public text of an uncertain world states every figure that decides."""

from __future__ import annotations

from fractions import Fraction

import pytest

from impossible_moments.mechanics.uncertain import format_chance, render_world_text
from impossible_moments.mechanics.uncertain.record_checks import resolve_chances
from support.uncertain_records import build_small_world, load_golden_world


@pytest.mark.parametrize("name", ["generator_in_the_hut", "four_coves"])
def test_every_probability_cost_and_observation_stands_in_the_text(name: str) -> None:
    world = load_golden_world(name)
    text, record = render_world_text(world), world.record

    for variable in record.hidden.values():
        chances = resolve_chances([each.chance for each in variable.values.values()])
        for each, chance in zip(variable.values.values(), chances, strict=True):
            assert f"| {each.label} | {format_chance(chance)} |" in text.unknown
    rows = {line.split(" | ")[0].strip("| "): line for line in text.acts.splitlines()}
    for code, act in record.acts.items():
        assert f"| {act.takes} |" in rows[code]
        assert all(record.stocks[stock].label in rows[code] for stock in act.uses)
        for case in act.cases:
            for result, chance in zip(
                case.results, resolve_chances([each.chance for each in case.results]), strict=True
            ):
                assert result.see in text.results + rows[code]
                assert len(act.cases) == len(case.results) == 1 or format_chance(chance) in text.results
    assert str(record.clock.amount) in text.limits


def test_acts_that_differ_only_in_their_aim_share_a_table() -> None:
    text = render_world_text(load_golden_world("four_coves"))

    assert text.results.count("**SAIL-N, SAIL-E, SAIL-S, SAIL-W**") == 1
    assert text.results.count("the crew is in that cove") == 2
    assert text.count_words() < 700


def test_a_mark_is_listed_at_the_start_only_if_its_absence_matters() -> None:
    assert "the lamp" not in render_world_text(build_small_world()).start
    assert "- the cowl is on" in render_world_text(load_golden_world("generator_in_the_hut")).start


def test_a_probability_without_an_exact_decimal_is_a_fraction() -> None:
    assert (format_chance(Fraction(1, 8)), format_chance(Fraction(1, 3))) == ("0.125", "1/3")
