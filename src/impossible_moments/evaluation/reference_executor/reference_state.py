"""States of a world as a dictionary of values, with recursive evaluation of expressions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from impossible_moments.mechanics.language import Expression
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import QuantityKind
from impossible_moments.mechanics.world import CONSTANTS, ELAPSED, World

Value: TypeAlias = float | bool | str
Bindings: TypeAlias = Mapping[str, Value]
"""Values of the slots of a call: names of things, or numbers."""

TOLERANCE: Final = 1e-9
"""Relative tolerance within which numbers count as equal."""
UNBOUND: Final[Bindings] = {}


class UndefinedValue(ArithmeticError):
    """Error for an expression without a value, such as a division by zero or a missing property."""


class ReferenceState:
    """All stated and changing values at one moment; derived quantities are computed when read."""

    def __init__(self, world: World, changes: Mapping[str, float] | None = None) -> None:
        self.world = world
        self.values: dict[str, Value] = {
            name: quantity.value
            for name, quantity in world.quantities.items()
            if quantity.kind is not QuantityKind.DERIVED and quantity.value is not None
        }
        self.values.update(changes or {})

    def copy(self) -> ReferenceState:
        """Return an independent copy of the state."""
        other = ReferenceState.__new__(ReferenceState)
        other.world, other.values = self.world, dict(self.values)
        return other

    @property
    def now(self) -> float:
        """The time since the start, in seconds."""
        return float(self.values[ELAPSED])

    def evaluate(self, tree: Expression, bindings: Bindings = UNBOUND) -> Value:  # noqa: C901, PLR0911 - one case per node
        """Return the value of an expression; raise `UndefinedValue` if it has none."""
        match tree:
            case ex.Number(value, _, _) | ex.Text(value) | ex.Truth(value):
                return value
            case ex.Name(name):
                return bindings[name] if name in bindings else self._look_up_name(name)
            case ex.Property():
                return self._look_up_name(resolve_path(tree, bindings))
            case ex.UnaryMinus(inner):
                return -self.evaluate_number(inner, bindings)
            case ex.Arithmetic(operator, left, right):
                return _compute_arithmetic(
                    operator, self.evaluate_number(left, bindings), self.evaluate_number(right, bindings)
                )
            case ex.Power(base, exponent):
                return _compute_power(self.evaluate_number(base, bindings), exponent)
            case ex.FunctionCall(function, arguments):
                return _call_function(function, [self.evaluate_number(each, bindings) for each in arguments])
            case ex.Conditional(test, then, otherwise):
                return self.evaluate(then if self.evaluate(test, bindings) else otherwise, bindings)
            case ex.Comparison(operator, left, right):
                return compare_values(operator, self.evaluate(left, bindings), self.evaluate(right, bindings))
            case ex.Conjunction(parts) | ex.Disjunction(parts):
                # every part is evaluated: if one is undefined, so is the whole
                truths = [self.evaluate(part, bindings) for part in parts]
                return all(truths) if isinstance(tree, ex.Conjunction) else any(truths)
            case ex.Negation(inner):
                return not self.evaluate(inner, bindings)

    def evaluate_number(self, tree: Expression, bindings: Bindings = UNBOUND) -> float:
        """Return the value of a numeric expression; raise `UndefinedValue` for words and truths."""
        found = self.evaluate(tree, bindings)
        if isinstance(found, bool | str):
            raise UndefinedValue(f"`{ex.format_expression(tree)}` is not a number")
        return found

    def satisfies_condition(
        self, tree: Expression, bindings: Bindings = UNBOUND, *, undefined: bool = False
    ) -> bool:
        """Check whether a condition holds; return `undefined` if it has no value."""
        try:
            return bool(self.evaluate(tree, bindings))
        except UndefinedValue:
            return undefined

    def _look_up_name(self, name: str) -> Value:
        if name in self.values:
            return self.values[name]
        if name in CONSTANTS:
            return CONSTANTS[name].value
        quantity = self.world.quantities.get(name)
        if quantity is None:
            raise UndefinedValue(f"no such name: `{name}`")
        return self.evaluate(quantity.tree)


def resolve_path(target: ex.Name | ex.Property, bindings: Bindings = UNBOUND) -> str:
    """Return the key of a state or property in the dictionary of values."""
    if isinstance(target, ex.Name):
        return target.name
    return f"{bindings.get(target.thing, target.thing)}.{target.name}"


def iterate_expression_nodes(
    world: World, trees: Iterable[Expression], bindings: Bindings = UNBOUND
) -> Iterator[tuple[Expression, Bindings]]:
    """Yield every node of some expressions with its bindings, also of the derived quantities they read."""
    seen: set[str] = set()
    pending: list[tuple[Expression, Bindings]] = [(tree, bindings) for tree in trees]
    while pending:
        tree, bound = pending.pop()
        yield tree, bound
        pending += [(child, bound) for child in ex.list_children(tree)]
        if isinstance(tree, ex.Name | ex.Property):
            name = resolve_path(tree, bound)
            quantity = world.quantities.get(name)
            if quantity is not None and quantity.kind is QuantityKind.DERIVED and name not in seen:
                seen.add(name)
                pending.append((quantity.tree, UNBOUND))


def collect_names_read(
    world: World, trees: Iterable[Expression], bindings: Bindings = UNBOUND
) -> frozenset[str]:
    """Return the names that some expressions read, directly or through derived quantities."""
    return frozenset(
        resolve_path(node, bound)
        for node, bound in iterate_expression_nodes(world, trees, bindings)
        if isinstance(node, ex.Name | ex.Property)
    )


def compare_values(operator: str, left: Value, right: Value) -> bool:
    """Evaluate a comparison; numbers count as equal within the tolerance of the language."""
    if isinstance(left, bool | str) or isinstance(right, bool | str):
        if operator not in {"==", "!="} or type(left) is not type(right):
            raise UndefinedValue("words and truth values can only be compared with == and !=")
        return (left == right) == (operator == "==")
    sign = compare_numbers(left, right)
    return {
        "<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0, "==": sign == 0, "!=": sign != 0,
    }[operator]  # fmt: skip


def compare_numbers(left: float, right: float) -> int:
    """Return -1, 0 or 1 if the left is less than, equal to or more than the right."""
    if abs(left - right) <= TOLERANCE * max(abs(left), abs(right)):
        return 0
    return -1 if left < right else 1


def _compute_arithmetic(operator: str, left: float, right: float) -> float:
    if operator == "/" and right == 0:
        raise UndefinedValue("division by zero")
    result = {
        "+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right, "/": lambda: left / right,
    }[operator]()  # fmt: skip
    return _require_finite(result)


def _compute_power(base: float, exponent: float) -> float:
    if (base < 0 and exponent != int(exponent)) or (base == 0 and exponent < 0):
        raise UndefinedValue("undefined power")
    return _compute_or_raise_undefined(lambda: float(base**exponent))


_PLAIN: Final[Mapping[str, Callable[[float], float]]] = {
    "sqrt": math.sqrt, "abs": abs, "exp": math.exp, "log": math.log, "sin": math.sin, "cos": math.cos,
    "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan,
    # a number within the tolerance of a whole number is rounded to it
    "ceil": lambda value: float(round(value) if compare_numbers(value, round(value)) == 0 else math.ceil(value)),
    "floor": lambda value: float(round(value) if compare_numbers(value, round(value)) == 0 else math.floor(value)),
}  # fmt: skip


def _call_function(function: str, arguments: list[float]) -> float:
    if function == "min":
        return min(arguments)
    if function == "max":
        return max(arguments)
    return _compute_or_raise_undefined(lambda: _PLAIN[function](arguments[0]))


def _compute_or_raise_undefined(work: Callable[[], float]) -> float:
    try:
        return _require_finite(work())
    except (ValueError, OverflowError, ZeroDivisionError) as problem:
        raise UndefinedValue(str(problem)) from None


def _require_finite(value: float) -> float:
    if not math.isfinite(value):
        raise UndefinedValue("a number that is not finite")
    return value
