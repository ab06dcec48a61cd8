"""Exact optimum of an uncertain world by dynamic programming over beliefs.

Nodes are keyed by visible state and integer weights, so equal beliefs are one node whatever led to them. Values are
floats; the value of the resulting policy is then computed with rationals.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.mechanics.uncertain.compiled_world import BeliefNode, UncertainWorld
from impossible_moments.mechanics.uncertain.record_forms import Ending

MOST_NODES: Final = 200_000
"""The most belief nodes that are searched before a world counts as not exhausted."""
_TIE: Final = 1e-12
"""Relative difference below which two acts count as equally good; the quicker one is then chosen."""


class NotExhausted(ImpossibleMomentsError):
    """A world with more belief nodes than the bound, so that its optimum is not known."""

    def __init__(self, most: int) -> None:
        super().__init__(f"The search was not exhausted: the world has more than {most} belief nodes.")


@dataclass(frozen=True, slots=True)
class NodeValue:
    """The best act of a node, with mass of success and expected time, both not normalised."""

    act: str | None
    success: float
    time: float


@dataclass
class BeliefSolver:
    """Computes the best act of every node that can be reached."""

    world: UncertainWorld
    excluded: Collection[str] = ()
    """Acts that are never done."""
    most_nodes: int = MOST_NODES
    values: dict[BeliefNode, NodeValue] = field(default_factory=dict, init=False)

    def solve(self) -> float:
        """Return the highest probability of success. Raise `NotExhausted` at the bound."""
        return self.get_success(self.world.start)

    def get_success(self, node: BeliefNode) -> float:
        """Return the highest probability of success from a node."""
        return self.evaluate_node(node).success / sum(node.weights)

    def get_act_success(self, code: str, node: BeliefNode) -> float:
        """Return the probability of success if an act is done first, and the best acts after it."""
        return self._evaluate_act(code, node)[0] / sum(node.weights)

    def evaluate_node(self, node: BeliefNode) -> NodeValue:
        """Return the best act of a node and its value."""
        found = self.values.get(node)
        if found is not None:
            return found
        if len(self.values) >= self.most_nodes:
            raise NotExhausted(self.most_nodes)
        best = NodeValue(None, 0.0, 0.0)
        for code in self.world.list_legal_acts(node.visible):
            if code not in self.excluded:
                success, time = self._evaluate_act(code, node)
                tie = _TIE * max(success, best.success)
                if success > best.success + tie or (
                    best.act is not None
                    and success > best.success - tie
                    and time < best.time - _TIE * best.time
                ):
                    best = NodeValue(code, success, time)
        self.values[node] = best
        return best

    def _evaluate_act(self, code: str, node: BeliefNode) -> tuple[float, float]:
        act = self.world.record.acts[code]
        denominator = self.world.denominators[code]
        success, time = 0.0, float(act.takes * sum(node.weights))
        for after in self.world.list_successors(code, node):
            if after.ends is Ending.SUCCESS:
                success += after.mass / denominator
            elif after.ends is None:
                value = self.evaluate_node(after.node)
                success += after.scale * value.success / denominator
                time += after.scale * value.time / denominator
        return success, time
