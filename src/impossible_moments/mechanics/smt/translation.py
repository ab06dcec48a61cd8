"""Translation of expression trees to Z3 formulas over the reals.

Z3 is exact and execution is not. Every comparison therefore allows the tolerance and the rounding drift of
execution, so that execution never accepts what Z3 refutes (for quotients, within the range of floats).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import z3

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics import rounding
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.intervals import Box, Reading
from impossible_moments.mechanics.rounding import Drift
from impossible_moments.mechanics.scalars import TOLERANCE
from impossible_moments.mechanics.smt.terms import Formula, NotAlgebraic, Reals, Term


@dataclass(frozen=True, slots=True)
class _Truth:
    """A truth value as execution computes it, and the conditions under which it is defined."""

    value: Formula
    defined: tuple[Formula, ...] = ()


class Translation(Reals):
    """Translator of trees to formulas. Equal trees share one formula, so `x` and `not x` conflict."""

    def __init__(self, box: Box) -> None:
        super().__init__()
        self._box = box
        self._reading = Reading(box)
        self._variables: dict[str, Formula] = {}
        self._terms: dict[Expression, Term] = {}
        self._comparisons: dict[tuple[Expression, Expression], _Truth] = {}

    def condition(self, tree: Expression) -> Formula:
        """Return the formula which states that a condition has a value and holds."""
        truth = self._truth(tree)
        return z3.And(truth.value, *truth.defined)

    def point(self, model: Formula) -> dict[str, float | bool]:
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

    def _truth(self, tree: Expression) -> _Truth:
        match tree:
            case ex.Truth(value):
                return _Truth(z3.BoolVal(value, self.context))
            case ex.Name() | ex.Property():
                return _Truth(self._fact(_path(tree)))
            case ex.All(parts) | ex.AnyOf(parts):
                return self._row([self._truth(part) for part in parts], every=isinstance(tree, ex.All))
            case ex.Not(inner):
                denied = self._truth(inner)
                return _Truth(z3.Not(denied.value), denied.defined)
            case ex.Choice(test, then, otherwise):
                tested, one, other = self._truth(test), self._truth(then), self._truth(otherwise)
                return _Truth(z3.If(tested.value, one.value, other.value), _chosen(tested, one, other))
            case ex.Comparison(operator, left, right):
                return self._comparison(operator, left, right)
            case _:
                raise NotAlgebraic(ex.written(tree))

    def _row(self, parts: list[_Truth], *, every: bool) -> _Truth:
        """Join parts with and (`every`) or or. Parts after the one that decides the result need no value."""
        defined: Formula = z3.BoolVal(True, self.context)  # noqa: FBT003 - z3's own signature
        for part in reversed(parts):
            rest = z3.Not(part.value) if every else part.value
            defined = z3.And(*part.defined, z3.Or(rest, defined))
        join = z3.And if every else z3.Or
        return _Truth(join(*(part.value for part in parts)), (z3.simplify(defined),))

    def _comparison(self, operator: str, left: Expression, right: Expression) -> _Truth:
        if operator == "<=":
            return self._at_most(left, right)
        if operator == ">=":
            return self._at_most(right, left)
        if operator in {"<", ">"}:
            denied = self._at_most(right, left) if operator == "<" else self._at_most(left, right)
            return _Truth(z3.Not(denied.value), denied.defined)
        equal = self._equal(left, right)
        return equal if operator == "==" else _Truth(z3.Not(equal.value), equal.defined)

    def _equal(self, left: Expression, right: Expression) -> _Truth:
        if self._reading.words(left) is not None or self._reading.words(right) is not None:
            known = self._reading.truth(ex.Comparison("==", left, right))
            if known is None:
                raise NotAlgebraic("a comparison of words")
            return _Truth(z3.BoolVal(known, self.context))
        if self._is_truth(left) or self._is_truth(right):
            one, other = self._truth(left), self._truth(right)
            return _Truth(one.value == other.value, one.defined + other.defined)
        up, down = self._at_most(left, right), self._at_most(right, left)
        return _Truth(z3.And(up.value, down.value), up.defined)

    def _is_truth(self, tree: Expression) -> bool:
        if isinstance(tree, ex.Name | ex.Property):
            return isinstance(self._box.get(_path(tree)), bool | None)
        return isinstance(tree, ex.Truth | ex.Comparison | ex.All | ex.AnyOf | ex.Not)

    def _at_most(self, left: Expression, right: Expression) -> _Truth:
        """Return the result of `left <= right` in execution.

        It is unconstrained within the tolerance and the rounding drift, and exact outside them.
        """
        if (left, right) not in self._comparisons:
            one, other = self._number(left), self._number(right)
            verdict = z3.FreshBool("at_most", ctx=self.context)
            size, gap = self.size(one) + self.size(other), one.value - other.value
            amount, share = one.drift.amount + other.drift.amount, max(one.drift.share, other.drift.share)
            slack, wide = self.slack(amount), TOLERANCE + 2 * share
            self.side_conditions += [
                z3.Implies(
                    verdict, gap <= self.exact(Fraction(math.ceil(1.001e12 * wide), 10**12)) * size + slack
                ),
                z3.Or(verdict, gap >= self.exact(Fraction(1, 2 * 10**9)) * size - slack),
            ]
            if not amount:
                self.side_conditions.append(z3.Or(verdict, gap > 0))
            self._comparisons[left, right] = _Truth(verdict, one.defined + other.defined)
        return self._comparisons[left, right]

    def _number(self, tree: Expression) -> Term:
        if tree not in self._terms:
            term = self._translated(tree)
            if not term.drift.is_bounded:
                raise NotAlgebraic(f"rounding in `{ex.written(tree)}` is unbounded")
            self._terms[tree] = term
        return self._terms[tree]

    def _translated(self, tree: Expression) -> Term:
        span = self._reading.number(tree)
        match tree:
            case ex.Number(value, _, _):
                return Term(self.exact(value), Drift(span))
            case ex.Name() | ex.Property():
                return Term(self._variable(_path(tree)), Drift(span))
            case ex.Arithmetic(operator, left, right):
                return self.arithmetic(operator, self._number(left), self._number(right), span)
            case ex.Negative(inner):
                term = self._number(inner)
                return Term(-term.value, rounding.negated(term.drift), term.defined)
            case ex.Power(base, exponent):
                return self.power(self._number(base), exponent, span)
            case ex.Choice(test, then, otherwise):
                tested, one, other = self._truth(test), self._number(then), self._number(otherwise)
                drift = rounding.of_either([one.drift, other.drift], span)
                return Term(z3.If(tested.value, one.value, other.value), drift, _chosen(tested, one, other))
            case ex.Call(function, parts):
                return self.call(function, [self._number(part) for part in parts], span)
            case _:
                raise NotAlgebraic(ex.written(tree))

    def _variable(self, name: str) -> Formula:
        bounds = self._box.get(name)
        if not isinstance(bounds, tuple) or not all(map(math.isfinite, bounds)):
            raise NotAlgebraic(f"`{name}` has no bounds")
        if name not in self._variables:
            variable = z3.Real(name, self.context)
            self._variables[name] = variable
            self.side_conditions += [variable >= self.exact(bounds[0]), variable <= self.exact(bounds[1])]
        return self._variables[name]

    def _fact(self, name: str) -> Formula:
        known = self._box.get(name)
        if isinstance(known, bool):
            return z3.BoolVal(known, self.context)
        if known is not None:
            raise NotAlgebraic(f"`{name}` is not a truth value")
        return self._variables.setdefault(name, z3.Bool(name, self.context))


def _path(node: ex.Name | ex.Property) -> str:
    return node.name if isinstance(node, ex.Name) else node.path


def _chosen(test: _Truth, one: Term | _Truth, other: Term | _Truth) -> tuple[Formula, ...]:
    """Return the conditions under which a conditional is defined: those of its test and its taken branch."""
    return (
        *test.defined,
        *(z3.Implies(test.value, formula) for formula in one.defined),
        *(z3.Or(test.value, formula) for formula in other.defined),
    )
