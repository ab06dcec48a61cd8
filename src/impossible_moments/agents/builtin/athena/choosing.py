"""Which offer ATHENA works out: what fits the brief, in an order that walks through the catalogue from seed to seed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.blueprints.catalogue import Catalogue, Offer
from impossible_moments.blueprints.streams import stream
from impossible_moments.domain.brief import GenerationBrief, TwinWanted
from impossible_moments.domain.vocabulary import (
    CATEGORIES,
    STATUSES,
    TIERS,
    Category,
    Status,
    Tier,
    main_status,
)
from impossible_moments.errors import ConfigurationError

_COUNT: Final = re.compile(
    r"\b(?P<how>at least|at most|no more than|exactly|only)?\s*(?P<number>\d{1,2})\s+(?:objects|things)\b",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[a-zà-ž]{4,}", re.IGNORECASE)
_DENIES: Final = re.compile(r"\b(?:without|no|not|never|avoid)\b", re.IGNORECASE)
_EMPTY: Final = frozenset(
    "must should include includes with without have that this scenario category threat setting take place some there duplicate existing registry any".split()
)
"""Words of a constraint that say nothing of the situation."""


class Unreachable(ConfigurationError):
    """A brief that no blueprint can meet; the sentence names what can be met instead."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A constraint of the brief, and which offers keep it."""

    text: str

    @property
    def count(self) -> tuple[str, int] | None:
        """`at most`, `at least` or `exactly`, and how many objects."""
        found = _COUNT.search(self.text)
        if found is None:
            return None
        how = (found["how"] or "exactly").lower()
        return {"no more than": "at most", "only": "exactly"}.get(how, how), int(found["number"])

    def keeps(self, offer: Offer) -> bool:
        """Whether an offer can keep it, before anything is drawn: a count is looked at afterwards."""
        if self.count is not None:
            return True
        met = self.words & _words_of(offer)
        return not met if _DENIES.search(self.text) else len(met) * 2 > len(self.words)

    @property
    def words(self) -> frozenset[str]:
        """The words that say something of the situation."""
        return frozenset(word.lower() for word in _WORD.findall(self.text)) - _EMPTY

    @property
    def speaks(self) -> bool:
        """Whether it asks for something that a choice of offers could give."""
        return self.count is not None or bool(self.words)


def _words_of(offer: Offer) -> frozenset[str]:
    skin = offer.skin
    text = " ".join(
        (skin.place, skin.threat, skin.voice, skin.name.replace("_", " "), str(skin.record.get("prose", "")))
    )
    return frozenset(word.lower() for word in _WORD.findall(text))


def twin_offer(catalogue: Catalogue, wanted: TwinWanted) -> Offer:
    """The offer that a twin is drawn from; raises `Unreachable` where the catalogue has it no more."""
    blueprint, skin, told = (*wanted.drawn_as.split("/"), "", "")[:3]
    found = {each.name: each for each in catalogue.skins.get(blueprint, ())}.get(skin)
    if found is None or not {told, wanted.variant} <= found.variants.keys():
        raise Unreachable(
            f"the twin of {wanted.of} is to be drawn as {wanted.variant} beside {wanted.drawn_as}, and the catalogue has "
            "no such skin with both; install the blueprints that it was asked for with."
        )
    words = told if wanted.told_alike else ""
    return Offer(catalogue.blueprints[blueprint], found, wanted.variant, told=words, depth=wanted.depth)


def fitting(catalogue: Catalogue, brief: GenerationBrief) -> tuple[Offer, ...]:
    """The offers of the brief's category, status and tier; raises `Unreachable` where there are none."""
    if brief.twin is not None:
        return (twin_offer(catalogue, brief.twin),)
    offers = tuple(catalogue.offers(brief.category))
    found = tuple(
        offer
        for offer in offers
        if main_status(offer.claim) == brief.solution_status and offer.tier == brief.difficulty_tier
    )
    if not found:
        raise Unreachable(_sentence(brief, offers))
    return found


def _sentence(brief: GenerationBrief, offers: Sequence[Offer]) -> str:
    reachable = {(main_status(offer.claim), offer.tier) for offer in offers if offer.tier}
    if not reachable:
        return f"no blueprint of {brief.category} is installed; `im blueprint list` shows what there is."
    by_status = [
        f"{status} at {', '.join(tier for tier in TIERS if (status, tier) in reachable)}"
        for status in STATUSES
        if any(status == each for each, _ in reachable)
    ]
    return (
        f"no blueprint makes {brief.category} with status {brief.solution_status} at {brief.difficulty_tier}. "
        f"Reachable there: {'; '.join(by_status)}."
    )


def reachable(catalogue: Catalogue) -> tuple[tuple[Category, Status, Tier], ...]:
    """Every category, status and tier that some offer is made for, in the order of the specification."""
    found = {
        (offer.blueprint.category, main_status(offer.claim), offer.tier)
        for offer in catalogue.offers()
        if offer.tier is not None
    }
    return tuple(
        (category, status, tier)
        for category in CATEGORIES
        for status in STATUSES
        for tier in TIERS
        if (category, status, tier) in found
    )


def order(offers: Sequence[Offer], brief: GenerationBrief) -> Iterator[Offer]:
    """The offers in the order in which they are tried.

    Those that keep more of the brief's constraints come first. Among equals, neighbouring seeds start at neighbouring
    places of one fixed shuffle, so that a series of seeds walks through all of them before it repeats one.
    """
    shuffled = sorted(offers, key=lambda offer: offer.name)
    stream(brief.category, brief.solution_status, brief.difficulty_tier, "order").shuffle(shuffled)
    shuffled = spread(shuffled)
    start = brief.seed % len(shuffled)
    walked = shuffled[start:] + shuffled[:start]
    asked = [Constraint(text) for text in (*brief.constraints, brief.inspiration_seed or "")]
    return iter(sorted(walked, key=lambda offer: -sum(each.speaks and each.keeps(offer) for each in asked)))


def spread(offers: Sequence[Offer]) -> list[Offer]:
    """The offers so that those of one skin, and then of one blueprint, lie as far apart as may be."""
    rounds: dict[tuple[int, int], list[Offer]] = {}
    seen: dict[str, int] = {}
    for offer in offers:
        skin = f"{offer.blueprint.name}/{offer.skin.name}"
        turn = seen.get(skin, 0)
        in_family = seen.get(f"{offer.blueprint.name}#{turn}", 0)
        seen[skin], seen[f"{offer.blueprint.name}#{turn}"] = turn + 1, in_family + 1
        rounds.setdefault((turn, in_family), []).append(offer)
    return [offer for key in sorted(rounds) for offer in rounds[key]]


def lap(offers: Sequence[Offer], brief: GenerationBrief) -> int:
    """How often a series of seeds has been round the catalogue before this one: the next title is taken then."""
    return brief.seed // len(offers)
