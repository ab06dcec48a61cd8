"""Which tier each shipped offer earns. `python -m benchmarks.tiers --write` renews the table in the package.

Every offer is drawn with several seeds. The most frequent tier of its accepted draws counts, the easier one on a tie.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import impossible_moments.blueprints
from impossible_moments.blueprints import (
    Catalogue,
    EarnedTier,
    OfferSurvey,
    format_earned_tiers,
    load_earned_tier_rows,
    load_shipped_catalogue,
    survey_offer_over_seeds,
)
from impossible_moments.domain.vocabulary import TIERS
from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.records import Library

SEEDS = range(5)


def survey_earned_tiers(catalogue: Catalogue, library: Library, seeds: range = SEEDS) -> Iterator[EarnedTier]:
    """Yield the tier of each offer of which a draw was accepted."""
    for offer in catalogue.iterate_offers():
        survey = survey_offer_over_seeds(offer, library, seeds)
        if survey.tiers:
            yield summarize_survey(survey)


def summarize_survey(survey: OfferSurvey) -> EarnedTier:
    """Return the most frequent tier of a survey, the easier one on a tie."""
    tier = max(survey.tiers, key=lambda each: (survey.tiers[each], -TIERS.index(each)))
    (profile, _), *_ = survey.profiles.most_common(1)
    return EarnedTier(survey.offer.name, tier, survey.tiers[tier] / survey.accepted, profile)


def main() -> None:
    """Print the distribution and the offers whose tier differs from the table, and renew the table if asked."""
    parser = ArgumentParser(description="Survey the tier that each shipped offer earns.")
    parser.add_argument("--write", action="store_true", help="renew the table in the package")
    written = parser.parse_args().write
    rows = tuple(survey_earned_tiers(load_shipped_catalogue(), load_everyday_library()))
    stated = {each.offer: each.tier for each in load_earned_tier_rows()}
    changed = [each for each in rows if stated.get(each.offer) != each.tier]
    counts = Counter(each.tier for each in rows)
    print(", ".join(f"{tier} {counts[tier]}" for tier in TIERS))
    print(f"mean share of draws with the stated tier: {sum(each.share for each in rows) / len(rows):.2f}")
    print(f"{len(changed)} of {len(rows)} offers differ from the table")
    for each in changed[:20]:
        print(f"  {each.offer}: {stated.get(each.offer, 'not in the table')} -> {each.tier} ({each.profile})")
    if written:
        path = Path(impossible_moments.blueprints.__file__).with_name("earned_tiers.csv")
        path.write_text(format_earned_tiers(rows), encoding="utf-8")
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
