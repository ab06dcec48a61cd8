"""Levels 1 to 10: what a composed scenario must measure to be published at a level."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from impossible_moments.errors import ConfigurationError

WIDENING: Final = 1.35
"""By what factor the bounds of a level widen with each further attempt."""


@dataclass(frozen=True, slots=True)
class LevelTarget:
    """The bounds of a level.

    - `fewest_steps`, `most_steps`: the length of the way
    - `least_chance`, `most_chance`: how often random playouts win; neighbouring levels overlap a little
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

    def widen(self, times: int) -> LevelTarget:
        """Return bounds that are a little wider, for figures that were not found within narrower ones."""
        factor = WIDENING**times
        return replace(
            self,
            least_chance=self.least_chance / factor,
            most_chance=self.most_chance * factor,
            most_greedy=min(self.most_greedy * factor, 1.0),
            fewest_states=int(self.fewest_states / factor),
        )


LEVEL_TARGETS: Final = {
    each.level: each
    for each in (
        LevelTarget(1, 3, 4, 0.1, 0.4, 0.7, 1, 8, 60),
        LevelTarget(2, 4, 5, 0.04, 0.16, 0.5, 1, 16, 160),
        LevelTarget(3, 5, 7, 0.016, 0.06, 0.34, 2, 40, 1_500),
        LevelTarget(4, 6, 8, 0.008, 0.026, 0.25, 2, 80, 3_000),
        LevelTarget(5, 8, 10, 0.004, 0.013, 0.17, 3, 140, 5_000),
        LevelTarget(6, 9, 11, 0.002, 0.007, 0.1, 3, 250, 8_000),
        LevelTarget(7, 11, 12, 0.0009, 0.0035, 0.06, 3, 450, 12_000),
        LevelTarget(8, 12, 14, 0.0004, 0.0014, 0.04, 4, 750, 16_000),
        LevelTarget(9, 14, 16, 0.00015, 0.0006, 0.02, 4, 1_200, 22_000),
        LevelTarget(10, 16, 20, 0, 0.0002, 0.01, 4, 2_000, 30_000),
    )
}


def get_level_target(level: int) -> LevelTarget:
    """Return the bounds of a level. Raise `ConfigurationError` if there is no such level."""
    if level not in LEVEL_TARGETS:
        raise ConfigurationError(f"there is no level {level}. The levels are 1 to {max(LEVEL_TARGETS)}.")
    return LEVEL_TARGETS[level]
