"""Independent evaluation of expressions over boxes with arb numbers, for checking proofs again.

It shares no code with the interval evaluation of the prover. A numeric expression evaluates to an interval,
or to None if it has no value. A condition evaluates to the set of its possible truth values.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from threading import Lock
from typing import Final, TypeAlias

from flint import arb, ctx

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_evaluation import KnownValue
from impossible_moments.mechanics.language.scalar_evaluation import TOLERANCE
from impossible_moments.mechanics.proofs import arb_intervals
from impossible_moments.mechanics.proofs.arb_intervals import Ends

Outcomes: TypeAlias = frozenset[bool]
Parts: TypeAlias = Mapping[str, KnownValue]

BITS: Final = 128
_EVALUATION_LOCK: Final = Lock()
"""The precision is global to the process, so only one thread may evaluate at a time."""
_BOTH: Final[Outcomes] = frozenset({True, False})
_NO_OUTCOME: Final[Outcomes] = frozenset()


def is_condition_false_everywhere(tree: Expression, box: Parts) -> bool:
    """Return whether a condition is false or undefined everywhere in the box."""
    with _EVALUATION_LOCK, ctx.workprec(BITS):
        return True not in _evaluate_truth(tree, box)


def _evaluate_truth(tree: Expression, box: Parts) -> Outcomes:
    match tree:
        case ex.Truth(value):
            return frozenset({value})
        case ex.Name() | ex.Property():
            known = box.get(_get_quantity_path(tree))
            return frozenset({known}) if isinstance(known, bool) else _BOTH
        case ex.Negation(inner):
            return frozenset(not outcome for outcome in _evaluate_truth(inner, box))
        case ex.Conjunction(parts) | ex.Disjunction(parts):
            return _evaluate_connective(parts, box, is_conjunction=isinstance(tree, ex.Conjunction))
        case ex.Conditional(test, then, otherwise):
            test_value = _evaluate_truth(test, box)
            return _NO_OUTCOME.union(
                *(_evaluate_truth(then if way else otherwise, box) for way in test_value)
            )
        case ex.Comparison("==" | "!=" as operator, left, right):
            equal = _evaluate_equality(left, right, box)
            return equal if operator == "==" else frozenset(not outcome for outcome in equal)
        case ex.Comparison(operator, left, right):
            low, high = (left, right) if operator in {"<=", ">"} else (right, left)
            at_most = _compare_at_most(_evaluate_number(low, box), _evaluate_number(high, box))
            return at_most if operator in {"<=", ">="} else frozenset(not outcome for outcome in at_most)
        case _:
            return _BOTH


def _evaluate_connective(parts: tuple[Expression, ...], box: Parts, *, is_conjunction: bool) -> Outcomes:
    """Evaluate a conjunction (`is_conjunction` is True) or a disjunction from left to right."""
    found: set[bool] = set()
    for part in parts:
        outcomes = _evaluate_truth(part, box)
        found |= outcomes - {is_conjunction}
        if is_conjunction not in outcomes:
            return frozenset(found)
    return frozenset(found | {is_conjunction})


def _evaluate_equality(left: Expression, right: Expression, box: Parts) -> Outcomes:
    one, other = _list_possible_words(left, box), _list_possible_words(right, box)
    if one and other:
        return frozenset(word == with_word for word, with_word in product(one, other))
    truths = _evaluate_truth(left, box), _evaluate_truth(right, box)
    if _BOTH not in truths:
        return frozenset(truth == with_truth for truth, with_truth in product(*truths))
    low, high = _evaluate_number(left, box), _evaluate_number(right, box)
    comparisons = _compare_at_most(low, high), _compare_at_most(high, low)
    return frozenset(up and down for up, down in product(*comparisons))


def _list_possible_words(tree: Expression, box: Parts) -> frozenset[str]:
    match tree:
        case ex.Text(value):
            return frozenset({value})
        case ex.Name() | ex.Property():
            known = box.get(_get_quantity_path(tree))
            return (
                frozenset({known})
                if isinstance(known, str)
                else known
                if isinstance(known, frozenset)
                else frozenset()
            )
        case ex.Conditional(test, then, otherwise):
            branches = [
                _list_possible_words(then if way else otherwise, box) for way in _evaluate_truth(test, box)
            ]
            return frozenset[str]().union(*branches) if all(branches) else frozenset()
        case _:
            return frozenset()


def _compare_at_most(one: Ends | None, other: Ends | None) -> Outcomes:
    """Compare intervals by the rule of execution: a <= b, or a - b <= TOLERANCE*(|a| + |b|).

    The nearest corners decide.
    """
    if one is None or other is None:
        return _NO_OUTCOME
    if _compute_excess(one[0], other[1]) > 0:
        return frozenset({False})
    return frozenset({True}) if _compute_excess(one[1], other[0]) <= 0 else _BOTH


def _compute_excess(left: arb, right: arb) -> arb:
    """Return how far `left` exceeds `right` beyond the tolerance. Infinite endpoints decide nothing."""
    return left - right - arb(TOLERANCE) * (abs(left) + abs(right))


def _evaluate_number(tree: Expression, box: Parts) -> Ends | None:
    match tree:
        case ex.Number(value, _, _):
            return arb(value), arb(value)
        case ex.Name() | ex.Property():
            known = box.get(_get_quantity_path(tree))
            return (
                (arb(known[0]), arb(known[1]))
                if isinstance(known, tuple)
                else arb_intervals.UNBOUNDED_INTERVAL
            )
        case ex.Conditional(test, then, otherwise):
            branches = [
                _evaluate_number(then if way else otherwise, box) for way in _evaluate_truth(test, box)
            ]
            return arb_intervals.enclose_values(
                [end for branch in branches if branch is not None for end in branch]
            )
        case ex.UnaryMinus(inner):
            found = _evaluate_number(inner, box)
            return None if found is None else (-found[1], -found[0])
        case ex.Arithmetic("*", left, right) if left == right:
            return arb_intervals.raise_interval_to_power(_evaluate_number(left, box), 2)
        case ex.Arithmetic(operator, left, right):
            return arb_intervals.apply_interval_operator(
                operator, _evaluate_number(left, box), _evaluate_number(right, box)
            )
        case ex.Power(base, exponent):
            return arb_intervals.raise_interval_to_power(_evaluate_number(base, box), exponent)
        case ex.FunctionCall(function, parts):
            return arb_intervals.apply_interval_function(
                function, [_evaluate_number(part, box) for part in parts]
            )
        case _:
            return arb_intervals.UNBOUNDED_INTERVAL


def _get_quantity_path(node: ex.Name | ex.Property) -> str:
    return node.name if isinstance(node, ex.Name) else node.path
