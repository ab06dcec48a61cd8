"""Short names of things: the words of a label that belong to no other thing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from impossible_moments.mechanics.wording.word_stems import extract_word_stems

_ARTICLE: Final = re.compile(r"^(?:the|an?|your|my|our|some|his|her|their)\s+", re.IGNORECASE)
_TAIL: Final = re.compile(r"\s+(?:of|with|from|in|on|for|to|at|under|behind|by)\s.*$", re.IGNORECASE)


def strip_article(label: str) -> str:
    """Return a label without its article."""
    return _ARTICLE.sub("", label.strip())


def list_short_names(labels: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    """Return for each thing the short forms of its label that mean no other thing.

    The head noun alone is a name if no other label has it. Otherwise it needs a word that tells it from the others, and
    such a word alone is a name too: of two oils, `clove` is enough.
    """
    stems = {name: extract_word_stems(label) for name, label in labels.items()}
    return {name: tuple(_iterate_short_names(name, label, stems)) for name, label in labels.items()}


def _iterate_short_names(name: str, label: str, stems: Mapping[str, frozenset[str]]) -> list[str]:
    words = _TAIL.sub("", strip_article(label)).split()
    if not words:
        return []
    others = [each for other, each in stems.items() if other != name]
    head = words[-1]
    if not _occurs_in(head, others):
        return [head]
    return [word for word in words[:-1] if not _occurs_in(word, others)]


def _occurs_in(word: str, labels: list[frozenset[str]]) -> bool:
    wanted = extract_word_stems(word)
    return not wanted or any(wanted <= each for each in labels)
