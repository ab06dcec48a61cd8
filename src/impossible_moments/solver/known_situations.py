"""The situations that the solver knows from the blueprint catalogue.

The solver knows the things, actions and conditions of each situation. It does not know the numbers and facts
of the scenario it reads: placeholder values stand in for them until they are extracted from the text. Values
that the text does not state stay unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, islice, product
from typing import Any, Final

from impossible_moments.blueprints import (
    BlueprintInstance,
    Catalogue,
    Offer,
    Overlay,
    SkinForm,
    build_placeholder_instance,
    load_shipped_catalogue,
)
from impossible_moments.composition import list_known_places
from impossible_moments.errors import ConfigurationError
from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.records import Library
from impossible_moments.solver.public_text import PublicText, normalize_label

RECOGNISED: Final = 3
MOST_IMAGINED: Final = 24
"""The number of option combinations that are compared with a text."""


class KnownSituations:
    """The situations of a catalogue, indexed by the labels of their things."""

    def __init__(self, catalogue: Catalogue, library: Library) -> None:
        self.catalogue, self.library = catalogue, library
        self._labels = {
            (blueprint, skin.name): _collect_thing_labels(catalogue.blueprints[blueprint].record, skin)
            for blueprint, skins in catalogue.skins.items()
            for skin in skins
        }
        self._places = {
            (known.offer.blueprint.name, known.offer.skin.name): known for known in list_known_places()
        }
        self._labels |= {
            key: frozenset(map(normalize_label, known.labels)) for key, known in self._places.items()
        }

    def find_matching_offers(self, text: PublicText) -> tuple[Offer, ...]:
        """Return the offers of the few skins whose labels occur most in the text, best match first."""
        lowercase_text = text.lowercase_text
        scores = {
            key: sum(len(label) for label in labels if label in lowercase_text)
            / max(sum(map(len, labels)), 1)
            for key, labels in self._labels.items()
        }
        # of two structures of a place that the text names completely, the one with more parts is meant
        best = sorted(
            (key for key in scores if scores[key] > 0),
            key=lambda key: (-scores[key], -len(self._labels[key]) if key in self._places else 0, key),
        )[:RECOGNISED]
        return tuple(offer for key in best for offer in self._list_offers(key))

    def _list_offers(self, key: tuple[str, str]) -> Iterator[Offer]:
        """Yield the offers of a skin, or the one of a place."""
        if key in self._places:
            yield self._places[key].offer
            return
        blueprint, name = key
        for skin in self.catalogue.skins[blueprint]:
            if skin.name == name:
                yield from (
                    Offer(self.catalogue.blueprints[blueprint], skin, variant) for variant in skin.variants
                )

    def generate_placeholder_instances(self, offer: Offer) -> Iterator[BlueprintInstance]:
        """Generate one placeholder instance for each combination of the options of an offer."""
        for chosen in islice(_enumerate_option_choices(offer.skin), MOST_IMAGINED):
            try:
                yield build_placeholder_instance(offer, self.library, chosen)
            except ConfigurationError:
                continue  # offers that cannot be drawn are skipped


@lru_cache(maxsize=1)
def load_shipped_situations() -> KnownSituations:
    """Load the situations of the shipped catalogue with the everyday library."""
    return KnownSituations(load_shipped_catalogue(), load_everyday_library())


def _collect_thing_labels(record: Mapping[str, Any], skin: SkinForm) -> frozenset[str]:
    overlays: list[Overlay] = [
        skin,
        *skin.variants.values(),
        *(each for options in skin.options.values() for each in options.of),
    ]
    own_labels = {
        thing["name"]: thing.get("label", "")
        for thing in record.get("things") or ()
        if isinstance(thing, dict)
    }
    found: dict[str, set[str]] = {name: {label} for name, label in own_labels.items()}
    for overlay in overlays:
        for thing in overlay.record.get("things") or ():
            if isinstance(thing, dict) and thing.get("label"):
                labels = found.setdefault(str(thing.get("name")), set())
                labels.discard(own_labels.get(str(thing.get("name")), ""))
                labels.add(str(thing["label"]))
    return frozenset(
        normalize_label(label)
        for name, labels in found.items()
        for label in labels
        if label and name != "you"
    )


def _enumerate_option_choices(skin: SkinForm) -> Iterator[dict[str, tuple[int, ...]]]:
    choices = {
        name: list(combinations(range(len(options.of)), options.take))
        for name, options in skin.options.items()
    }
    for picked in product(*choices.values()):
        yield dict(zip(choices, picked, strict=True))
