"""The engine: a world compiled to closures over one flat list of values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.condition_margins import (
    ConditionMarginFunction,
    MarginScale,
    compile_condition_margin,
)
from impossible_moments.mechanics.language.dimensions import TEMPERATURE
from impossible_moments.mechanics.language.expression_types import (
    ExpressionType,
    ExpressionTypeError,
    NonNumericType,
    infer_type,
)
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import (
    UNDEFINED,
    Closure,
    Value,
    Values,
    compile_expression,
)
from impossible_moments.mechanics.records.quantities import Quantity, QuantityKind
from impossible_moments.mechanics.world.world_model import AMBIENT_KELVIN, CONSTANTS, World


class WorldEngine:
    """Compiled closures of a world.

    Derived quantities that no action or rate can change are computed once, when the start values are built.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.places: dict[str, int] = {}
        self.undefined: list[str] = []
        self._live: dict[str, Closure] = {}
        self._constant_closures: list[tuple[int, Closure, str]] = []
        self._types: dict[str, ExpressionType] = {}
        self._stated_values: Values = []
        stated_values = [
            quantity for quantity in world.quantities.values() if quantity.kind is not QuantityKind.DERIVED
        ]
        for quantity in stated_values:
            self._allocate_value_index(quantity.name, quantity.value if quantity.value is not None else 0.0)
        for quantity in self._sort_derived_quantities():
            self._add_derived_quantity(quantity)
        self._nominal = self._fill_constant_derived_values(list(self._stated_values), report=True)
        # a quantity named `ambient` that is not a temperature is treated like any other
        ambient = ex.Name("ambient")
        has_ambient = "ambient" in world.quantities and self.is_temperature(ambient)
        self.scale = MarginScale(
            self.resolve_name,
            self.is_temperature,
            self.is_plain_number,
            self.compile_expression(ambient) if has_ambient else lambda _values: AMBIENT_KELVIN,
        )

    def build_start_values(self, changes: Mapping[str, Value] | None = None) -> Values:
        """Return the values at the start. `changes` replaces stated values by name."""
        if not changes:
            return list(self._nominal)
        values = list(self._stated_values)
        for name, value in changes.items():
            values[self.places[name]] = value
        return self._fill_constant_derived_values(values)

    def recompute_derived_values(self, values: Values) -> None:
        """Recompute, in place, the derived quantities after a decision was made."""
        self._fill_constant_derived_values(values)

    def compile_expression(self, tree: Expression) -> Closure:
        """Compile an expression to a closure over the list of values."""
        return compile_expression(tree, self.resolve_name)

    def compile_condition_judge(self, tree: Expression) -> ConditionMarginFunction:
        """Compile a condition to a closure that returns its truth and its margin."""
        return compile_condition_margin(tree, self.scale)

    def evaluate_expression(self, tree: Expression, values: Values | None = None) -> Value:
        """Evaluate an expression without variables, at the start unless `values` is given."""
        found: Value = self.compile_expression(tree)(values if values is not None else self._nominal)
        return found

    def get_quantity_value(self, name: str, values: Values) -> Value:
        """Return the value of a stated or derived quantity."""
        place = self.resolve_name(name)
        found: Value = values[place] if isinstance(place, int) else place(values)
        return found

    def get_quantity_type(self, name: str) -> ExpressionType:
        """Return the dimension or sort of a quantity."""
        return self._look_up_type(ex.Name(name))

    def resolve_name(self, name: str) -> int | Closure:
        """Return the index of a name in the values, or the closure that computes it."""
        if name in CONSTANTS:
            constant = CONSTANTS[name].value
            return lambda _values: constant
        live = self._live.get(name)
        return live if live is not None else self.places[name]

    def has_name(self, name: str) -> bool:
        """Return whether a name or `thing.property` exists."""
        return name in self.places or name in self._live or name in CONSTANTS

    def has_all_names(self, tree: Expression) -> bool:
        """Return whether every name that an expression reads exists."""
        return all(map(self.has_name, ex.collect_paths(tree)))

    def infer_expression_type(self, tree: Expression) -> ExpressionType:
        """Return the dimension or sort of an expression without variables."""
        return infer_type(tree, self._look_up_type)

    def is_temperature(self, tree: Expression) -> bool:
        """Return whether an expression is a temperature, whose margins are measured from ambient."""
        try:
            return self.infer_expression_type(tree) == TEMPERATURE
        except ExpressionTypeError:
            return False

    def is_plain_number(self, tree: Expression) -> bool:
        """Return whether an expression has no dimension.

        Whole plain numbers are counts and have no margin.
        """
        try:
            measured = self.infer_expression_type(tree)
        except ExpressionTypeError:
            return True
        return isinstance(measured, NonNumericType) or measured.is_plain

    @cached_property
    def decisions(self) -> tuple[Quantity, ...]:
        """The quantities that a solver may choose."""
        return tuple(
            quantity for quantity in self.world.quantities.values() if quantity.kind is QuantityKind.DECISION
        )

    def _look_up_type(self, node: ex.Name | ex.Property) -> ExpressionType:
        name = node.name if isinstance(node, ex.Name) else node.path
        if name in CONSTANTS:
            return CONSTANTS[name].dimension
        if name not in self._types:
            quantity = self.world.quantities.get(name)
            if quantity is None:
                raise ExpressionTypeError(f"unknown name `{name}`")
            self._types[name] = infer_type(quantity.tree, self._look_up_type)
        return self._types[name]

    def _allocate_value_index(self, name: str, value: Value) -> int:
        self.places[name] = len(self._stated_values)
        self._stated_values.append(value)
        return self.places[name]

    def _sort_derived_quantities(self) -> list[Quantity]:
        """Return the derived quantities, each after those it reads."""
        ordered: dict[str, Quantity] = {}

        def visit_quantity(name: str) -> None:
            quantity = self.world.quantities.get(name)
            if quantity is None or quantity.kind is not QuantityKind.DERIVED or name in ordered:
                return
            for each in sorted(ex.collect_paths(quantity.tree)):
                visit_quantity(each)
            ordered[name] = quantity

        for name in self.world.quantities:
            visit_quantity(name)
        return list(ordered.values())

    def _add_derived_quantity(self, quantity: Quantity) -> None:
        closure = self.compile_expression(quantity.tree)
        if self.world.collect_stated_quantities(quantity.tree) & self.world.mutable:
            self._live[quantity.name] = closure
        else:
            zero: Value = "" if self._look_up_type(ex.Name(quantity.name)) is NonNumericType.TEXT else 0.0
            self._constant_closures.append(
                (self._allocate_value_index(quantity.name, zero), closure, quantity.name)
            )

    def _fill_constant_derived_values(self, values: Values, *, report: bool = False) -> Values:
        for place, closure, name in self._constant_closures:
            try:
                values[place] = closure(values)
            except UNDEFINED:
                values[place] = float("nan")
                if report:
                    self.undefined.append(name)
        return values
