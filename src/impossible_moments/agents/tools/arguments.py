"""Checks of the arguments that a model passes to a tool."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.mechanics.document_values import excerpt, in_words

LONGEST_NAME: Final = 80


class ToolRefused(ImpossibleMomentsError):
    """A call that a tool cannot answer. The message says why and how to call it correctly."""


def text(value: object, name: str, most: int) -> str:
    """Return a text argument, stripped. Refuse other types, blank text, and more than `most` characters."""
    if not isinstance(value, str):
        raise ToolRefused(f"`{name}` is {in_words(value)}, but must be text; put it in quotes.")
    if len(value) > most:
        raise ToolRefused(
            f"`{name}` has {len(value):,} characters, but at most {most:,} are allowed; shorten it."
        )
    if not value.strip():
        raise ToolRefused(f"`{name}` is empty, but must be text.")
    return value.strip()


def count(value: object, name: str, most: int) -> int:
    """Return a whole number of at least 1. A larger number than `most` is reduced to `most`."""
    whole = int(value) if isinstance(value, float) and value.is_integer() else value
    if isinstance(whole, bool) or not isinstance(whole, int):
        raise ToolRefused(f"`{name}` must be a whole number from 1 to {most}.")
    if whole < 1:
        raise ToolRefused(f"`{name}` is below 1, but must be a whole number from 1 to {most}.")
    return min(whole, most)


def one_of(value: object, name: str, known: tuple[str, ...]) -> str:
    """Return the argument in lower case if it is one of the known words."""
    word = text(value, name, LONGEST_NAME).lower()
    if word not in known:
        raise ToolRefused(
            f"`{name}` is `{excerpt(word)}`, but must be one of {', '.join(known)}{meant(word, known)}."
        )
    return word


def near(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Return the known names most similar to an unknown one, the most similar first."""
    return get_close_matches(name[:LONGEST_NAME], sorted(known), n=most, cutoff=0.6)


def meant(name: str, known: Iterable[str]) -> str:
    """Return a suggestion to append to the message about an unknown name, or an empty text."""
    close = near(name, known)
    return f" (did you mean {' or '.join(f'`{each}`' for each in close)}?)" if close else ""
