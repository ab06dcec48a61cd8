"""Pairing: what could be the twin of an offer, the likest first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.blueprints.catalogue import Offer
from impossible_moments.blueprints.crossing import DEPTHS
from impossible_moments.domain.vocabulary import Status, main_status

SOLVABLE: Final[frozenset[Status]] = frozenset({"KS", "DG"})
IMPOSSIBLE: Final[Status] = "PX"
_FIRST: Final = ("PX", "KS-Singular", "KS-Multiple", "KS-Fragile", "DG")
"""Where a skin tells several variants of the other kind, the plainest is taken."""


def are_opposite(one: str, other: str) -> bool:
    """Whether of two statuses one says that there is a way and the other that there is none."""
    found = {main_status(one), main_status(other)}
    return IMPOSSIBLE in found and bool(found & SOLVABLE)


def counterparts(offer: Offer) -> tuple[Offer, ...]:
    """The offers of the same skin that end the other way."""
    found = [
        each
        for variant in offer.skin.variants
        if are_opposite(offer.claim, (each := Offer(offer.blueprint, offer.skin, variant)).claim)
    ]
    return tuple(sorted(found, key=lambda each: (_FIRST.index(each.claim), each.variant)))


def twin_offers(offer: Offer) -> Iterator[Offer]:
    """What may be tried as the twin of an offer: first told in its words, and then in words of its own."""
    others = counterparts(offer)
    for other in others:
        for depth in DEPTHS:
            yield Offer(other.blueprint, other.skin, other.variant, told=offer.variant, depth=depth)
    yield from others
