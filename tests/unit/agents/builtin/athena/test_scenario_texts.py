"""The public tables of a design: every figure stands in one of them."""

from __future__ import annotations

import re

import pytest

from impossible_moments.agents.builtin.athena.scenario_draws import ProposedDraw
from impossible_moments.agents.builtin.athena.seed_documents import build_seed_document
from impossible_moments.blueprints import draw_and_check_instance, load_shipped_catalogue, read_draft
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.library import load_everyday_library


def build_seed_of(offer_name: str) -> SeedDocument:
    offers = load_shipped_catalogue().iterate_offers()
    offer = next(each for each in offers if each.name.endswith(offer_name))
    trial = draw_and_check_instance(offer, load_everyday_library(), 1, 0)
    return build_seed_document(
        ProposedDraw(read_draft(trial.instance, trial.library), trial.tier or "FRACTURE")
    )


@pytest.mark.parametrize("name", ["the_mole_of_dona_chayo/held_and_last"])
def test_times_that_other_tables_state_are_not_repeated_as_capabilities(name: str) -> None:
    scenario = build_seed_of(name).scenario
    elsewhere = " ".join(
        [*(row.specification for row in scenario.environment), *(row.notes for row in scenario.objects)]
    )
    assert re.search(r"\d+ min", elsewhere)
    assert scenario.capabilities == ()


@pytest.mark.parametrize("name", ["the_mole_of_dona_chayo/held_and_last"])
def test_the_starting_value_of_a_state_stands_in_the_environment_table(name: str) -> None:
    scenario = build_seed_of(name).scenario
    stated = re.search(r"[Tt]he mole curdles in (\d+ min)", scenario.narrative + scenario.threat)
    assert stated is not None
    assert stated[1] in {row.specification for row in scenario.environment}
