"""Offers that fit a brief: a wanted subtype of KS is honoured where an offer has it."""

from __future__ import annotations

import pytest

from impossible_moments.agents.builtin import load_builtin_cast
from impossible_moments.agents.builtin.athena.offer_selection import find_fitting_offers
from impossible_moments.blueprints import load_shipped_catalogue
from impossible_moments.domain.brief import GenerationBrief

ROOM = {"category": "The Locked Room", "difficulty_tier": "FRACTURE"}


@pytest.mark.parametrize("subtype", ["KS-Singular", "KS-Multiple", "KS-Fragile"])
def test_only_offers_of_the_wanted_subtype_are_drawn(subtype: str) -> None:
    brief = GenerationBrief.model_validate({**ROOM, "solution_status": subtype})
    found = find_fitting_offers(load_shipped_catalogue(), brief)

    assert (brief.solution_status, brief.status_subtype) == ("KS", subtype)
    assert {offer.claim for offer in found} == {subtype}


def test_without_a_subtype_any_known_solution_fits() -> None:
    brief = GenerationBrief.model_validate({**ROOM, "solution_status": "KS"})

    assert brief.status_subtype is None
    assert "status_subtype" not in brief.model_dump()
    assert len({offer.claim for offer in find_fitting_offers(load_shipped_catalogue(), brief)}) > 1


def test_the_tier_follows_the_subtype_if_none_is_given() -> None:
    catalogue = load_shipped_catalogue()
    for category in sorted({offer.blueprint.category for offer in catalogue.iterate_offers()}):
        has = {offer.tier for offer in catalogue.iterate_offers(category) if offer.claim == "KS-Multiple"}
        if has:
            target = load_builtin_cast().choose_reachable_target(
                category=category, solution_status="KS-Multiple"
            )
            assert target[2] in has
