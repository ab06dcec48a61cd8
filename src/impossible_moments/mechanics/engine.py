"""The engine: a world compiled to closures over one flat list of values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.dimensions import TEMPERATURE
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.margins import Judge, Scale, judge
from impossible_moments.mechanics.quantities import Kind, Quantity
from impossible_moments.mechanics.scalars import UNDEFINED, Closure, Value, Values, compiled
from impossible_moments.mechanics.sorts import Sort, Type, TypeProblem, type_of
from impossible_moments.mechanics.world import AMBIENT_KELVIN, CONSTANTS, World


class Engine:
    """Compiled closures of a world.

    Derived quantities that no action or rate can change are computed once, when the start values are built.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.places: dict[str, int] = {}
        self.undefined: list[str] = []
        self._live: dict[str, Closure] = {}
        self._steady: list[tuple[int, Closure, str]] = []
        self._types: dict[str, Type] = {}
        self._stated: Values = []
        stated = [quantity for quantity in world.quantities.values() if quantity.kind is not Kind.DERIVED]
        for quantity in stated:
            self._place(quantity.name, quantity.value if quantity.value is not None else 0.0)
        for quantity in self._in_order():
            self._derive(quantity)
        self._nominal = self._filled(list(self._stated), report=True)
        # a quantity named `ambient` that is not a temperature is treated like any other
        ambient = ex.Name("ambient")
        stands = "ambient" in world.quantities and self.is_temperature(ambient)
        self.scale = Scale(
            self.resolve,
            self.is_temperature,
            self.is_plain,
            self.closure(ambient) if stands else lambda _values: AMBIENT_KELVIN,
        )

    def start(self, changes: Mapping[str, Value] | None = None) -> Values:
        """Return the values at the start. `changes` replaces stated values by name."""
        if not changes:
            return list(self._nominal)
        values = list(self._stated)
        for name, value in changes.items():
            values[self.places[name]] = value
        return self._filled(values)

    def refill(self, values: Values) -> None:
        """Recompute, in place, the derived quantities after a decision was made."""
        self._filled(values)

    def closure(self, tree: Expression) -> Closure:
        """Compile an expression to a closure over the list of values."""
        return compiled(tree, self.resolve)

    def judge(self, tree: Expression) -> Judge:
        """Compile a condition to a closure that returns its truth and its margin."""
        return judge(tree, self.scale)

    def value(self, tree: Expression, values: Values | None = None) -> Value:
        """Evaluate an expression without variables, at the start unless `values` is given."""
        found: Value = self.closure(tree)(values if values is not None else self._nominal)
        return found

    def named(self, name: str, values: Values) -> Value:
        """Return the value of a stated or derived quantity."""
        place = self.resolve(name)
        found: Value = values[place] if isinstance(place, int) else place(values)
        return found

    def type_of_name(self, name: str) -> Type:
        """Return the dimension or sort of a quantity."""
        return self._lookup(ex.Name(name))

    def resolve(self, name: str) -> int | Closure:
        """Return the index of a name in the values, or the closure that computes it."""
        if name in CONSTANTS:
            constant = CONSTANTS[name].value
            return lambda _values: constant
        live = self._live.get(name)
        return live if live is not None else self.places[name]

    def has(self, name: str) -> bool:
        """Return whether a name or `thing.property` exists."""
        return name in self.places or name in self._live or name in CONSTANTS

    def knows(self, tree: Expression) -> bool:
        """Return whether every name that an expression reads exists."""
        return all(map(self.has, ex.reads(tree)))

    def type_of(self, tree: Expression) -> Type:
        """Return the dimension or sort of an expression without variables."""
        return type_of(tree, self._lookup)

    def is_temperature(self, tree: Expression) -> bool:
        """Return whether an expression is a temperature, whose margins are measured from ambient."""
        try:
            return self.type_of(tree) == TEMPERATURE
        except TypeProblem:
            return False

    def is_plain(self, tree: Expression) -> bool:
        """Return whether an expression has no dimension.

        Whole plain numbers are counts and have no margin.
        """
        try:
            measured = self.type_of(tree)
        except TypeProblem:
            return True
        return isinstance(measured, Sort) or measured.is_plain

    @cached_property
    def decisions(self) -> tuple[Quantity, ...]:
        """The quantities that a solver may choose."""
        return tuple(
            quantity for quantity in self.world.quantities.values() if quantity.kind is Kind.DECISION
        )

    def _lookup(self, node: ex.Name | ex.Property) -> Type:
        name = node.name if isinstance(node, ex.Name) else node.path
        if name in CONSTANTS:
            return CONSTANTS[name].dimension
        if name not in self._types:
            quantity = self.world.quantities.get(name)
            if quantity is None:
                raise TypeProblem(f"unknown name `{name}`")
            self._types[name] = type_of(quantity.tree, self._lookup)
        return self._types[name]

    def _place(self, name: str, value: Value) -> int:
        self.places[name] = len(self._stated)
        self._stated.append(value)
        return self.places[name]

    def _in_order(self) -> list[Quantity]:
        """Return the derived quantities, each after those it reads."""
        ordered: dict[str, Quantity] = {}

        def visit(name: str) -> None:
            quantity = self.world.quantities.get(name)
            if quantity is None or quantity.kind is not Kind.DERIVED or name in ordered:
                return
            for each in sorted(ex.reads(quantity.tree)):
                visit(each)
            ordered[name] = quantity

        for name in self.world.quantities:
            visit(name)
        return list(ordered.values())

    def _derive(self, quantity: Quantity) -> None:
        closure = self.closure(quantity.tree)
        if self.world.bases(quantity.tree) & self.world.mutable:
            self._live[quantity.name] = closure
        else:
            zero: Value = "" if self._lookup(ex.Name(quantity.name)) is Sort.TEXT else 0.0
            self._steady.append((self._place(quantity.name, zero), closure, quantity.name))

    def _filled(self, values: Values, *, report: bool = False) -> Values:
        for place, closure, name in self._steady:
            try:
                values[place] = closure(values)
            except UNDEFINED:
                values[place] = float("nan")
                if report:
                    self.undefined.append(name)
        return values
