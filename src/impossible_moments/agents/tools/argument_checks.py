"""Checks of the arguments that a model passes to a tool."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.mechanics.records import describe_data_type, format_short_text

LONGEST_NAME: Final = 80


class ToolRefusal(ImpossibleMomentsError):
    """A call that a tool cannot answer. The message says why and how to call it correctly."""


def require_text_argument(value: object, name: str, most: int) -> str:
    """Return a text argument, stripped. Refuse other types, blank text, and more than `most` characters."""
    if not isinstance(value, str):
        raise ToolRefusal(f"`{name}` is {describe_data_type(value)}, but must be text; put it in quotes.")
    if len(value) > most:
        raise ToolRefusal(
            f"`{name}` has {len(value):,} characters, but at most {most:,} are allowed; shorten it."
        )
    if not value.strip():
        raise ToolRefusal(f"`{name}` is empty, but must be text.")
    return value.strip()


def require_positive_integer_argument(value: object, name: str, most: int) -> int:
    """Return a whole number of at least 1. A larger number than `most` is reduced to `most`."""
    count = int(value) if isinstance(value, float) and value.is_integer() else value
    if isinstance(count, bool) or not isinstance(count, int):
        raise ToolRefusal(f"`{name}` must be a whole number from 1 to {most}.")
    if count < 1:
        raise ToolRefusal(f"`{name}` is below 1, but must be a whole number from 1 to {most}.")
    return min(count, most)


def require_known_word_argument(value: object, name: str, known: tuple[str, ...]) -> str:
    """Return the argument in lower case if it is one of the known words."""
    word = require_text_argument(value, name, LONGEST_NAME).lower()
    if word not in known:
        raise ToolRefusal(
            f"`{name}` is `{format_short_text(word)}`, but must be one of {', '.join(known)}{format_name_suggestion(word, known)}."
        )
    return word


def find_similar_names(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Return the known names most similar to an unknown one, the most similar first."""
    return get_close_matches(name[:LONGEST_NAME], sorted(known), n=most, cutoff=0.6)


def format_name_suggestion(name: str, known: Iterable[str]) -> str:
    """Return a suggestion to append to the message about an unknown name, or an empty text."""
    close = find_similar_names(name, known)
    return f" (did you mean {' or '.join(f'`{each}`' for each in close)}?)" if close else ""
