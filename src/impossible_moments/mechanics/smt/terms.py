"""Real-valued Z3 terms with their rounding drift and the conditions under which execution has a value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, TypeAlias

import z3

from impossible_moments.mechanics import ends, rounding
from impossible_moments.mechanics.ends import Interval
from impossible_moments.mechanics.rounding import Drift

Formula: TypeAlias = Any
"""Z3 expression. Z3 is published without types."""

_SMALLEST_SLACK: Final = 1e-30  # practically zero; Z3 works faster with short numbers
_SMALLEST_NUMBER: Final = 1e-60  # smaller numbers are too long for Z3 in exact form


class NotAlgebraic(Exception):
    """Expression that Z3's real arithmetic cannot represent."""


@dataclass(frozen=True, slots=True)
class Term:
    """A number: its exact value, its rounding drift, and the conditions under which it is defined."""

    value: Formula
    drift: Drift
    defined: tuple[Formula, ...] = ()


class Reals:
    """Builder of terms. Constraints on the auxiliary variables are collected in `side_conditions`."""

    def __init__(self) -> None:
        self.context = z3.Context()
        self.side_conditions: list[Formula] = []

    def arithmetic(self, operator: str, left: Term, right: Term, span: Interval) -> Term:
        """Return the term `left operator right`, whose value lies within `span`."""
        one, other, defined = left.value, right.value, left.defined + right.defined
        match operator:
            case "+":
                return Term(one + other, rounding.of_sum(left.drift, right.drift, span), defined)
            case "-":
                drift = rounding.of_sum(left.drift, rounding.negated(right.drift), span)
                return Term(one - other, drift, defined)
            case "*":
                return Term(one * other, rounding.of_product(left.drift, right.drift, span), defined)
            case _:
                return self._quotient(left, right, span)

    def _quotient(self, left: Term, right: Term, span: Interval) -> Term:
        quotient = z3.FreshReal("quotient", ctx=self.context)
        self.side_conditions.append(z3.Implies(right.value != 0, quotient * right.value == left.value))
        # with rounding drift the exact divisor may be zero where the executed one is not
        defined = () if right.drift.amount else (right.value != 0,)
        drift = rounding.of_quotient(left.drift, right.drift, span)
        return Term(quotient, drift, left.defined + right.defined + defined)

    def power(self, base: Term, exponent: float, span: Interval) -> Term:
        """Return the term `base ** exponent`. Raise `NonAlgebraicExpression` unless `2*exponent` is whole."""
        if 2 * exponent != int(2 * exponent):
            raise NotAlgebraic(f"exponent {exponent:g}")
        if exponent != int(exponent):
            return self.power(self._root(base), 2 * exponent, span)
        result = Term(self.exact(1), Drift((1.0, 1.0)), base.defined)
        for step in range(1, abs(int(exponent)) + 1):
            result = self.arithmetic("*", result, base, ends.power(base.drift.span, step))
        if exponent < 0:
            result = self._quotient(Term(self.exact(1), Drift((1.0, 1.0))), result, span)
        drift = Drift(span, result.drift.amount, result.drift.share + 2 * rounding.STEP)
        return Term(result.value, drift, result.defined)

    def _root(self, inner: Term) -> Term:
        root = z3.FreshReal("root", ctx=self.context)
        slack = self.slack(inner.drift.amount)
        self.side_conditions += [root >= 0, z3.Implies(inner.value >= 0, root * root == inner.value)]
        if inner.drift.amount:
            self.side_conditions.append(z3.Or(inner.value >= 0, inner.value < -slack, root == 0))
        drift = rounding.of_root(inner.drift, ends.call("sqrt", [inner.drift.span]))
        return Term(root, drift, (*inner.defined, inner.value >= -slack))

    def call(self, function: str, parts: list[Term], span: Interval) -> Term:
        """Return the term of a function call. Raise `NonAlgebraicExpression` if Z3 cannot represent it."""
        defined = tuple(formula for part in parts for formula in part.defined)
        drift = rounding.of_either([part.drift for part in parts], span)
        if function == "sqrt":
            return self._root(parts[0])
        if function == "abs":
            return Term(self.size(parts[0]), drift, defined)
        if function not in {"min", "max"}:
            raise NotAlgebraic(function)
        result = parts[0].value
        for part in parts[1:]:
            first = result <= part.value if function == "min" else result >= part.value
            result = z3.If(first, result, part.value)
        return Term(result, drift, defined)

    def size(self, term: Term) -> Formula:
        """Return the absolute value of a number, without a case distinction if its sign is known."""
        low, high = term.drift.span
        if low <= high and (low >= 0 or high <= 0):
            return term.value if low >= 0 else -term.value
        return z3.If(term.value >= 0, term.value, -term.value)

    def slack(self, amount: float) -> Formula:
        """Return a Z3 number slightly larger than an amount of rounding, with few digits."""
        if not amount:
            return self.exact(0)
        return self.exact(Fraction(10) ** math.ceil(math.log10(max(4 * amount, _SMALLEST_SLACK))))

    def exact(self, value: float | Fraction) -> Formula:
        """Return the exact Z3 number of a float or fraction."""
        number = Fraction(value)
        if 0 < abs(number) < _SMALLEST_NUMBER:
            raise NotAlgebraic(f"{float(value):g} is too small")
        return z3.RealVal(str(number), self.context)
