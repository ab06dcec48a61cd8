"""Candidates for the twin of an offer: the same situation with the opposite ending."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.blueprints.catalogue import Offer
from impossible_moments.blueprints.variant_crossing import DEPTHS
from impossible_moments.domain.vocabulary import IMPOSSIBLE_STATUS, SOLVABLE_STATUSES, parse_main_status

_FIRST: Final = ("PX", "KS-Singular", "KS-Multiple", "KS-Fragile", "DG")
"""The order of preference if a skin has several variants with the opposite ending."""


def are_opposite_statuses(first: str, second: str) -> bool:
    """Return whether one of two statuses is solvable and the other impossible."""
    found = {parse_main_status(first), parse_main_status(second)}
    return IMPOSSIBLE_STATUS in found and bool(found & SOLVABLE_STATUSES)


def find_counterpart_offers(offer: Offer) -> tuple[Offer, ...]:
    """Return the offers of the same skin that have the opposite ending."""
    found = [
        each
        for variant in offer.skin.variants
        if are_opposite_statuses(offer.claim, (each := Offer(offer.blueprint, offer.skin, variant)).claim)
    ]
    return tuple(sorted(found, key=lambda each: (_FIRST.index(each.claim), each.variant)))


def generate_twin_offers(offer: Offer) -> Iterator[Offer]:
    """Generate candidates for the twin of an offer, first those that use its wording, then the others."""
    counterparts = find_counterpart_offers(offer)
    for other in counterparts:
        for depth in DEPTHS:
            yield Offer(
                other.blueprint, other.skin, other.variant, narrated_variant=offer.variant, depth=depth
            )
    yield from counterparts
