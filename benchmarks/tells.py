"""Whether words and layout give away status or tier: a classifier trained on half of the skins and tested on the rest.

`python -m benchmarks.tells` draws every offer once, splits by skin so that no setting is in both halves, and prints the
accuracy of a word-count classifier beside the share of the most frequent class, and the words that tell most.
"""

from __future__ import annotations

from argparse import ArgumentParser

from impossible_moments.blueprints import draw_and_check_instance, load_shipped_catalogue
from impossible_moments.domain.vocabulary import CATEGORIES, parse_main_status
from impossible_moments.library import load_everyday_library
from impossible_moments.production.quality import (
    LabelledText,
    list_features,
    list_telling_features,
    measure_label,
)


def draw_texts(seed: int) -> list[LabelledText]:
    """Draw every offer of the catalogue once."""
    catalogue, library = load_shipped_catalogue(), load_everyday_library()
    found = []
    for category in CATEGORIES:
        for offer in catalogue.iterate_offers(category):
            trial = draw_and_check_instance(offer, library, seed, 0)
            if trial.accepted and trial.tier is not None:
                labels = {"status": parse_main_status(trial.status), "tier": str(trial.tier)}
                skin = f"{offer.blueprint.name}/{offer.skin.name}"
                found.append(LabelledText(skin, frozenset(list_features(trial.prose)), labels))
    return found


def main() -> None:
    """Print how well status and tier can be read from words and layout."""
    parser = ArgumentParser(description="Measure whether words and layout give away status or tier.")
    parser.add_argument("--seed", type=int, default=0, help="seed of the draws (default 0)")
    texts = draw_texts(parser.parse_args().seed)
    print(f"{len(texts)} texts of {len({each.skin for each in texts})} skins")
    for label in ("status", "tier"):
        accuracy, majority = measure_label(texts, label)
        print(f"{label}: {accuracy:.3f} by words and layout, {majority:.3f} by the most frequent one")
        found = sorted(list_telling_features(texts, label), key=lambda row: -row[2])
        for feature, name, count, total in found[:25]:
            print(f"  {name}: `{feature}` in {count} of {total}")


if __name__ == "__main__":
    main()
