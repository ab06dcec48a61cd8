"""Classic puzzles that occur in public text, and how much of their structure a text shares."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from impossible_moments.mechanics.records import parse_document

RAREST_SHARE: Final = 0.01
"""Words in fewer texts than this share count like words in so many."""


@dataclass(frozen=True, slots=True)
class ClassicPuzzle:
    """A puzzle with its source, the idea that would be recalled, and the words of its structure."""

    name: str
    source: str
    idea: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PuzzleResemblance:
    """The share of a puzzle's structure that a text contains, and the words of it. A word counts by how rare it is."""

    puzzle: ClassicPuzzle
    share: float
    words: tuple[str, ...]


@lru_cache(maxsize=1)
def load_classic_puzzles() -> Mapping[str, ClassicPuzzle]:
    """Return the puzzles of `classic_puzzles.yaml` by name."""
    text = files("impossible_moments.library").joinpath("classic_puzzles.yaml").read_text(encoding="utf-8")
    rows: Any = parse_document(text, name="classic_puzzles.yaml")
    return {
        row["name"]: ClassicPuzzle(row["name"], row["source"], row["idea"], tuple(map(str, row["words"])))
        for row in rows
    }


@lru_cache(maxsize=1)
def load_word_shares() -> Mapping[str, float]:
    """Return the share of the shipped public texts in which a word of a puzzle occurs, for words that are not rare."""
    text = files("impossible_moments.library").joinpath("puzzle_word_shares.yaml").read_text(encoding="utf-8")
    rows: Any = parse_document(text, name="puzzle_word_shares.yaml")
    return {str(word): float(share) for word, share in rows.items()}


def rank_puzzle_resemblances(text: str) -> tuple[PuzzleResemblance, ...]:
    """Return how much each classic puzzle shares with a text, the closest first."""
    lowercase_text = text.lower()
    found = []
    for puzzle in load_classic_puzzles().values():
        words = tuple(word for word in puzzle.words if _contains_word(lowercase_text, word))
        share = sum(map(_weigh_word, words)) / sum(map(_weigh_word, puzzle.words))
        found.append(PuzzleResemblance(puzzle, share, words))
    return tuple(sorted(found, key=lambda each: (-each.share, each.puzzle.name)))


def _weigh_word(word: str) -> float:
    """Return the evidence that a word gives: little for a word that stands in many texts, such as `water`."""
    return -math.log(max(load_word_shares().get(word, 0.0), RAREST_SHARE))


def _contains_word(text: str, word: str) -> bool:
    """Return whether a text contains a word or an inflected form of it."""
    stem = re.escape(word.lower().rstrip("s"))
    return re.search(rf"\b{stem}(?:s|es|ed|ing|d)?\b", text) is not None
