"""Classic puzzles that occur in public text, and how much of their structure a text shares."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from impossible_moments.mechanics.records import parse_document


@dataclass(frozen=True, slots=True)
class ClassicPuzzle:
    """A puzzle with its source, the idea that would be recalled, and the words of its structure."""

    name: str
    source: str
    idea: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PuzzleResemblance:
    """The share of the words of a puzzle's structure that a text contains, and these words."""

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


def rank_puzzle_resemblances(text: str) -> tuple[PuzzleResemblance, ...]:
    """Return how much each classic puzzle shares with a text, the closest first."""
    lowercase_text = text.lower()
    found = []
    for puzzle in load_classic_puzzles().values():
        words = tuple(word for word in puzzle.words if _contains_word(lowercase_text, word))
        found.append(PuzzleResemblance(puzzle, len(words) / len(puzzle.words), words))
    return tuple(sorted(found, key=lambda each: (-each.share, each.puzzle.name)))


def _contains_word(text: str, word: str) -> bool:
    """Return whether a text contains a word or an inflected form of it."""
    stem = re.escape(word.lower().rstrip("s"))
    return re.search(rf"\b{stem}(?:s|es|ed|ing|d)?\b", text) is not None
