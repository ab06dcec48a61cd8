"""The everyday library, read from its packaged file."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from pydantic import ValidationError

from impossible_moments.mechanics.documents import DocumentError, load, loads
from impossible_moments.mechanics.library import Library, LibraryForm


@lru_cache(maxsize=1)
def everyday() -> Library:
    """The library that ships with the package."""
    text = files("impossible_moments.knowledge").joinpath("everyday.yaml").read_text(encoding="utf-8")
    return Library(LibraryForm.model_validate(loads(text, name="everyday.yaml")))


def library_from(path: Path) -> Library:
    """A library from a file of the same form."""
    try:
        return Library(LibraryForm.model_validate(load(path)))
    except ValidationError as problem:
        first = problem.errors()[0]
        place = "/".join(str(part) for part in first["loc"])
        raise DocumentError(f"{path.name} is no library: at /{place}, {first['msg'].lower()}.") from None
