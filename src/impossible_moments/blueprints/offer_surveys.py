"""Surveys: trials of an offer with many seeds, and statistics of their results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from time import process_time

from impossible_moments.blueprints.catalogue import Catalogue, Offer
from impossible_moments.blueprints.content_review import NO_SIBLINGS, collect_sibling_words
from impossible_moments.blueprints.instance_trials import draw_and_check_instance
from impossible_moments.blueprints.open_places import list_open_places
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.findings import Finding, Severity
from impossible_moments.mechanics.records import Library

TIER_DRAWS = 3
"""The draws from which the tier of a contributed offer is measured."""


@dataclass
class OfferSurvey:
    """How often an offer was accepted, with which tiers and profiles, and why it was refused."""

    offer: Offer
    tried: int = 0
    accepted: int = 0
    tiers: Counter[str] = field(default_factory=Counter)
    profiles: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    remarks: Counter[Finding] = field(default_factory=Counter)
    """Warnings and notes about the text, the key and everyday ideas, which refuse nothing."""
    seconds: float = 0.0
    """Processor time."""

    @property
    def tier_differs(self) -> bool:
        """Whether the most frequent tier differs from the expected one."""
        return (
            self.offer.tier is not None
            and bool(self.tiers)
            and self.tiers.most_common(1)[0][0] != self.offer.tier
        )


def survey_offer_over_seeds(
    offer: Offer, library: Library, seeds: range, *, family: Catalogue | None = None
) -> OfferSurvey:
    """Run one trial of an offer for each seed and count the results.

    `family` holds other skins of the blueprint, whose words this one should not have.
    """
    siblings = NO_SIBLINGS if family is None else collect_sibling_words(offer, family, library)
    found = OfferSurvey(offer)
    start_time = process_time()
    open_places = list_open_places(offer)
    found.reasons.update(f"skin.todo write {path}: {text}" for path, text in open_places)
    for seed in seeds:
        found.tried += 1
        if open_places:
            continue
        try:
            trial = draw_and_check_instance(offer, library, seed, 0, siblings=siblings)
        except ConfigurationError as problem:
            found.reasons[f"file {problem}"] += 1
            continue
        found.reasons.update(trial.reasons)
        found.remarks.update(each for each in trial.reading_findings if each.severity is not Severity.ERROR)
        if trial.accepted and trial.tier is not None:
            found.accepted += 1
            found.tiers[trial.tier] += 1
            found.profiles[str(trial.profile)] += 1
    found.seconds = process_time() - start_time
    return found


def measure_contributed_tiers(catalogue: Catalogue, library: Library) -> Catalogue:
    """Return the catalogue with the tiers that its contributed offers earn in a few draws.

    An offer of which no draw is accepted keeps the tier that its author expects.
    """
    earned = dict(catalogue.earned_tiers)
    for offer in catalogue.iterate_offers():
        if offer.name in catalogue.contributed:
            tiers = survey_offer_over_seeds(offer, library, range(TIER_DRAWS)).tiers
            earned |= {offer.name: tiers.most_common(1)[0][0]} if tiers else {}
    return replace(catalogue, earned_tiers=earned)


def survey_each_offer(offers: Iterator[Offer], library: Library, seeds: range) -> Iterator[OfferSurvey]:
    """Generate a survey of each offer."""
    return (survey_offer_over_seeds(offer, library, seeds) for offer in offers)
