"""An episode in an uncertain world: a hidden state is fixed, acts are carried out, and the belief follows what is seen.

Chance comes from the caller: a function that returns a number from 0 to 1 for the n-th use of an act. The same function
therefore gives the same results to every player who does the same acts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from impossible_moments.mechanics.uncertain.compiled_world import BeliefNode, Successor, UncertainWorld
from impossible_moments.mechanics.uncertain.policies import Policy
from impossible_moments.mechanics.uncertain.record_forms import Ending

DrawNumber = Callable[[str, int], float]
"""Returns a number from 0 to 1, exclusive, for the name of an act and the number of its use."""


@dataclass(frozen=True, slots=True)
class ActRecord:
    """An act that was carried out, at which node, and what followed."""

    code: str
    node: BeliefNode
    see: str


@dataclass
class WorldEpisode:
    """A running episode."""

    world: UncertainWorld
    hidden_place: int
    """Which hidden state holds."""
    draw_number: DrawNumber
    node: BeliefNode = field(init=False)
    ending: Ending | None = None
    history: list[ActRecord] = field(default_factory=list)
    _counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.node = self.world.start

    @property
    def is_over(self) -> bool:
        """Whether nothing more can be done."""
        return self.ending is not None or not self.world.list_legal_acts(self.node.visible)

    @property
    def is_success(self) -> bool:
        """Whether the goal is reached."""
        return self.ending is Ending.SUCCESS

    def act(self, code: str) -> str:
        """Carry out an act that can be begun, and return what is seen."""
        world, before = self.world, self.node
        self._counts[code] += 1
        number = self.draw_number(code, self._counts[code])
        chances = [
            Fraction(branch.factors[self.hidden_place], world.denominators[code])
            for branch in world.list_branches(code, before.visible)
        ]
        branch = world.list_branches(code, before.visible)[select_by_chance(chances, number)]
        visible = world.advance_visible(code, branch, before.visible)
        after = find_successor(
            world.list_successors(code, before), see=branch.see, ends=branch.ends, visible=visible
        )
        self.node, self.ending = after.node, after.ends
        self.history.append(ActRecord(code, before, branch.see))
        return branch.see


def select_by_chance(chances: Sequence[Fraction], number: float) -> int:
    """Return the place of the chance in whose share of the unit interval a number lies."""
    total = Fraction(0)
    for place, chance in enumerate(chances):
        total += chance
        if number < total:
            return place
    return max(place for place, chance in enumerate(chances) if chance)


def find_successor(
    successors: Sequence[Successor], *, see: str, ends: Ending | None, visible: tuple[int, ...]
) -> Successor:
    """Return the successor with an observation. The belief never excludes what really happens."""
    return next(
        each for each in successors if each.see == see and each.ends is ends and each.node.visible == visible
    )


def play_policy(episode: WorldEpisode, policy: Policy) -> WorldEpisode:
    """Let a policy play an episode to its end."""
    while not episode.is_over:
        act = policy.choose_act(episode.node)
        if act is None:
            break
        episode.act(act)
    return episode
