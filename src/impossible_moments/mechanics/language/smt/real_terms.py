"""Real-valued Z3 terms with their rounding drift and the conditions under which execution has a value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, TypeAlias

import z3

from impossible_moments.mechanics.language import interval_endpoints, rounding_drift
from impossible_moments.mechanics.language.interval_endpoints import Interval
from impossible_moments.mechanics.language.rounding_drift import RoundingDrift

Z3Formula: TypeAlias = Any
"""Z3 expression. Z3 is published without types."""

_SMALLEST_SLACK: Final = 1e-30  # practically zero; Z3 works faster with short numbers
_SMALLEST_NUMBER: Final = 1e-60  # smaller numbers are too long for Z3 in exact form


class NonAlgebraicExpression(Exception):
    """Expression that Z3's real arithmetic cannot represent."""


@dataclass(frozen=True, slots=True)
class RealTerm:
    """A number: its exact value, its rounding drift, and the conditions under which it is defined."""

    value: Z3Formula
    drift: RoundingDrift
    defined: tuple[Z3Formula, ...] = ()


class RealTermBuilder:
    """Builder of terms. Constraints on the auxiliary variables are collected in `side_conditions`."""

    def __init__(self) -> None:
        self.context = z3.Context()
        self.side_conditions: list[Z3Formula] = []

    def build_arithmetic(self, operator: str, left: RealTerm, right: RealTerm, span: Interval) -> RealTerm:
        """Return the term `left operator right`, whose value lies within `span`."""
        one, other, defined = left.value, right.value, left.defined + right.defined
        match operator:
            case "+":
                return RealTerm(
                    one + other, rounding_drift.compute_sum_drift(left.drift, right.drift, span), defined
                )
            case "-":
                drift = rounding_drift.compute_sum_drift(
                    left.drift, rounding_drift.negate_drift(right.drift), span
                )
                return RealTerm(one - other, drift, defined)
            case "*":
                return RealTerm(
                    one * other, rounding_drift.compute_product_drift(left.drift, right.drift, span), defined
                )
            case _:
                return self._build_quotient(left, right, span)

    def _build_quotient(self, left: RealTerm, right: RealTerm, span: Interval) -> RealTerm:
        quotient = z3.FreshReal("quotient", ctx=self.context)
        self.side_conditions.append(z3.Implies(right.value != 0, quotient * right.value == left.value))
        # with rounding drift the exact divisor may be zero where the executed one is not
        defined = () if right.drift.amount else (right.value != 0,)
        drift = rounding_drift.compute_quotient_drift(left.drift, right.drift, span)
        return RealTerm(quotient, drift, left.defined + right.defined + defined)

    def build_power(self, base: RealTerm, exponent: float, span: Interval) -> RealTerm:
        """Return the term `base ** exponent`. Raise `NonAlgebraicExpression` unless `2*exponent` is whole."""
        if 2 * exponent != int(2 * exponent):
            raise NonAlgebraicExpression(f"exponent {exponent:g}")
        if exponent != int(exponent):
            return self.build_power(self._build_square_root(base), 2 * exponent, span)
        result = RealTerm(self.build_exact_number(1), RoundingDrift((1.0, 1.0)), base.defined)
        for step in range(1, abs(int(exponent)) + 1):
            result = self.build_arithmetic(
                "*", result, base, interval_endpoints.raise_interval_to_power(base.drift.span, step)
            )
        if exponent < 0:
            result = self._build_quotient(
                RealTerm(self.build_exact_number(1), RoundingDrift((1.0, 1.0))), result, span
            )
        drift = RoundingDrift(span, result.drift.amount, result.drift.share + 2 * rounding_drift.STEP)
        return RealTerm(result.value, drift, result.defined)

    def _build_square_root(self, inner: RealTerm) -> RealTerm:
        root = z3.FreshReal("root", ctx=self.context)
        slack = self.build_rounding_slack(inner.drift.amount)
        self.side_conditions += [root >= 0, z3.Implies(inner.value >= 0, root * root == inner.value)]
        if inner.drift.amount:
            self.side_conditions.append(z3.Or(inner.value >= 0, inner.value < -slack, root == 0))
        drift = rounding_drift.compute_root_drift(
            inner.drift, interval_endpoints.apply_function_to_intervals("sqrt", [inner.drift.span])
        )
        return RealTerm(root, drift, (*inner.defined, inner.value >= -slack))

    def build_function_call(self, function: str, parts: list[RealTerm], span: Interval) -> RealTerm:
        """Return the term of a function call. Raise `NonAlgebraicExpression` if Z3 cannot represent it."""
        defined = tuple(formula for part in parts for formula in part.defined)
        drift = rounding_drift.compute_alternatives_drift([part.drift for part in parts], span)
        if function == "sqrt":
            return self._build_square_root(parts[0])
        if function == "abs":
            return RealTerm(self.build_absolute_value(parts[0]), drift, defined)
        if function not in {"min", "max"}:
            raise NonAlgebraicExpression(function)
        result = parts[0].value
        for part in parts[1:]:
            first = result <= part.value if function == "min" else result >= part.value
            result = z3.If(first, result, part.value)
        return RealTerm(result, drift, defined)

    def build_absolute_value(self, term: RealTerm) -> Z3Formula:
        """Return the absolute value of a number, without a case distinction if its sign is known."""
        low, high = term.drift.span
        if low <= high and (low >= 0 or high <= 0):
            return term.value if low >= 0 else -term.value
        return z3.If(term.value >= 0, term.value, -term.value)

    def build_rounding_slack(self, amount: float) -> Z3Formula:
        """Return a Z3 number slightly larger than an amount of rounding, with few digits."""
        if not amount:
            return self.build_exact_number(0)
        return self.build_exact_number(
            Fraction(10) ** math.ceil(math.log10(max(4 * amount, _SMALLEST_SLACK)))
        )

    def build_exact_number(self, value: float | Fraction) -> Z3Formula:
        """Return the exact Z3 number of a float or fraction."""
        number = Fraction(value)
        if 0 < abs(number) < _SMALLEST_NUMBER:
            raise NonAlgebraicExpression(f"the number {float(value):g} is too small for the exact solver")
        return z3.RealVal(str(number), self.context)
