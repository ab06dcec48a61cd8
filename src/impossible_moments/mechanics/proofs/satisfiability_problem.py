"""Satisfiability problem of the prover: conditions and a box, reduced to the names that occur."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_endpoints import Interval
from impossible_moments.mechanics.language.interval_evaluation import Box, KnownValue
from impossible_moments.mechanics.language.scalar_evaluation import (
    UNDEFINED,
    Closure,
    Value,
    compile_expression,
)

Point: TypeAlias = Mapping[str, Value]


@dataclass(frozen=True)
class SatisfiabilityProblem:
    """The problem whether all `conditions` can hold at one point of `box`."""

    conditions: Mapping[str, Expression]
    box: Box

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names that occur in the conditions, in alphabetical order."""
        return tuple(sorted(frozenset[str]().union(*self.names_by_condition.values())))

    @cached_property
    def names_by_condition(self) -> Mapping[str, frozenset[str]]:
        """Names that each condition reads."""
        return {name: ex.collect_paths(tree) for name, tree in self.conditions.items()}

    @cached_property
    def initial_box(self) -> dict[str, KnownValue]:
        """Box of the names that occur, without names that have no value."""
        return {name: self.box[name] for name in self.names if name in self.box}

    @cached_property
    def ranges(self) -> Mapping[str, Interval]:
        """Bounds of the numbers that occur."""
        return {name: known for name, known in self.initial_box.items() if isinstance(known, tuple)}

    @cached_property
    def case_values(self) -> Mapping[str, tuple[bool | str, ...]]:
        """Possible values of the free facts and words that occur."""
        found: dict[str, tuple[bool | str, ...]] = dict.fromkeys(sorted(self._free_facts), (True, False))
        for name, known in self.initial_box.items():
            if isinstance(known, frozenset):
                found[name] = tuple(sorted(known))
        return found

    @cached_property
    def _free_facts(self) -> frozenset[str]:
        facts = frozenset(name for name, known in self.box.items() if isinstance(known, bool))
        found: frozenset[str] | None = None
        while found != facts:  # a name that is compared with a fact is a fact as well
            found, roots = facts, self.conditions.values()
            facts = found.union(*(_find_fact_names(root, found) for root in roots))
        return facts - self.box.keys()

    def explain_invalid_bounds(self) -> str | None:
        """Return why the box has invalid bounds, or None if they are valid."""
        for name, (low, high) in self.ranges.items():
            if not -math.inf < low <= high < math.inf:
                return f"`{name}` needs two finite bounds, the lower first, not {low:g} and {high:g}"
        return None

    def explain_missing_bounds(self) -> str | None:
        """Return which numbers have no bounds in the box, or None if all have."""
        unknown = [name for name in self.names if name not in self.box and name not in self._free_facts]
        return f"the box has no bounds for {', '.join(f'`{name}`' for name in unknown)}" if unknown else None

    @cached_property
    def _closures(self) -> tuple[Closure, ...]:
        places = {name: place for place, name in enumerate(self.names)}
        return tuple(compile_expression(tree, places.__getitem__) for tree in self.conditions.values())

    def are_conditions_met_at(self, point: Point) -> bool:
        """Return whether every condition holds at a point, as execution evaluates it."""
        values = [point[name] for name in self.names]
        try:
            return all(closure(values) for closure in self._closures)
        except UNDEFINED:
            return False


def _find_fact_names(tree: Expression, facts: frozenset[str]) -> Iterator[str]:
    """Yield the names that occur where a truth value is expected."""
    match tree:
        case ex.Name(name):
            yield name
        case ex.Property():
            yield tree.path
        case ex.Conjunction(parts) | ex.Disjunction(parts):
            for part in parts:
                yield from _find_fact_names(part, facts)
        case ex.Negation(inner):
            yield from _find_fact_names(inner, facts)
        case ex.Conditional(test, then, otherwise):
            for part in (test, then, otherwise):
                yield from _find_fact_names(part, facts)
        case ex.Comparison("==" | "!=", left, right) if _is_truth_expression(
            left, facts
        ) or _is_truth_expression(right, facts):
            yield from _find_fact_names(left, facts)
            yield from _find_fact_names(right, facts)
        case ex.Comparison() | ex.Arithmetic() | ex.Power() | ex.UnaryMinus() | ex.FunctionCall():
            for part in ex.walk_nodes(tree):
                if isinstance(part, ex.Conditional):
                    yield from _find_fact_names(part.test, facts)
        case _:
            return


def _is_truth_expression(tree: Expression, facts: frozenset[str]) -> bool:
    if isinstance(tree, ex.Name | ex.Property):
        return (tree.name if isinstance(tree, ex.Name) else tree.path) in facts
    return isinstance(tree, ex.Truth | ex.Comparison | ex.Conjunction | ex.Disjunction | ex.Negation)
