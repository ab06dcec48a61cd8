"""Known places: the structure of every place and level with placeholder figures, for a solver that reads a text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from impossible_moments.blueprints import Offer
from impossible_moments.composition.place_catalogue import load_shipped_places
from impossible_moments.composition.place_files import PlaceForm
from impossible_moments.composition.public_texts import build_environment
from impossible_moments.composition.scenario_offers import build_offer
from impossible_moments.composition.structures import PlaceStructure
from impossible_moments.composition.wrong_plans import WrongPlan

PLACEHOLDER = 7
"""The value of limits until the text states them."""


@dataclass(frozen=True)
class KnownPlace:
    """A place in one of its structures. The numbers of its offer mean nothing."""

    offer: Offer
    labels: frozenset[str]
    """The heads of its table rows and the labels of its things."""


@lru_cache(maxsize=1)
def list_known_places() -> tuple[KnownPlace, ...]:
    """Return one entry for each structure of each shipped place."""
    return tuple(
        known for place in load_shipped_places().values() for known in list_structures_of_place(place)
    )


def list_structures_of_place(place: PlaceForm) -> list[KnownPlace]:
    """Return one entry for each structure of a place. Levels that differ only in figures and counts share one."""
    found: dict[tuple[str, ...], PlaceStructure] = {}
    for level in range(place.levels.low, place.levels.high + 1):
        structure = PlaceStructure(place, level)
        found.setdefault(structure.signature, structure)
    return [_build_known_place(structure) for structure in found.values()]


def _build_known_place(structure: PlaceStructure) -> KnownPlace:
    figures = dict.fromkeys(structure.list_limits(), PLACEHOLDER)
    figures |= {stock.name: PLACEHOLDER for stock in structure.stocks}
    figures |= {name: figure.low for name, figure in structure.iterate_drawn_figures()}
    plans = [WrongPlan(f"idea_{number}", (number, number), "short", "it is possible") for number in range(2)]
    offer = build_offer(structure, figures, wrong=plans, conflict=["deadline"])
    labels = {*build_environment(structure), *(thing["label"] for thing in offer.skin.record["things"])}
    return KnownPlace(offer, frozenset(label.lower() for label in labels))
