"""Translation of expression trees to Z3 formulas over the reals.

Z3 is exact and execution is not. Every comparison therefore allows the tolerance and the rounding drift of
execution, so that execution never accepts what Z3 refutes (for quotients, within the range of floats).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import z3

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language import rounding_drift
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_evaluation import Box, IntervalEvaluator
from impossible_moments.mechanics.language.rounding_drift import RoundingDrift
from impossible_moments.mechanics.language.scalar_evaluation import TOLERANCE
from impossible_moments.mechanics.language.smt.real_terms import (
    NonAlgebraicExpression,
    RealTerm,
    RealTermBuilder,
    Z3Formula,
)


@dataclass(frozen=True, slots=True)
class _TruthTerm:
    """A truth value as execution computes it, and the conditions under which it is defined."""

    value: Z3Formula
    defined: tuple[Z3Formula, ...] = ()


class Z3Translator(RealTermBuilder):
    """Translator of trees to formulas. Equal trees share one formula, so `x` and `not x` conflict."""

    def __init__(self, box: Box) -> None:
        super().__init__()
        self._box = box
        self._intervals = IntervalEvaluator(box)
        self._variables: dict[str, Z3Formula] = {}
        self._terms: dict[Expression, RealTerm] = {}
        self._comparisons: dict[tuple[Expression, Expression], _TruthTerm] = {}

    def translate_condition(self, tree: Expression) -> Z3Formula:
        """Return the formula which states that a condition has a value and holds."""
        truth = self._translate_truth(tree)
        return z3.And(truth.value, *truth.defined)

    def extract_point(self, model: Z3Formula) -> dict[str, float | bool]:
        """Return the values of a Z3 model, rounded to floats within the box."""
        found: dict[str, float | bool] = {}
        for name, variable in self._variables.items():
            value = model.eval(variable, model_completion=True)
            if z3.is_bool(value):
                found[name] = z3.is_true(value)
                continue
            rational = value.approx(20) if z3.is_algebraic_value(value) else value
            bounds = self._box[name]
            if z3.is_rational_value(rational) and isinstance(bounds, tuple):
                found[name] = min(max(float(rational.as_fraction()), bounds[0]), bounds[1])
        return found

    def _translate_truth(self, tree: Expression) -> _TruthTerm:
        match tree:
            case ex.Truth(value):
                return _TruthTerm(z3.BoolVal(value, self.context))
            case ex.Name() | ex.Property():
                return _TruthTerm(self._get_truth_variable(_get_variable_path(tree)))
            case ex.Conjunction(parts) | ex.Disjunction(parts):
                return self._join_truths(
                    [self._translate_truth(part) for part in parts],
                    is_conjunction=isinstance(tree, ex.Conjunction),
                )
            case ex.Negation(inner):
                inner_truth = self._translate_truth(inner)
                return _TruthTerm(z3.Not(inner_truth.value), inner_truth.defined)
            case ex.Conditional(test, then, otherwise):
                tested, one, other = (
                    self._translate_truth(test),
                    self._translate_truth(then),
                    self._translate_truth(otherwise),
                )
                return _TruthTerm(
                    z3.If(tested.value, one.value, other.value),
                    _list_definedness_conditions(tested, one, other),
                )
            case ex.Comparison(operator, left, right):
                return self._translate_comparison(operator, left, right)
            case _:
                raise NonAlgebraicExpression(ex.format_expression(tree))

    def _join_truths(self, parts: list[_TruthTerm], *, is_conjunction: bool) -> _TruthTerm:
        """Join parts with and (`is_conjunction`) or or. Parts after the one that decides the result need no value."""
        defined: Z3Formula = z3.BoolVal(True, self.context)  # noqa: FBT003 - z3's own signature
        for part in reversed(parts):
            rest = z3.Not(part.value) if is_conjunction else part.value
            defined = z3.And(*part.defined, z3.Or(rest, defined))
        join = z3.And if is_conjunction else z3.Or
        return _TruthTerm(join(*(part.value for part in parts)), (z3.simplify(defined),))

    def _translate_comparison(self, operator: str, left: Expression, right: Expression) -> _TruthTerm:
        if operator == "<=":
            return self._translate_at_most(left, right)
        if operator == ">=":
            return self._translate_at_most(right, left)
        if operator in {"<", ">"}:
            negated = (
                self._translate_at_most(right, left)
                if operator == "<"
                else self._translate_at_most(left, right)
            )
            return _TruthTerm(z3.Not(negated.value), negated.defined)
        equal = self._translate_equality(left, right)
        return equal if operator == "==" else _TruthTerm(z3.Not(equal.value), equal.defined)

    def _translate_equality(self, left: Expression, right: Expression) -> _TruthTerm:
        if (
            self._intervals.list_possible_words(left) is not None
            or self._intervals.list_possible_words(right) is not None
        ):
            known = self._intervals.decide_condition(ex.Comparison("==", left, right))
            if known is None:
                raise NonAlgebraicExpression("a comparison of words")
            return _TruthTerm(z3.BoolVal(known, self.context))
        if self._is_truth_expression(left) or self._is_truth_expression(right):
            one, other = self._translate_truth(left), self._translate_truth(right)
            return _TruthTerm(one.value == other.value, one.defined + other.defined)
        at_most, at_least = self._translate_at_most(left, right), self._translate_at_most(right, left)
        return _TruthTerm(z3.And(at_most.value, at_least.value), at_most.defined)

    def _is_truth_expression(self, tree: Expression) -> bool:
        if isinstance(tree, ex.Name | ex.Property):
            return isinstance(self._box.get(_get_variable_path(tree)), bool | None)
        return isinstance(tree, ex.Truth | ex.Comparison | ex.Conjunction | ex.Disjunction | ex.Negation)

    def _translate_at_most(self, left: Expression, right: Expression) -> _TruthTerm:
        """Return the result of `left <= right` in execution.

        It is unconstrained within the tolerance and the rounding drift, and exact outside them.
        """
        if (left, right) not in self._comparisons:
            one, other = self._translate_number(left), self._translate_number(right)
            verdict = z3.FreshBool("at_most", ctx=self.context)
            size, gap = (
                self.build_absolute_value(one) + self.build_absolute_value(other),
                one.value - other.value,
            )
            amount, share = one.drift.amount + other.drift.amount, max(one.drift.share, other.drift.share)
            slack, wide = self.build_rounding_slack(amount), TOLERANCE + 2 * share
            self.side_conditions += [
                z3.Implies(
                    verdict,
                    gap
                    <= self.build_exact_number(Fraction(math.ceil(1.001e12 * wide), 10**12)) * size + slack,
                ),
                z3.Or(verdict, gap >= self.build_exact_number(Fraction(1, 2 * 10**9)) * size - slack),
            ]
            if not amount:
                self.side_conditions.append(z3.Or(verdict, gap > 0))
            self._comparisons[left, right] = _TruthTerm(verdict, one.defined + other.defined)
        return self._comparisons[left, right]

    def _translate_number(self, tree: Expression) -> RealTerm:
        if tree not in self._terms:
            term = self._build_number_term(tree)
            if not term.drift.is_bounded:
                raise NonAlgebraicExpression(f"rounding in `{ex.format_expression(tree)}` is unbounded")
            self._terms[tree] = term
        return self._terms[tree]

    def _build_number_term(self, tree: Expression) -> RealTerm:
        span = self._intervals.compute_interval(tree)
        match tree:
            case ex.Number(value, _, _):
                return RealTerm(self.build_exact_number(value), RoundingDrift(span))
            case ex.Name() | ex.Property():
                return RealTerm(self._get_number_variable(_get_variable_path(tree)), RoundingDrift(span))
            case ex.Arithmetic(operator, left, right):
                return self.build_arithmetic(
                    operator, self._translate_number(left), self._translate_number(right), span
                )
            case ex.UnaryMinus(inner):
                term = self._translate_number(inner)
                return RealTerm(-term.value, rounding_drift.negate_drift(term.drift), term.defined)
            case ex.Power(base, exponent):
                return self.build_power(self._translate_number(base), exponent, span)
            case ex.Conditional(test, then, otherwise):
                tested, one, other = (
                    self._translate_truth(test),
                    self._translate_number(then),
                    self._translate_number(otherwise),
                )
                drift = rounding_drift.compute_alternatives_drift([one.drift, other.drift], span)
                return RealTerm(
                    z3.If(tested.value, one.value, other.value),
                    drift,
                    _list_definedness_conditions(tested, one, other),
                )
            case ex.FunctionCall(function, parts):
                return self.build_function_call(
                    function, [self._translate_number(part) for part in parts], span
                )
            case _:
                raise NonAlgebraicExpression(ex.format_expression(tree))

    def _get_number_variable(self, name: str) -> Z3Formula:
        bounds = self._box.get(name)
        if not isinstance(bounds, tuple) or not all(map(math.isfinite, bounds)):
            raise NonAlgebraicExpression(f"`{name}` has no bounds")
        if name not in self._variables:
            variable = z3.Real(name, self.context)
            self._variables[name] = variable
            self.side_conditions += [
                variable >= self.build_exact_number(bounds[0]),
                variable <= self.build_exact_number(bounds[1]),
            ]
        return self._variables[name]

    def _get_truth_variable(self, name: str) -> Z3Formula:
        known = self._box.get(name)
        if isinstance(known, bool):
            return z3.BoolVal(known, self.context)
        if known is not None:
            raise NonAlgebraicExpression(f"`{name}` is not a truth value")
        return self._variables.setdefault(name, z3.Bool(name, self.context))


def _get_variable_path(node: ex.Name | ex.Property) -> str:
    return node.name if isinstance(node, ex.Name) else node.path


def _list_definedness_conditions(
    test: _TruthTerm, one: RealTerm | _TruthTerm, other: RealTerm | _TruthTerm
) -> tuple[Z3Formula, ...]:
    """Return the conditions under which a conditional is defined: those of its test and its taken branch."""
    return (
        *test.defined,
        *(z3.Implies(test.value, formula) for formula in one.defined),
        *(z3.Or(test.value, formula) for formula in other.defined),
    )
