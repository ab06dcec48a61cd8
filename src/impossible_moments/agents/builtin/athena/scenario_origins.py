"""Origins of published scenarios: the draw that reproduces a record exactly."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from impossible_moments.agents.builtin.athena.design_origin import DesignOrigin
from impossible_moments.agents.builtin.athena.scenario_draws import DRAWS_OF_AN_OFFER
from impossible_moments.blueprints import Catalogue, DrawChanges, Offer, draw_instance
from impossible_moments.mechanics.records import Library

ATTEMPTS: Final = 6
"""The number of seed documents that may have been handed in, the published one included."""
_TITLE: Final = "title"


@dataclass(frozen=True, slots=True)
class ReproducedDraw:
    """An offer, and which of its draws was published."""

    offer: Offer
    attempt: int
    again: int
    changes: DrawChanges = field(default_factory=DrawChanges)
    """The changes that revisions made to the draw."""


def find_draw_reproducing_record(
    record: Mapping[str, Any],
    catalogue: Catalogue,
    library: Library,
    *,
    seed: int,
    stated: DesignOrigin | None = None,
) -> ReproducedDraw | None:
    """Find the draw that reproduces a record, or return None if no blueprint makes it.

    Every candidate is drawn again and compared with the record. The stated origin is only tried first. A revised
    scenario is found by its stated origin alone, because its changes cannot be guessed.
    """
    comparable_record = _convert_record_to_json_without_title(record)
    if stated is not None:
        for offer in catalogue.iterate_offers():
            if offer.name == stated.offer:
                found = draw_instance(offer, library, seed, stated.attempt, 0, turn=0, changes=stated.changes)
                if _convert_record_to_json_without_title(found.record) == comparable_record:
                    return ReproducedDraw(offer, stated.attempt, 0, stated.changes)
    claim = (record.get("status") or {}).get("claim")
    offers = [
        offer
        for offer in catalogue.iterate_offers()
        if _has_title_and_category(offer, record) and offer.claim == claim
    ]
    for offer in offers:
        for attempt in range(ATTEMPTS):
            for again in range(DRAWS_OF_AN_OFFER):
                found = draw_instance(offer, library, seed, attempt, again, turn=0)
                if _convert_record_to_json_without_title(found.record) == comparable_record:
                    return ReproducedDraw(offer, attempt, again)
    return None


def _has_title_and_category(offer: Offer, record: Mapping[str, Any]) -> bool:
    titles = (*offer.skin.variants[offer.variant].titles, *offer.skin.titles)
    return offer.blueprint.category == record.get("category") and record.get(_TITLE) in titles


def _convert_record_to_json_without_title(record: Mapping[str, Any]) -> str:
    """Return the record as JSON without its title, which depends on what else was created."""
    return json.dumps({name: value for name, value in record.items() if name != _TITLE}, sort_keys=True)
