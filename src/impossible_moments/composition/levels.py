"""Levels 1 to 10: what a composed scenario must measure to be published at a level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from impossible_moments.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class LevelTarget:
    """The bounds of a level.

    - `fewest_steps`, `most_steps`: the length of the way
    - `most_chance`, `most_greedy`: how often random and greedy playouts may win
    - `fewest_binding`: how many limits must be tighter than one more use
    - `most_states`: the size of the state graph that is followed
    """

    level: int
    fewest_steps: int
    most_steps: int
    most_chance: float
    most_greedy: float
    fewest_binding: int
    most_states: int


LEVEL_TARGETS: Final = {
    each.level: each
    for each in (
        LevelTarget(1, 3, 4, 0.40, 0.60, 1, 2_000),
        LevelTarget(2, 4, 5, 0.25, 0.40, 1, 4_000),
        LevelTarget(3, 5, 7, 0.12, 0.25, 2, 8_000),
        LevelTarget(4, 6, 8, 0.06, 0.15, 2, 12_000),
        LevelTarget(5, 8, 10, 0.03, 0.08, 3, 20_000),
        LevelTarget(6, 9, 11, 0.015, 0.04, 3, 40_000),
        LevelTarget(7, 11, 13, 0.007, 0.02, 3, 70_000),
        LevelTarget(8, 12, 15, 0.003, 0.01, 4, 110_000),
        LevelTarget(9, 14, 17, 0.001, 0.005, 4, 160_000),
        LevelTarget(10, 16, 20, 0.0005, 0.002, 4, 220_000),
    )
}


def get_level_target(level: int) -> LevelTarget:
    """Return the bounds of a level. Raise `ConfigurationError` if there is no such level."""
    if level not in LEVEL_TARGETS:
        raise ConfigurationError(f"there is no level {level}. The levels are 1 to {max(LEVEL_TARGETS)}.")
    return LEVEL_TARGETS[level]
