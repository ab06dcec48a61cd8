"""The key of an uncertain scenario: its world, the exact optimum, and the seeded worlds in which players act."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from random import Random

from impossible_moments.evaluation.record_kinds import FILE
from impossible_moments.mechanics.records import load_document
from impossible_moments.mechanics.uncertain import (
    PolicyName,
    PolicySet,
    UncertainWorld,
    WorldEpisode,
    evaluate_policy,
    parse_uncertain_record,
    select_by_chance,
)


@dataclass(frozen=True)
class UncertainKey:
    """The world of a scenario with the policies that players are compared with."""

    scenario_id: str
    world: UncertainWorld

    @classmethod
    def load(cls, folder: Path, scenario_id: str) -> UncertainKey:
        """Load the key of a published scenario."""
        record = parse_uncertain_record(load_document(folder / FILE.format(scenario_id)))
        return cls(scenario_id, UncertainWorld(record))

    @cached_property
    def policies(self) -> PolicySet:
        """The policies of the world, with shared solvers."""
        return PolicySet(self.world)

    @cached_property
    def optimum(self) -> Fraction:
        """The highest probability of success."""
        return evaluate_policy(self.world, self.policies.get_policy(PolicyName.OPTIMAL))

    def begin_episode(self, number: int) -> WorldEpisode:
        """Return the episode of a world by its number. Scenario and number alone fix everything that chance decides."""

        def draw_number(code: str, use: int) -> float:
            return _draw(self.scenario_id, number, code, use)

        hidden = select_by_chance(self.world.prior, _draw(self.scenario_id, number, "hidden", 0))
        return WorldEpisode(self.world, hidden, draw_number)


def _draw(scenario_id: str, number: int, name: str, use: int) -> float:
    return Random(f"uncertain/{scenario_id}/{number}/{name}/{use}").random()  # noqa: S311 - repeatable, not secret
