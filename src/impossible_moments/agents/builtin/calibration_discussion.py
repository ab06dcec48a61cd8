"""The note that opens a structured discussion of difficulty: which scores the agents gave to a divided dimension."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from impossible_moments.domain.vocabulary import DifficultyDimension

_POSITIONS: Final = re.compile(r"(?:^|[;,] )(?P<agent>[A-Z][A-Z_]+) (?P<score>[1-5])(?= \(|[;,]|$)")


def parse_discussed_scores(notes: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
    """Return the scores of each agent by the letter of the dimension, from the latest note that states scores."""
    for note in reversed(notes):
        found: dict[str, dict[str, int]] = {}
        for dimension in DifficultyDimension:
            for line in note.splitlines():
                _, separator, positions = line.partition(f"{dimension.value}: ")
                if separator:
                    scores = {match["agent"]: int(match["score"]) for match in _POSITIONS.finditer(positions)}
                    found[dimension.name] = scores
        if any(found.values()):
            return {letter: scores for letter, scores in found.items() if scores}
    return {}
