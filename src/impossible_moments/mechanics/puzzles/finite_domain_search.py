"""Bounded search over unknowns with finite domains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from impossible_moments.mechanics.language.scalar_evaluation import Value, Values

Domains: TypeAlias = Sequence[Sequence[Value]]

WEIGHT_OF_A_NODE: Final = 64


class BudgetExhaustedError(Exception):
    """The budget of a search is spent."""


class SearchBudget:
    """The number of values that may still be tried. Several searches can share one budget."""

    def __init__(self, nodes: int) -> None:
        self.left = nodes

    def spend_nodes(self, nodes: int = 1) -> None:
        """Deduct the cost of a value tried. Raise `BudgetExhaustedError` if too little is left."""
        if self.left < nodes:
            self.left = 0
            raise BudgetExhaustedError
        self.left -= nodes


@dataclass(frozen=True, slots=True)
class SearchConstraint:
    """A condition on the unknowns with the given indices. Constraints of one clue share its name."""

    name: str
    places: frozenset[int]
    holds: Callable[[Values], bool]
    weight: int = 1
    """The size of the condition, which determines the cost of testing it."""


@dataclass(frozen=True, slots=True)
class FoundAnswers:
    """The different answers found, in search order. `complete` is true if there are no others."""

    answers: tuple[tuple[Value, ...], ...]
    complete: bool


def search_answers(
    domains: Domains,
    constraints: Sequence[SearchConstraint],
    asked_indices: Sequence[int],
    budget: SearchBudget,
    *,
    most: int,
) -> FoundAnswers:
    """Find the values of the asked unknowns for which the others can be completed.

    Stop after `most` answers.
    """
    search = _DepthFirstSearch(domains, constraints, asked_indices, budget, most)
    try:
        search.extend_assignment(0)
    except BudgetExhaustedError:
        return FoundAnswers(tuple(search.found), complete=False)
    return FoundAnswers(tuple(search.found), complete=len(search.found) < most)


class _DepthFirstSearch:
    """Depth-first search, asked unknowns first.

    A constraint is tested as soon as its unknowns have values.
    """

    def __init__(
        self,
        domains: Domains,
        constraints: Sequence[SearchConstraint],
        asked_indices: Sequence[int],
        budget: SearchBudget,
        most: int,
    ) -> None:
        self._order = _choose_search_order(domains, constraints, asked_indices)
        self._domains = [domains[place] for place in self._order]
        depth_of = {place: depth for depth, place in enumerate(self._order)}
        self._tests: list[list[Callable[[Values], bool]]] = [[] for _ in self._order]
        weights = [0 for _ in self._order]
        for constraint in constraints:
            depth = max(depth_of[place] for place in constraint.places)
            self._tests[depth].append(constraint.holds)
            weights[depth] += constraint.weight
        # testing a long condition costs as much as several values, so that the budget also limits the time
        self._costs = [1 + weight // WEIGHT_OF_A_NODE for weight in weights]
        self._values: Values = [domain[0] for domain in domains]
        self._asked, self._budget, self._most = asked_indices, budget, most
        self.found: list[tuple[Value, ...]] = []

    def extend_assignment(self, depth: int) -> bool:
        """Return whether the values so far can be completed, and record each answer found.

        All values of asked unknowns are tried. For the others one completion is enough.
        """
        if depth == len(self._order):
            self.found.append(tuple(self._values[place] for place in self._asked))
            return True
        place, tests, cost = self._order[depth], self._tests[depth], self._costs[depth]
        completed = False
        for value in self._domains[depth]:
            self._budget.spend_nodes(cost)
            self._values[place] = value
            if all(test(self._values) for test in tests) and self.extend_assignment(depth + 1):
                completed = True
                if depth >= len(self._asked) or len(self.found) >= self._most:
                    return True
        return completed


def _choose_search_order(
    domains: Domains, constraints: Sequence[SearchConstraint], asked_indices: Sequence[int]
) -> list[int]:
    """Return the asked unknowns, then the others, each ordered by how many constraints become testable."""
    order: list[int] = []
    for group in (
        list(asked_indices),
        [place for place in range(len(domains)) if place not in asked_indices],
    ):
        while group:
            ordered = frozenset(order)
            best = min(
                group,
                key=lambda place: (*_rank_unknown(place, ordered, constraints), len(domains[place]), place),
            )
            order.append(best)
            group.remove(best)
    return order


def _rank_unknown(
    place: int, ordered: frozenset[int], constraints: Sequence[SearchConstraint]
) -> tuple[int, int]:
    """Return the sort key of an unknown: the negated numbers of constraints it completes and occurs in."""
    own_constraints = [constraint for constraint in constraints if place in constraint.places]
    return -sum(constraint.places <= ordered | {place} for constraint in own_constraints), -len(
        own_constraints
    )
