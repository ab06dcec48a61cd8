"""The places that ship with the package, and places read from other files."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path

from pydantic import ValidationError

from impossible_moments.composition.place_files import PlaceForm
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.records import describe_form_problems, load_document


def load_place_file(path: Path) -> PlaceForm:
    """Load a place from a file. Raise `ConfigurationError` with everything that is wrong with its form."""
    try:
        return PlaceForm.model_validate(load_document(path))
    except ValidationError as problem:
        listed = describe_form_problems(PlaceForm, problem)
        separator = " " if len(listed) == 1 else "\n  "
        raise ConfigurationError(
            f"{path.name} is not a valid place:{separator}{separator.join(listed)}"
        ) from None


@lru_cache(maxsize=1)
def load_shipped_places() -> dict[str, PlaceForm]:
    """Load the places that ship with the package, by name."""
    with as_file(files("impossible_moments.composition").joinpath("places")) as folder:
        places = [load_place_file(path) for path in sorted(folder.glob("*.yaml"))]
    return {place.name: place for place in places}


def get_place(name: str) -> PlaceForm:
    """Return a shipped place. Raise `ConfigurationError` if there is none of this name."""
    places = load_shipped_places()
    if name not in places:
        raise ConfigurationError(f"there is no place `{name}`. The places are {', '.join(places)}.")
    return places[name]
