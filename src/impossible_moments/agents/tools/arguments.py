"""What a model passes to a tool, held against what the tool takes."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.mechanics.document_values import excerpt, in_words

LONGEST_NAME: Final = 80


class ToolRefused(ImpossibleMomentsError):
    """A call that a tool cannot answer; one sentence says why and how to call it right."""


def text(value: object, name: str, most: int) -> str:
    """A text of at most so many characters with something in it."""
    if not isinstance(value, str):
        raise ToolRefused(f"`{name}` is {in_words(value)}, and text is needed; put it in quotes.")
    if len(value) > most:
        raise ToolRefused(f"`{name}` has {len(value):,} characters and may have {most:,}; shorten it.")
    if not value.strip():
        raise ToolRefused(f"`{name}` is empty, and text is needed; write some.")
    return value.strip()


def count(value: object, name: str, most: int) -> int:
    """A whole number of at least 1; one above `most` is taken for `most`."""
    whole = int(value) if isinstance(value, float) and value.is_integer() else value
    if isinstance(whole, bool) or not isinstance(whole, int):
        raise ToolRefused(f"`{name}` is no whole number, and one from 1 to {most} is needed.")
    if whole < 1:
        raise ToolRefused(f"`{name}` is below 1, and a whole number from 1 to {most} is needed.")
    return min(whole, most)


def one_of(value: object, name: str, known: tuple[str, ...]) -> str:
    """One of a few words, in any case."""
    word = text(value, name, LONGEST_NAME).lower()
    if word not in known:
        raise ToolRefused(
            f"`{name}` is `{excerpt(word)}`, and it is one of {', '.join(known)}{meant(word, known)}."
        )
    return word


def near(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known names that come nearest to one that is not known, the nearest first."""
    return get_close_matches(name[:LONGEST_NAME], sorted(known), n=most, cutoff=0.6)


def meant(name: str, known: Iterable[str]) -> str:
    """A suggestion to put after an unknown name, or nothing."""
    close = near(name, known)
    return f" (did you mean {' or '.join(f'`{each}`' for each in close)}?)" if close else ""
