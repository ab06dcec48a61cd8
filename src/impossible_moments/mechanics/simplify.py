"""Simplification of expression trees: constant conditions are decided and constant numbers are folded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.dimensions import PLAIN, Dimension
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.scalars import UNDEFINED, compiled, same

_FIXED: Final = (ex.Number, ex.Text, ex.Truth)


def substituted(tree: Expression, leaf: Callable[[ex.Name | ex.Property], Expression]) -> Expression:
    """Return the tree with each name replaced by the result of `leaf` for it, and simplify it."""
    match tree:
        case ex.Name() | ex.Property():
            return leaf(tree)
        case ex.Comparison(operator, left, right):
            return _comparison(operator, substituted(left, leaf), substituted(right, leaf))
        case ex.All(parts):
            return _joined([substituted(part, leaf) for part in parts], absorbing=False)
        case ex.AnyOf(parts):
            return _joined([substituted(part, leaf) for part in parts], absorbing=True)
        case ex.Not(inner):
            denied = substituted(inner, leaf)
            return ex.Truth(not denied.value) if isinstance(denied, ex.Truth) else ex.Not(denied)
        case ex.Choice(test, then, otherwise):
            decided = substituted(test, leaf)
            if isinstance(decided, ex.Truth):
                return substituted(then if decided.value else otherwise, leaf)
            return ex.Choice(decided, substituted(then, leaf), substituted(otherwise, leaf))
        case ex.Arithmetic(operator, left, right):
            return _folded(ex.Arithmetic(operator, substituted(left, leaf), substituted(right, leaf)))
        case ex.Power(base, exponent):
            return _folded(ex.Power(substituted(base, leaf), exponent))
        case ex.Negative(inner):
            return _folded(ex.Negative(substituted(inner, leaf)))
        case ex.Call(function, parts):
            return _folded(ex.Call(function, tuple(substituted(part, leaf) for part in parts)))
        case _:
            return tree


def _comparison(operator: str, left: Expression, right: Expression) -> Expression:
    if isinstance(left, _FIXED) and isinstance(right, _FIXED):
        if operator in {"==", "!="}:
            return ex.Truth(same(left.value, right.value) is (operator == "=="))
        truth = compiled(ex.Comparison(operator, left, right), _nothing)([])
        return ex.Truth(bool(truth))
    return ex.Comparison(operator, left, right)


def _joined(parts: list[Expression], *, absorbing: bool) -> Expression:
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
    return ex.AnyOf(tuple(kept)) if absorbing else ex.All(tuple(kept))


def _folded(tree: Expression) -> Expression:
    if all(isinstance(child, ex.Number) for child in ex.children(tree)):
        try:
            return ex.Number(float(compiled(tree, _nothing)([])), _dimension(tree))
        except UNDEFINED:
            return tree
    return tree


def _dimension(tree: Expression) -> Dimension:
    """Return the dimension of a folded number.

    Later steps only ask whether it is plain, so other dimensions may be approximate.
    """
    match tree:
        case ex.Arithmetic("*", ex.Number(_, one, _), ex.Number(_, other, _)):
            return one * other
        case ex.Arithmetic("/", ex.Number(_, one, _), ex.Number(_, other, _)):
            return one / other
        case ex.Arithmetic(_, ex.Number(_, one, _), _) | ex.Negative(ex.Number(_, one, _)):
            return one
        case _:
            return PLAIN


def _nothing(name: str) -> int:
    raise KeyError(name)
