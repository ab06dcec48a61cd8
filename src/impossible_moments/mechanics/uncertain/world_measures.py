"""Measures of an uncertain world: the values of all policies, the size of its belief graph, and its optimal decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from impossible_moments.mechanics.uncertain.belief_solver import MOST_NODES
from impossible_moments.mechanics.uncertain.compiled_world import BeliefNode, UncertainWorld
from impossible_moments.mechanics.uncertain.policies import PolicyName, PolicySet, evaluate_policy

LEAST_GAP = 0.08
"""How far the optimum must be above one-step lookahead."""
MOST_OPTIMUM = 0.97
"""The optimum must be below this, so that some risk is left."""


@dataclass(frozen=True, slots=True)
class WorldMeasures:
    """What is computed about a world."""

    optimum: Fraction
    values: Mapping[PolicyName, float]
    nodes: int
    """Belief nodes that can be reached."""
    used_acts: frozenset[str]
    """Acts that the optimal policy does in some case."""
    longest: int
    """The most acts that the optimal policy does."""
    first_act: str

    @property
    def gap(self) -> float:
        """How far the optimum is above one-step lookahead."""
        return float(self.optimum) - self.values[PolicyName.LOOKAHEAD]

    def find_objections(self) -> tuple[str, ...]:
        """Return why the world is too easy or too certain to be published."""
        found = []
        if self.gap < LEAST_GAP:
            found.append(
                f"the optimum is only {self.gap:.4f} above one-step lookahead; {LEAST_GAP} is the least"
            )
        if self.optimum >= Fraction(str(MOST_OPTIMUM)):
            found.append(f"the optimum is {float(self.optimum):.4f}; it must be below {MOST_OPTIMUM}")
        return tuple(found)


def measure_world(world: UncertainWorld, most_nodes: int = MOST_NODES) -> WorldMeasures:
    """Compute the measures of a world. Raise `NotExhausted` if it has too many belief nodes."""
    policies = PolicySet(world, most_nodes)
    policies.solver.solve()
    nodes = len(policies.solver.values)
    optimal = policies.get_policy(PolicyName.OPTIMAL)
    depths = dict(walk_policy_nodes(world, policies))
    acts = {act for node in depths if (act := optimal.choose_act(node)) is not None}
    return WorldMeasures(
        optimum=evaluate_policy(world, optimal),
        values=policies.compute_values(),
        nodes=nodes,
        used_acts=frozenset(acts),
        longest=max(depths.values()),
        first_act=optimal.choose_act(world.start) or "",
    )


def walk_policy_nodes(world: UncertainWorld, policies: PolicySet) -> Iterator[tuple[BeliefNode, int]]:
    """Yield the nodes that the optimal policy can reach, with the number of acts done there and next."""
    optimal = policies.get_policy(PolicyName.OPTIMAL)
    pending, seen = [(world.start, 0)], set[tuple[BeliefNode, int]]()
    while pending:
        node, depth = pending.pop()
        act = optimal.choose_act(node)
        yield node, depth + (act is not None)
        if act is None:
            continue
        for after in world.list_successors(act, node):
            entry = (after.node, depth + 1)
            if after.ends is None and entry not in seen:
                seen.add(entry)
                pending.append(entry)
