"""Texts of a skin that are left to write: where they are, and the refusal to draw a skin that has some."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from impossible_moments.blueprints.catalogue import Offer
from impossible_moments.errors import ConfigurationError

TODO: Final = "TODO"
"""The mark of a text that is left to write."""
_MARK: Final = re.compile(rf"\b{TODO}\b")


def find_open_places(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the place and the text of everything that is left to write in a part of a skin."""
    match value:
        case str() if _MARK.search(value):
            yield path, " ".join(value.split())
        case Mapping():
            for name, item in value.items():
                yield from find_open_places(item, f"{path}/{name}")
        case list():
            for number, item in enumerate(value):
                name = item.get("name") or item.get("call") if isinstance(item, Mapping) else None
                yield from find_open_places(item, f"{path}/{name or number}")
        case _:
            return


def list_open_places(offer: Offer) -> tuple[tuple[str, str], ...]:
    """Return the place and the text of everything that is left to write in the skin of an offer, without other variants."""
    skin = offer.skin
    parts = {
        **{
            name: getattr(skin, name)
            for name in ("place", "voice", "threat", "titles", "draws", "texts", "record", "telling")
        },
        "options": {name: group.model_dump() for name, group in skin.options.items()},
        "variants": {offer.variant: skin.variants[offer.variant].model_dump()},
    }
    return tuple(find_open_places(parts))


def require_complete_skin(offer: Offer) -> None:
    """Raise a ConfigurationError if a text of the skin is left to write."""
    if places := list_open_places(offer):
        raise ConfigurationError(
            f"the skin {offer.skin.name} still has {len(places)} texts to write, marked {TODO}; the first is at "
            f"{places[0][0]}. `im blueprint check FILE` lists them."
        )
