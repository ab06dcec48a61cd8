"""Levels 1 to 10: what a composed scenario must measure to be published at a level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from impossible_moments.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class LevelTarget:
    """The bounds of a level.

    - `fewest_steps`, `most_steps`: the length of the way
    - `least_chance`, `most_chance`: how often random playouts win; the bounds of levels meet and do not overlap
    - `most_greedy`: how often greedy playouts may win
    - `fewest_binding`: how many limits must be tighter than one more use
    - `fewest_states`, `most_states`: the size of the state graph
    """

    level: int
    fewest_steps: int
    most_steps: int
    least_chance: float
    most_chance: float
    most_greedy: float
    fewest_binding: int
    fewest_states: int
    most_states: int


LEVEL_TARGETS: Final = {
    each.level: each
    for each in (
        LevelTarget(1, 3, 4, 0.12, 0.4, 0.6, 1, 8, 60),
        LevelTarget(2, 4, 5, 0.05, 0.12, 0.4, 1, 20, 160),
        LevelTarget(3, 5, 7, 0.022, 0.05, 0.25, 2, 50, 400),
        LevelTarget(4, 6, 8, 0.012, 0.022, 0.15, 2, 100, 800),
        LevelTarget(5, 8, 10, 0.006, 0.012, 0.1, 3, 180, 1_600),
        LevelTarget(6, 9, 11, 0.003, 0.006, 0.06, 3, 300, 3_000),
        LevelTarget(7, 11, 12, 0.0012, 0.003, 0.04, 3, 500, 4_000),
        LevelTarget(8, 12, 14, 0.0005, 0.0012, 0.03, 4, 800, 7_000),
        LevelTarget(9, 14, 16, 0.0002, 0.0005, 0.02, 4, 1_300, 12_000),
        LevelTarget(10, 16, 20, 0, 0.0002, 0.01, 4, 2_000, 25_000),
    )
}


def get_level_target(level: int) -> LevelTarget:
    """Return the bounds of a level. Raise `ConfigurationError` if there is no such level."""
    if level not in LEVEL_TARGETS:
        raise ConfigurationError(f"there is no level {level}. The levels are 1 to {max(LEVEL_TARGETS)}.")
    return LEVEL_TARGETS[level]
