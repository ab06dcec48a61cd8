"""Simplification of expression trees: constant conditions are decided and constant numbers are folded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.dimensions import PLAIN, Dimension
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import (
    UNDEFINED,
    compile_expression,
    is_same_value,
)

_LITERALS: Final = (ex.Number, ex.Text, ex.Truth)


def substitute_and_simplify(
    tree: Expression, leaf: Callable[[ex.Name | ex.Property], Expression]
) -> Expression:
    """Return the tree with each name replaced by the result of `leaf` for it, and simplify it."""
    match tree:
        case ex.Name() | ex.Property():
            return leaf(tree)
        case ex.Comparison(operator, left, right):
            return _simplify_comparison(
                operator, substitute_and_simplify(left, leaf), substitute_and_simplify(right, leaf)
            )
        case ex.Conjunction(parts):
            return _simplify_logical_parts(
                [substitute_and_simplify(part, leaf) for part in parts], absorbing=False
            )
        case ex.Disjunction(parts):
            return _simplify_logical_parts(
                [substitute_and_simplify(part, leaf) for part in parts], absorbing=True
            )
        case ex.Negation(inner):
            simplified = substitute_and_simplify(inner, leaf)
            return (
                ex.Truth(not simplified.value)
                if isinstance(simplified, ex.Truth)
                else ex.Negation(simplified)
            )
        case ex.Conditional(test, then, otherwise):
            decided = substitute_and_simplify(test, leaf)
            if isinstance(decided, ex.Truth):
                return substitute_and_simplify(then if decided.value else otherwise, leaf)
            return ex.Conditional(
                decided, substitute_and_simplify(then, leaf), substitute_and_simplify(otherwise, leaf)
            )
        case ex.Arithmetic(operator, left, right):
            return _fold_constants(
                ex.Arithmetic(
                    operator, substitute_and_simplify(left, leaf), substitute_and_simplify(right, leaf)
                )
            )
        case ex.Power(base, exponent):
            return _fold_constants(ex.Power(substitute_and_simplify(base, leaf), exponent))
        case ex.UnaryMinus(inner):
            return _fold_constants(ex.UnaryMinus(substitute_and_simplify(inner, leaf)))
        case ex.FunctionCall(function, parts):
            return _fold_constants(
                ex.FunctionCall(function, tuple(substitute_and_simplify(part, leaf) for part in parts))
            )
        case _:
            return tree


def _simplify_comparison(operator: str, left: Expression, right: Expression) -> Expression:
    if isinstance(left, _LITERALS) and isinstance(right, _LITERALS):
        if operator in {"==", "!="}:
            return ex.Truth(is_same_value(left.value, right.value) is (operator == "=="))
        truth = compile_expression(ex.Comparison(operator, left, right), _reject_unresolved_name)([])
        return ex.Truth(bool(truth))
    return ex.Comparison(operator, left, right)


def _simplify_logical_parts(parts: list[Expression], *, absorbing: bool) -> Expression:
    kept: list[Expression] = []
    for part in parts:
        if isinstance(part, ex.Truth):
            if part.value is absorbing:
                return part
            continue
        kept.append(part)
    if not kept:
        return ex.Truth(not absorbing)
    if len(kept) == 1:
        return kept[0]
    return ex.Disjunction(tuple(kept)) if absorbing else ex.Conjunction(tuple(kept))


def _fold_constants(tree: Expression) -> Expression:
    if all(isinstance(child, ex.Number) for child in ex.list_children(tree)):
        try:
            return ex.Number(
                float(compile_expression(tree, _reject_unresolved_name)([])), _compute_folded_dimension(tree)
            )
        except UNDEFINED:
            return tree
    return tree


def _compute_folded_dimension(tree: Expression) -> Dimension:
    """Return the dimension of a folded number.

    Later steps only ask whether it is plain, so other dimensions may be approximate.
    """
    match tree:
        case ex.Arithmetic("*", ex.Number(_, one, _), ex.Number(_, other, _)):
            return one * other
        case ex.Arithmetic("/", ex.Number(_, one, _), ex.Number(_, other, _)):
            return one / other
        case ex.Arithmetic(_, ex.Number(_, one, _), _) | ex.UnaryMinus(ex.Number(_, one, _)):
            return one
        case _:
            return PLAIN


def _reject_unresolved_name(name: str) -> int:
    raise KeyError(name)
