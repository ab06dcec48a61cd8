"""Evaluation of expression trees over rigorous intervals, to decide conditions over a whole box.

An interval is a pair of endpoints that are rounded outwards after every step (see `interval_endpoints`). It
therefore contains the exact value and the value that execution computes. A condition evaluates to True, False
or None, where None means that the box does not decide it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language import interval_endpoints
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_endpoints import (
    EMPTY_INTERVAL,
    UNBOUNDED_INTERVAL,
    Interval,
)
from impossible_moments.mechanics.language.scalar_evaluation import TOLERANCE

ThreeValuedTruth: TypeAlias = bool | None
KnownValue: TypeAlias = Interval | bool | str | frozenset[str]
Box: TypeAlias = Mapping[str, KnownValue]
"""For each name, its lowest and highest value, a value that is not a number, or the set of possible words."""

# Possible outcomes of a condition in the box: the sum of _YES and _NO, or 0 where it never has a value.
_YES, _NO, _EITHER = 1, 2, 3
_TRUTH_OF_OUTCOMES: Final[tuple[ThreeValuedTruth, ...]] = (False, True, False, None)
# Execution applies the tolerance in floats, so a narrow band on either side of it stays undecided.
_LOOSE, _TIGHT = TOLERANCE * (1 + 1e-6), TOLERANCE * (1 - 1e-6)


@dataclass(frozen=True, slots=True)
class IntervalEvaluator:
    """Evaluator of expression trees over one box."""

    box: Box

    def decide_condition(self, tree: Expression) -> ThreeValuedTruth:
        """Return True if a condition holds wherever it has a value, False if it holds nowhere, else None."""
        return _TRUTH_OF_OUTCOMES[self._find_condition_outcomes(tree)]

    def compute_interval(self, tree: Expression) -> Interval:
        """Return an interval that contains all values of a number in the box, or `EMPTY` if it has none."""
        match tree:
            case ex.Number(value, _, _):
                return (value, value)
            case ex.Name() | ex.Property():
                found = self._look_up_name(tree)
                return found if isinstance(found, tuple) else UNBOUNDED_INTERVAL
            case ex.Arithmetic(operator, left, right):
                if operator == "*" and left == right:
                    return interval_endpoints.raise_interval_to_power(self.compute_interval(left), 2)
                one, other = self.compute_interval(left), self.compute_interval(right)
                return (
                    EMPTY_INTERVAL
                    if one[0] > one[1] or other[0] > other[1]
                    else interval_endpoints.ARITHMETIC[operator](one, other)
                )
            case ex.Power(base, exponent):
                return interval_endpoints.raise_interval_to_power(self.compute_interval(base), exponent)
            case ex.UnaryMinus(inner):
                low, high = self.compute_interval(inner)
                return (-high, -low)
            case ex.Conditional(test, then, otherwise):
                outcomes = self._find_condition_outcomes(test)
                one = self.compute_interval(then) if outcomes & _YES else EMPTY_INTERVAL
                other = self.compute_interval(otherwise) if outcomes & _NO else EMPTY_INTERVAL
                return min(one[0], other[0]), max(one[1], other[1])
            case ex.FunctionCall(function, parts):
                return interval_endpoints.apply_function_to_intervals(
                    function, [self.compute_interval(part) for part in parts]
                )
            case _:
                return UNBOUNDED_INTERVAL

    def list_possible_words(self, tree: Expression) -> frozenset[str] | None:
        """Return the words that a text may be, or None if the tree is not a text."""
        match tree:
            case ex.Text(value):
                return frozenset({value})
            case ex.Name() | ex.Property():
                found = self._look_up_name(tree)
                if isinstance(found, str):
                    return frozenset({found})
                return found if isinstance(found, frozenset) else None
            case ex.Conditional(test, then, otherwise):
                one, other, outcomes = (
                    self.list_possible_words(then),
                    self.list_possible_words(otherwise),
                    self._find_condition_outcomes(test),
                )
                if outcomes in {_YES, _NO}:
                    return one if outcomes == _YES else other
                return None if one is None or other is None else one | other
            case _:
                return None

    def _look_up_name(self, node: ex.Name | ex.Property) -> KnownValue | None:
        return self.box.get(node.name if isinstance(node, ex.Name) else node.path)

    def _find_condition_outcomes(self, tree: Expression) -> int:
        match tree:
            case ex.Comparison(operator, left, right):
                return self._find_comparison_outcomes(operator, left, right)
            case ex.Conjunction(parts):
                return self._find_connective_outcomes(_NO, parts)
            case ex.Disjunction(parts):
                return self._find_connective_outcomes(_YES, parts)
            case ex.Negation(inner):
                return _invert_outcomes(self._find_condition_outcomes(inner))
            case ex.Truth(value):
                return _YES if value else _NO
            case ex.Name() | ex.Property():
                found = self._look_up_name(tree)
                return (_YES if found else _NO) if isinstance(found, bool) else _EITHER
            case ex.Conditional(test, then, otherwise):
                outcomes = self._find_condition_outcomes(test)
                one = self._find_condition_outcomes(then) if outcomes & _YES else 0
                return one | (self._find_condition_outcomes(otherwise) if outcomes & _NO else 0)
            case _:
                return _EITHER

    def _find_connective_outcomes(self, end: int, parts: tuple[Expression, ...]) -> int:
        """Return the outcomes of parts that are evaluated in order until one has the outcome `end`."""
        found = 0
        for part in parts:
            outcomes = self._find_condition_outcomes(part)
            found |= outcomes & end
            if not outcomes & ~end:
                return found
        return found | (_EITHER - end)

    def _find_comparison_outcomes(self, operator: str, left: Expression, right: Expression) -> int:
        if operator in {"==", "!="}:
            equal = self._find_equality_outcomes(left, right)
            return equal if operator == "==" else _invert_outcomes(equal)
        one, other = self.compute_interval(left), self.compute_interval(right)
        if operator in {"<=", ">="}:
            return (
                _find_at_most_outcomes(one, other) if operator == "<=" else _find_at_most_outcomes(other, one)
            )
        return _invert_outcomes(
            _find_at_most_outcomes(other, one) if operator == "<" else _find_at_most_outcomes(one, other)
        )

    def _find_equality_outcomes(self, left: Expression, right: Expression) -> int:
        one, other = self.list_possible_words(left), self.list_possible_words(right)
        if one is not None and other is not None:
            return (_YES if len(one) == 1 else _EITHER) if one == other else _EITHER if one & other else _NO
        truths = self._find_condition_outcomes(left), self._find_condition_outcomes(right)
        if _EITHER not in truths:
            return 0 if 0 in truths else _YES if truths[0] == truths[1] else _NO
        low, high = self.compute_interval(left), self.compute_interval(right)
        at_most, at_least = _find_at_most_outcomes(low, high), _find_at_most_outcomes(high, low)
        return (at_most & at_least & _YES) | ((at_most | at_least) & _NO)


def _find_at_most_outcomes(one: Interval, other: Interval) -> int:
    """Return the possible outcomes of `one <= other`.

    The slack grows more slowly than the gap, so the nearest endpoints decide.
    """
    if one[0] > one[1] or other[0] > other[1]:
        return 0
    if one[0] - other[1] > _LOOSE * (abs(one[0]) + abs(other[1])):
        return _NO
    high, low = one[1], other[0]
    tolerance = _TIGHT * (abs(high) + abs(low))
    return _YES if high <= low or (tolerance < math.inf and high - low <= tolerance) else _EITHER


def _invert_outcomes(outcomes: int) -> int:
    return (outcomes & _YES) << 1 | outcomes >> 1
