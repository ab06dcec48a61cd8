"""Policies of an uncertain world: the optimum and four simpler ones, and the exact value of any policy."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from impossible_moments.mechanics.uncertain.belief_solver import MOST_NODES, BeliefSolver
from impossible_moments.mechanics.uncertain.compiled_world import BeliefNode, UncertainWorld
from impossible_moments.mechanics.uncertain.record_forms import ActKind, Ending


class PolicyName(StrEnum):
    """The policies that every world is compared with."""

    OPTIMAL = "optimal"
    LOOKAHEAD = "lookahead"
    GREEDY = "greedy"
    IGNORE = "ignore"
    RANDOM = "random"


class Policy(Protocol):
    """Decides what to do at a node."""

    def choose_act(self, node: BeliefNode) -> str | None:
        """Return the act, or None to stop."""
        ...


@dataclass(frozen=True)
class OptimalPolicy:
    """Does what has the highest probability of success, all later observations considered."""

    solver: BeliefSolver

    def choose_act(self, node: BeliefNode) -> str | None:
        """Return the best act."""
        return self.solver.evaluate_node(node).act


@dataclass(frozen=True)
class LookaheadPolicy:
    """Does the act after which acting without any further test succeeds most often."""

    testless: BeliefSolver
    """Solver that never tests."""

    def choose_act(self, node: BeliefNode) -> str | None:
        """Return the act that is best if no test followed it. An act without a test wins a tie."""
        world = self.testless.world
        best, act = self.testless.get_success(node), self.testless.evaluate_node(node).act
        for code in world.list_legal_acts(node.visible):
            value = self._evaluate_first_act(code, node)
            if value > best + 1e-12:
                best, act = value, code
        return act

    def _evaluate_first_act(self, code: str, node: BeliefNode) -> float:
        world = self.testless.world
        total = sum(node.weights) * world.denominators[code]
        return sum(
            after.mass
            / total
            * (1.0 if after.ends is Ending.SUCCESS else self.testless.get_success(after.node))
            for after in world.list_successors(code, node)
            if after.ends is not Ending.FAILURE
        )


@dataclass
class GreedyPolicy:
    """Acts as if the most probable hidden state were certain. It never tests."""

    testless: BeliefSolver

    def choose_act(self, node: BeliefNode) -> str | None:
        """Return the first act of the best plan for the most probable hidden state that can still be handled."""
        order = sorted(range(len(node.weights)), key=lambda place: (-node.weights[place], place))
        for place in order:
            if node.weights[place]:
                certain = tuple(int(each == place) for each in range(len(node.weights)))
                act = self.testless.evaluate_node(BeliefNode(node.visible, certain)).act
                if act is not None:
                    return act
        return None


@dataclass
class PolicySet:
    """All policies of one world, with shared solvers."""

    world: UncertainWorld
    most_nodes: int = MOST_NODES
    _random: dict[BeliefNode, float] = field(default_factory=dict, init=False)

    @cached_property
    def solver(self) -> BeliefSolver:
        """The solver of the optimum."""
        return BeliefSolver(self.world, most_nodes=self.most_nodes)

    @cached_property
    def testless(self) -> BeliefSolver:
        """The solver that never tests. It sees what its other acts show."""
        acts = self.world.record.acts
        tests = frozenset(code for code, act in acts.items() if act.kind is ActKind.TEST)
        return BeliefSolver(self.world, excluded=tests, most_nodes=self.most_nodes)

    def get_policy(self, name: PolicyName) -> Policy:
        """Return a policy that chooses one act at each node. Raise `ValueError` for the random policy."""
        match name:
            case PolicyName.OPTIMAL:
                return OptimalPolicy(self.solver)
            case PolicyName.IGNORE:
                return OptimalPolicy(self.testless)
            case PolicyName.LOOKAHEAD:
                return LookaheadPolicy(self.testless)
            case PolicyName.GREEDY:
                return GreedyPolicy(self.testless)
            case PolicyName.RANDOM:
                raise ValueError("the random policy has no single act; draw one of the legal acts")

    def compute_value(self, name: PolicyName) -> float:
        """Return the probability of success of a policy."""
        if name is PolicyName.RANDOM:
            return self._evaluate_random(self.world.start) / sum(self.world.start.weights)
        return float(evaluate_policy(self.world, self.get_policy(name)))

    def compute_values(self, names: Iterable[PolicyName] = tuple(PolicyName)) -> dict[PolicyName, float]:
        """Return the probability of success of several policies."""
        return {name: self.compute_value(name) for name in names}

    def _evaluate_random(self, node: BeliefNode) -> float:
        """Return the mass of success if each act is drawn evenly among the legal ones, until none is left."""
        if node in self._random:
            return self._random[node]
        acts, total = self.world.list_legal_acts(node.visible), 0.0
        for code in acts:
            for after in self.world.list_successors(code, node):
                share = 1 / (self.world.denominators[code] * len(acts))
                if after.ends is Ending.SUCCESS:
                    total += after.mass * share
                elif after.ends is None:
                    total += after.scale * share * self._evaluate_random(after.node)
        self._random[node] = total
        return total


def evaluate_policy(world: UncertainWorld, policy: Policy) -> Fraction:
    """Return the exact probability of success of a policy."""
    known: dict[BeliefNode, Fraction] = {}

    def evaluate_mass(node: BeliefNode) -> Fraction:
        if node not in known:
            act = policy.choose_act(node)
            known[node] = Fraction(0) if act is None else sum_over_results(act, node, evaluate_mass)
        return known[node]

    def sum_over_results(act: str, node: BeliefNode, evaluate: Callable[[BeliefNode], Fraction]) -> Fraction:
        total = Fraction(0)
        for after in world.list_successors(act, node):
            if after.ends is Ending.SUCCESS:
                total += after.mass
            elif after.ends is None:
                total += after.scale * evaluate(after.node)
        return total / world.denominators[act]

    return evaluate_mass(world.start) / sum(world.start.weights)
