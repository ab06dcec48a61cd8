"""The table of earned tiers names every shipped offer, and briefs use it."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.tiers import SEEDS, summarize_survey

from impossible_moments.blueprints import (
    EarnedTier,
    build_catalogue,
    format_earned_tiers,
    load_earned_tier_rows,
    load_shipped_catalogue,
    survey_offer_over_seeds,
)
from impossible_moments.domain.vocabulary import TIERS
from impossible_moments.library import load_everyday_library


def test_every_shipped_offer_has_an_earned_tier() -> None:
    offers = {offer.name: offer for offer in load_shipped_catalogue().iterate_offers()}
    rows = {row.offer: row for row in load_earned_tier_rows()}

    assert sorted(offers) == sorted(rows), "renew the table with `python -m benchmarks.tiers --write`"
    assert {name: offer.tier for name, offer in offers.items()} == {
        name: row.tier for name, row in rows.items()
    }
    assert {row.tier for row in rows.values()} <= set(TIERS)


@pytest.mark.parametrize("place", range(0, 520, 65))
def test_the_table_states_what_a_survey_finds(place: int) -> None:
    offers = list(load_shipped_catalogue().iterate_offers())
    offer = offers[place % len(offers)]
    stated = {row.offer: row for row in load_earned_tier_rows()}[offer.name]

    found = summarize_survey(survey_offer_over_seeds(offer, load_everyday_library(), SEEDS))
    assert format_earned_tiers([found]) == format_earned_tiers([stated])


def test_a_replaced_skin_loses_the_earned_tier(tmp_path: Path) -> None:
    shipped = load_shipped_catalogue()
    offer = next(shipped.iterate_offers())
    changed = offer.skin.model_copy(update={"place": "another place"})
    path = tmp_path / "skin.yaml"
    path.write_text(changed.model_dump_json(exclude_defaults=False), encoding="utf-8")
    extended = build_catalogue([path], shipped)
    tiers = {each.name: each.earned_tier for each in extended.iterate_offers()}

    assert tiers[offer.name] is None
    assert sum(tier is None for tier in tiers.values()) == len(offer.skin.variants)


def test_the_table_is_written_sorted() -> None:
    rows = [
        EarnedTier("b/c/d", "SPARK", 1.0, "1.1.1.1.1.1"),
        EarnedTier("a/c/d", "RUPTURE", 0.6, "3.3.3.3.3.3"),
    ]
    assert format_earned_tiers(rows).splitlines()[1:] == [
        "a/c/d,RUPTURE,0.60,3.3.3.3.3.3",
        "b/c/d,SPARK,1.00,1.1.1.1.1.1",
    ]
