"""States of a world as a dictionary of values, with recursive evaluation of expressions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.quantities import Kind
from impossible_moments.mechanics.world import CONSTANTS, ELAPSED, World

Value: TypeAlias = float | bool | str
Bindings: TypeAlias = Mapping[str, Value]
"""Values of the slots of a call: names of things, or numbers."""

SAME: Final = 1e-9
"""Relative tolerance within which numbers count as equal."""
UNBOUND: Final[Bindings] = {}


class NoValue(ArithmeticError):
    """Error for an expression without a value, such as a division by zero or a missing property."""


class State:
    """All stated and changing values at one moment; derived quantities are computed when read."""

    def __init__(self, world: World, changes: Mapping[str, float] | None = None) -> None:
        self.world = world
        self.values: dict[str, Value] = {
            name: quantity.value
            for name, quantity in world.quantities.items()
            if quantity.kind is not Kind.DERIVED and quantity.value is not None
        }
        self.values.update(changes or {})

    def copy(self) -> State:
        """Return an independent copy of the state."""
        other = State.__new__(State)
        other.world, other.values = self.world, dict(self.values)
        return other

    @property
    def now(self) -> float:
        """The time since the start, in seconds."""
        return float(self.values[ELAPSED])

    def worth(self, tree: Expression, bindings: Bindings = UNBOUND) -> Value:  # noqa: C901, PLR0911 - one case per node
        """Return the value of an expression; raise `UndefinedValue` if it has none."""
        match tree:
            case ex.Number(value, _, _) | ex.Text(value) | ex.Truth(value):
                return value
            case ex.Name(name):
                return bindings[name] if name in bindings else self._named(name)
            case ex.Property():
                return self._named(path_of(tree, bindings))
            case ex.Negative(inner):
                return -self.number(inner, bindings)
            case ex.Arithmetic(operator, left, right):
                return _arithmetic(operator, self.number(left, bindings), self.number(right, bindings))
            case ex.Power(base, exponent):
                return _power(self.number(base, bindings), exponent)
            case ex.Call(function, arguments):
                return _called(function, [self.number(each, bindings) for each in arguments])
            case ex.Choice(test, then, otherwise):
                return self.worth(then if self.worth(test, bindings) else otherwise, bindings)
            case ex.Comparison(operator, left, right):
                return compared(operator, self.worth(left, bindings), self.worth(right, bindings))
            case ex.All(parts) | ex.AnyOf(parts):
                # every part is evaluated: if one is undefined, so is the whole
                truths = [self.worth(part, bindings) for part in parts]
                return all(truths) if isinstance(tree, ex.All) else any(truths)
            case ex.Not(inner):
                return not self.worth(inner, bindings)

    def number(self, tree: Expression, bindings: Bindings = UNBOUND) -> float:
        """Return the value of a numeric expression; raise `UndefinedValue` for words and truths."""
        found = self.worth(tree, bindings)
        if isinstance(found, bool | str):
            raise NoValue(f"`{ex.written(tree)}` is not a number")
        return found

    def holds(self, tree: Expression, bindings: Bindings = UNBOUND, *, undefined: bool = False) -> bool:
        """Check whether a condition holds; return `undefined` if it has no value."""
        try:
            return bool(self.worth(tree, bindings))
        except NoValue:
            return undefined

    def _named(self, name: str) -> Value:
        if name in self.values:
            return self.values[name]
        if name in CONSTANTS:
            return CONSTANTS[name].value
        quantity = self.world.quantities.get(name)
        if quantity is None:
            raise NoValue(f"no such name: `{name}`")
        return self.worth(quantity.tree)


def path_of(target: ex.Name | ex.Property, bindings: Bindings = UNBOUND) -> str:
    """Return the key of a state or property in the dictionary of values."""
    if isinstance(target, ex.Name):
        return target.name
    return f"{bindings.get(target.thing, target.thing)}.{target.name}"


def nodes(
    world: World, trees: Iterable[Expression], bindings: Bindings = UNBOUND
) -> Iterator[tuple[Expression, Bindings]]:
    """Yield every node of some expressions with its bindings, also of the derived quantities they read."""
    seen: set[str] = set()
    waiting: list[tuple[Expression, Bindings]] = [(tree, bindings) for tree in trees]
    while waiting:
        tree, bound = waiting.pop()
        yield tree, bound
        waiting += [(child, bound) for child in ex.children(tree)]
        if isinstance(tree, ex.Name | ex.Property):
            name = path_of(tree, bound)
            quantity = world.quantities.get(name)
            if quantity is not None and quantity.kind is Kind.DERIVED and name not in seen:
                seen.add(name)
                waiting.append((quantity.tree, UNBOUND))


def names_read(world: World, trees: Iterable[Expression], bindings: Bindings = UNBOUND) -> frozenset[str]:
    """Return the names that some expressions read, directly or through derived quantities."""
    return frozenset(
        path_of(node, bound)
        for node, bound in nodes(world, trees, bindings)
        if isinstance(node, ex.Name | ex.Property)
    )


def compared(operator: str, left: Value, right: Value) -> bool:
    """Evaluate a comparison; numbers count as equal within the tolerance of the language."""
    if isinstance(left, bool | str) or isinstance(right, bool | str):
        if operator not in {"==", "!="} or type(left) is not type(right):
            raise NoValue("words and truth values can only be compared with == and !=")
        return (left == right) == (operator == "==")
    sign = side(left, right)
    return {
        "<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0, "==": sign == 0, "!=": sign != 0,
    }[operator]  # fmt: skip


def side(left: float, right: float) -> int:
    """Return -1, 0 or 1 if the left is less than, equal to or more than the right."""
    if abs(left - right) <= SAME * max(abs(left), abs(right)):
        return 0
    return -1 if left < right else 1


def _arithmetic(operator: str, left: float, right: float) -> float:
    if operator == "/" and right == 0:
        raise NoValue("division by zero")
    result = {
        "+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right, "/": lambda: left / right,
    }[operator]()  # fmt: skip
    return _finite(result)


def _power(base: float, exponent: float) -> float:
    if (base < 0 and exponent != int(exponent)) or (base == 0 and exponent < 0):
        raise NoValue("undefined power")
    return _guarded(lambda: float(base**exponent))


_PLAIN: Final[Mapping[str, Callable[[float], float]]] = {
    "sqrt": math.sqrt, "abs": abs, "exp": math.exp, "log": math.log, "sin": math.sin, "cos": math.cos,
    "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan,
    # a number within the tolerance of a whole number is rounded to it
    "ceil": lambda value: float(round(value) if side(value, round(value)) == 0 else math.ceil(value)),
    "floor": lambda value: float(round(value) if side(value, round(value)) == 0 else math.floor(value)),
}  # fmt: skip


def _called(function: str, arguments: list[float]) -> float:
    if function == "min":
        return min(arguments)
    if function == "max":
        return max(arguments)
    return _guarded(lambda: _PLAIN[function](arguments[0]))


def _guarded(work: Callable[[], float]) -> float:
    try:
        return _finite(work())
    except (ValueError, OverflowError, ZeroDivisionError) as problem:
        raise NoValue(str(problem)) from None


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise NoValue("a number that is not finite")
    return value
