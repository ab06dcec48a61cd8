"""Difficulty profile of an uncertain world, computed from the values of its policies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from impossible_moments.domain.difficulty import Profile
from impossible_moments.mechanics.uncertain import BeliefSolver, PolicyName, UncertainWorld, WorldMeasures

# From which value on a measure earns the scores 2, 3, 4 and 5.
INSIGHT_STEPS: Final = (0.08, 0.12, 0.20, 0.30)
"""I: optimum minus one-step lookahead."""
DISTRACTOR_STEPS: Final = (1, 2, 3, 4)
"""D: acts that the optimal policy never does."""
COUNTER_INTUITIVE_STEPS: Final = (0.10, 0.20, 0.30, 0.40)
"""C: optimum minus acting on the most probable state."""
BRIDGE_STEPS: Final = (2, 3, 4, 5)
"""B: hidden variables that have to be considered together."""
PRESSURE_STEPS: Final = (0.02, 0.05, 0.10, 0.20)
"""T: what a quarter more time would add to the optimum."""
TRAP_STEPS: Final = (4, 5, 6, 7)
"""X: acts on the longest path of the optimal policy."""
_MORE_TIME: Final = 1.25


def compute_world_profile(world: UncertainWorld, measures: WorldMeasures) -> Profile:
    """Return the profile I.D.C.B.T.X of a world."""
    optimum = float(measures.optimum)
    return Profile(
        I=score_by_steps(measures.gap, INSIGHT_STEPS),
        D=score_by_steps(len(world.record.acts) - len(measures.used_acts), DISTRACTOR_STEPS),
        C=score_by_steps(optimum - measures.values[PolicyName.GREEDY], COUNTER_INTUITIVE_STEPS),
        B=score_by_steps(len(world.record.hidden), BRIDGE_STEPS),
        T=score_by_steps(compute_gain_of_time(world, optimum), PRESSURE_STEPS),
        X=score_by_steps(measures.longest, TRAP_STEPS),
    )


def score_by_steps(value: float, steps: Sequence[float]) -> int:
    """Return the score from 1 to 5 of a value."""
    return 1 + sum(value >= each - 1e-9 for each in steps)


def compute_gain_of_time(world: UncertainWorld, optimum: float) -> float:
    """Return what a quarter more time adds to the optimum. Raise `NotExhausted` if the world is then too large."""
    clock = world.record.clock
    longer = clock.model_copy(update={"amount": round(clock.amount * _MORE_TIME)})
    relaxed = UncertainWorld(world.record.model_copy(update={"clock": longer}))
    return BeliefSolver(relaxed).solve() - optimum
