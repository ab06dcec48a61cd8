"""Tests of the supply: every brief names another design, and known briefs are not given again."""

from __future__ import annotations

from impossible_moments.agents.builtin import load_builtin_cast
from impossible_moments.composition import load_measured_draws
from impossible_moments.production import Cell, ScenarioSupply

OFFERED = Cell("The Locked Room", "FRACTURE", "KS")
COMPOSED = Cell("The Cascade", "SINGULARITY", "KS")


def build_supply(seed: int = 0) -> ScenarioSupply:
    return ScenarioSupply(load_builtin_cast().catalogue, seed)


def test_briefs_of_a_cell_differ_until_it_is_spent() -> None:
    supply = build_supply()
    briefs = []
    while (brief := supply.take_brief(COMPOSED)) is not None:
        briefs.append(brief)
    assert len(set(briefs)) == len(briefs) > 5
    assert all(brief.composed is not None for brief in briefs)
    assert COMPOSED not in supply.count_capacity()


def test_offers_of_the_catalogue_come_first() -> None:
    brief = build_supply().take_brief(OFFERED)
    assert brief is not None
    assert brief.composed is None


def test_known_briefs_are_not_given_again() -> None:
    first = build_supply()
    known = [brief for cell in (OFFERED, COMPOSED) if (brief := first.take_brief(cell)) is not None]
    second = build_supply()
    second.take_known(known)
    assert {second.take_brief(OFFERED), second.take_brief(COMPOSED)}.isdisjoint(known)


def test_another_seed_draws_other_numbers() -> None:
    assert build_supply(0).take_brief(OFFERED) != build_supply(1).take_brief(OFFERED)


def test_places_take_turns() -> None:
    supply = build_supply()
    places = [
        brief.composed.place
        for _ in range(3)
        if (brief := supply.take_brief(COMPOSED)) is not None and brief.composed is not None
    ]
    assert len(set(places)) > 1


def test_a_language_model_can_be_asked_for_every_cell() -> None:
    supply = ScenarioSupply.create_unlimited(500)
    assert supply.count_capacity()[Cell("The Horizon Problem", "IMPOSSIBLE", "OF")] == 500


def test_the_table_of_draws_has_tiers_for_both_statuses() -> None:
    rows = load_measured_draws()
    assert len(rows) == len({each[:4] for each in rows}) > 500
    assert {each.status for each in rows} == {"KS", "PX"}
