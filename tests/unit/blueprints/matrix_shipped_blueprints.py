"""Every blueprint file that ships can be read, is named for what it holds, and its offers are accepted."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from impossible_moments.blueprints.catalogue import (
    Catalogue,
    Offer,
    build_catalogue,
    load_shipped_catalogue,
)
from impossible_moments.blueprints.instance_trials import draw_and_check_instance
from impossible_moments.domain.vocabulary import Tier, parse_main_status
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.records.documents import load_document
from support.every_case import find_failures
from support.small_blueprints import FAMILIES

FILES = {
    path.relative_to(FAMILIES).with_suffix("").as_posix(): path for path in sorted(FAMILIES.rglob("*.yaml"))
}
SEEDS = range(4)
"""Of which one must be accepted."""
EVERY_FILE = pytest.mark.parametrize("name", FILES)


def blueprint_of(path: Path) -> Path:
    """The file of the blueprint that a skin's file belongs to; its own if it is one."""
    return next((each for each in (path.parent.with_suffix(".yaml"),) if each.is_file()), path)


@cache
def alone(path: Path) -> Catalogue:
    """What a file brings, with the blueprint that it needs."""
    return build_catalogue(dict.fromkeys((blueprint_of(path), path)))


def own_offers(path: Path) -> dict[str, Offer]:
    """The offers that a file adds to those of the blueprint that it needs."""
    offers = {offer.name: offer for offer in alone(path).iterate_offers()}
    if blueprint_of(path) == path:
        return offers
    before = {offer.name for offer in alone(blueprint_of(path)).iterate_offers()}
    return {name: offer for name, offer in offers.items() if name not in before}


@EVERY_FILE
def test_what_a_file_offers_has_a_claim_a_tier_and_a_title(name: str) -> None:
    offers = list(alone(FILES[name]).iterate_offers())

    assert offers or blueprint_of(FILES[name]) == FILES[name]
    for offer in offers:
        assert parse_main_status(offer.claim)
        assert offer.tier in get_args(Tier)
        assert offer.skin.variants[offer.variant].titles or offer.skin.titles


@EVERY_FILE
def test_a_file_is_named_for_what_it_holds(name: str) -> None:
    path = FILES[name]
    data = load_document(path)

    assert data["name"] == path.stem
    assert data.get("blueprint", path.parent.name) == path.parent.name or data["format"] == "im-blueprint/1"


def check_acceptance(offer: Offer) -> None:
    refused = []
    for seed in SEEDS:
        tried = draw_and_check_instance(offer, load_everyday_library(), seed, 0)
        if tried.accepted:
            return
        refused.append(tried.reasons)
    raise AssertionError(f"refused with every seed, at first for {refused[0]}")


@pytest.mark.slow
@EVERY_FILE
def test_every_offer_of_a_file_is_accepted_within_a_few_seeds(name: str) -> None:
    offers = own_offers(FILES[name])
    if offers:
        assert find_failures(check_acceptance, offers) == []


def test_the_files_hold_every_offer_that_ships() -> None:
    by_file = [offer for path in FILES.values() for offer in own_offers(path)]

    assert len(by_file) == len(set(by_file))
    assert set(by_file) == {offer.name for offer in load_shipped_catalogue().iterate_offers()}
