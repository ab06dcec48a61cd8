"""NEWTON: stated figures are compared with the real world by dimension and wording."""

from __future__ import annotations

import pytest

from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.agents.builtin.newton.real_world_checks import compare_with_real_world
from impossible_moments.agents.builtin.newton.seed_facts import SeedFacts
from support.planted_faults import build_seed_of_offer, change_quantities, run_newton


def _find_offer(skin: str) -> tuple[str, str, str]:
    offers = load_builtin_cast().catalogue.iterate_offers()
    offer = next(each for each in offers if each.skin.name == skin)
    return offer.blueprint.name, offer.skin.name, offer.variant


@pytest.mark.parametrize(
    ("skin", "name", "value", "row"),
    [
        ("hum_on_air", "sound", "500[m/s]", "sound in air"),
        ("ledger_of_the_mint", "pace", "9[m/s]", "a person on foot"),
        ("knocker_in_the_bisse", "current", "30[m/s]", "a river or channel"),
        ("kettle_on_the_line", "mains", "2[kV]", "mains"),
    ],
)
def test_a_figure_outside_the_real_world_is_challenged(skin: str, name: str, value: str, row: str) -> None:
    seed = build_seed_of_offer(*_find_offer(skin))
    assert not [each for each in run_newton(seed).challenges if row in str(each.evidence)]
    report = run_newton(change_quantities(**{name: value})(seed))
    (challenge,) = [each for each in report.challenges if row in str(each.evidence)]
    assert "outside by a factor of" in challenge.evidence[0].text
    assert any(each.subject == name for each in report.corrections_needed)


def test_what_no_row_is_for_is_said_to_have_no_figure() -> None:
    report = run_newton(build_seed_of_offer(*_find_offer("hum_on_air")))
    assert any("No figure of the real world to compare with" in each for each in report.threat_model)
    assert any("within" in each and "sound in air" in each for each in report.threat_model)


def test_the_border_of_knowledge_is_not_compared() -> None:
    seed = build_seed_of_offer(*_find_offer("winch_and_ice"))
    found = compare_with_real_world(SeedFacts(seed, load_builtin_cast().library))
    assert "coldest" not in {each.name for each in found.compared}
    assert "sleeper.core" in {each.name for each in found.compared}
