"""The note that opens a structured discussion of difficulty: which scores the agents gave to a divided dimension."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from impossible_moments.domain.vocabulary import DifficultyDimension

_POSITIONS: Final = re.compile(r"(?P<agent>[A-Z][A-Z_]+) (?P<score>[1-5])\b")


def parse_discussed_scores(notes: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
    """Return the scores of each agent by the letter of the dimension, from the latest note that states scores."""
    for note in reversed(notes):
        found: dict[str, dict[str, int]] = {}
        for dimension in DifficultyDimension:
            place = note.find(f"{dimension.value}: ")
            if place >= 0:
                line = note[place:].partition(";")[0]
                found[dimension.name] = {
                    match["agent"]: int(match["score"]) for match in _POSITIONS.finditer(line)
                }
        if any(found.values()):
            return found
    return {}
