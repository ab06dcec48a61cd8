"""Every blueprint file that ships can be read, drawn from and told apart."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from impossible_moments.blueprints.catalogue import (
    Catalogue,
    Offer,
    build_catalogue,
    find_duplicate_titles,
    load_shipped_catalogue,
)
from impossible_moments.blueprints.instance_trials import run_trial
from impossible_moments.domain.vocabulary import Tier, parse_main_status
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.records.documents import load_document
from support.small_blueprints import FAMILIES

FILES = sorted(FAMILIES.rglob("*.yaml"))
SEEDS = range(4)
"""Of which one must be accepted."""


def _id(path: Path) -> str:
    return path.relative_to(FAMILIES).with_suffix("").as_posix()


@cache
def _blueprint_of(path: Path) -> Path:
    """The file of the blueprint that a skin's file belongs to; its own if it is one."""
    return next((each for each in (path.parent.with_suffix(".yaml"),) if each.is_file()), path)


def _alone(path: Path) -> Catalogue:
    """What a file brings, with the blueprint that it needs."""
    return build_catalogue(dict.fromkeys((_blueprint_of(path), path)))


def _offers() -> list[Offer]:
    """The offers of all files that can be read; the others fail below under their own names."""
    found: dict[str, Offer] = {}
    for path in FILES:
        try:
            found |= {offer.name: offer for offer in _alone(path).iterate_offers()}
        except Exception:  # noqa: BLE001, S112 - whatever is wrong with a file, the others are collected
            continue
    return [found[name] for name in sorted(found)]


OFFERS = _offers()


@pytest.mark.parametrize("path", FILES, ids=_id)
def test_what_a_file_offers_has_a_claim_a_tier_and_a_title(path: Path) -> None:
    catalogue = _alone(path)
    offers = list(catalogue.iterate_offers())

    assert offers or _blueprint_of(path) == path
    for offer in offers:
        assert parse_main_status(offer.claim)
        assert offer.tier in get_args(Tier)
        assert offer.skin.variants[offer.variant].titles or offer.skin.titles


@pytest.mark.parametrize("path", FILES, ids=_id)
def test_a_file_is_named_for_what_it_holds(path: Path) -> None:
    data = load_document(path)

    assert data["name"] == path.stem
    assert data.get("blueprint", path.parent.name) == path.parent.name or data["format"] == "im-blueprint/1"


def test_every_blueprint_that_ships_is_told_by_some_skin() -> None:
    catalogue = load_shipped_catalogue()

    assert [name for name in catalogue.blueprints if not catalogue.skins.get(name)] == []


def test_no_title_stands_twice() -> None:
    assert find_duplicate_titles(load_shipped_catalogue()) == {}


@pytest.mark.parametrize("kind", ["im-blueprint/1", "im-skin/1"])
def test_no_two_files_of_a_kind_bear_one_name(kind: str) -> None:
    named = Counter(data["name"] for data in map(load_document, FILES) if data["format"] == kind)

    assert [name for name, times in named.items() if times > 1] == []


def test_every_skin_tells_at_least_one_variant() -> None:
    bare = [
        skin.name for skins in load_shipped_catalogue().skins.values() for skin in skins if not skin.variants
    ]

    assert bare == []


@pytest.mark.slow
@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer.name)
def test_an_offer_is_accepted_within_a_few_seeds(offer: Offer) -> None:
    refused = []
    for seed in SEEDS:
        tried = run_trial(offer, load_everyday_library(), seed, 0)
        if tried.accepted:
            return
        refused.append(tried.reasons)
    pytest.fail(f"{offer.name} is refused with every seed, at first for {refused[0]}")
