"""Wording of physical claims: both sides of a comparison with their owners, values and units."""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from typing import Final

from impossible_moments.agents.builtin.quantity_wording import find_names
from impossible_moments.mechanics.language import Dimension, Unit, Value, parse_unit
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import Quantity, QuantityKind
from impossible_moments.mechanics.world import CONSTANTS, WorldEngine

RELATION: Final = {
    ">=": "is at least",
    ">": "is more than",
    "<=": "is at most",
    "<": "is less than",
    "==": "equals",
    "!=": "differs from",
}
_USUAL_UNITS: Final = (
    "m", "m**2", "m**3/s", "kg/s", "m**3", "kg", "s", "m/s", "m/s**2", "N", "J", "W", "Pa", "K", "V", "A", "ohm", "C", "mol", "kg/m**3",
    "l/min", "J/K", "W/K", "eur", "bit", "lm", "Hz",
)  # fmt: skip
"""Units for computed values whose dimension no quantity of the comparison has."""

_MOST_INPUTS: Final = 3
"""How many inputs name a computed quantity that has no words of its own."""
_DERIVED: Final = "what follows from"
_UNIT_SIGNS: Final = {"percent": "%", "degC": "°C", "deg": "°"}
_POWER_SIGNS: Final = (("**2", "²"), ("**3", "³"), ("*", "·"))


class ClaimWriter:
    """Writer of comparisons as sentences, with the words that a scenario uses for its quantities."""

    def __init__(self, engine: WorldEngine, words: Mapping[str, str]) -> None:
        self.engine, self.world, self.words = engine, engine.world, words

    def describe_comparison(
        self, tree: ex.Comparison, values: list[Value], chosen: Set[str] = frozenset()
    ) -> str:
        """Describe a comparison: what each side consists of, and how the two values compare.

        `chosen` names the decisions that have been taken, so that `values` holds them. Of a conditional, only the
        branch that applies is described.
        """
        paths = self._list_read_quantities(tree)
        sides = (self._take_branches(side, values) for side in (tree.left, tree.right))
        left, right = (self._describe_parts(side, values, paths, chosen) for side in sides)
        shown = [self.format_side(side, tree, values, chosen) for side in (tree.left, tree.right)]
        relation = f"{shown[0]} {RELATION[tree.operator]} {shown[1]}"
        if left and right:
            return f"{left} against {right}: {relation}"
        named = " and ".join(self._list_words(tree, values))
        return f"{relation} ({named})" if named else relation

    def _take_branches(self, tree: ex.Expression, values: list[Value]) -> ex.Expression:
        """Return an expression in which the branches that do not apply at these values are left out."""

        def replace_truth(leaf: ex.Name | ex.Property) -> ex.Expression:
            path = leaf.name if isinstance(leaf, ex.Name) else leaf.path
            value = self.engine.get_quantity_value(path, values) if path in self.world.quantities else None
            return ex.Truth(value) if isinstance(value, bool) else leaf

        return ex.take_known_branches(ex.replace_leaves(tree, replace_truth))

    def _list_words(self, tree: ex.Expression, values: list[Value]) -> list[str]:
        """Return the words of the quantities of a comparison that have some, without their values."""
        found = (
            self._find_word(path).rstrip(":")
            for path in _list_paths_in_order(tree)
            if path in self.world.quantities
            and path not in CONSTANTS
            and not isinstance(self.engine.get_quantity_value(path, values), bool)
        )
        return list(dict.fromkeys(filter(None, found)))

    def _describe_parts(
        self, tree: ex.Expression, values: list[Value], compared: tuple[str, ...], chosen: Set[str]
    ) -> str:
        """Describe the quantities of one side, grouped by the thing they belong to."""
        by_owner: dict[str, list[str]] = {}
        for path in _list_paths_in_order(tree):
            if path in CONSTANTS or path not in self.world.quantities:
                continue
            if isinstance(self.engine.get_quantity_value(path, values), bool):
                continue
            word, value = self._find_word(path), self.format_value(path, values, compared, chosen)
            if word:
                by_owner.setdefault(path.rpartition(".")[0], []).append(f"{word} {value}")
        parts = [
            f"{self.world.things[owner].label} ({', '.join(cells)})"
            if owner in self.world.things
            else ", ".join(cells)
            for owner, cells in by_owner.items()
        ]
        return " and ".join(parts)

    def _find_word(self, path: str) -> str:
        name = path.rpartition(".")[2]
        if path not in self.words and name not in self.words:
            # what the steps have come to has no name in the text
            if path in self.world.mutable:
                return self._name_derived_quantity(path)
            return self._name_derived_quantity(path) or self._find_described_name(path)
        phrase = self.words.get(path) or self.words.get(name) or name
        return phrase.partition("|")[0].strip().replace("_", " ") or name.replace("_", " ")

    def _find_described_name(self, path: str) -> str:
        """Return what the section `wording` says that a quantity is, else its name in the record."""
        described = find_names(self.world).find_description(path)
        return f"{described}:" if described else path.rpartition(".")[2].replace("_", " ")

    def _name_derived_quantity(self, path: str) -> str:
        """Return what a quantity without words is computed from, or an empty text."""
        quantity = self.world.quantities[path]
        if quantity.kind is not QuantityKind.DERIVED:
            return ""
        stated = sorted(self.world.collect_stated_quantities(quantity.tree))
        known = [each for each in stated if each in self.words or each.rpartition(".")[2] in self.words]
        if not known:
            words = find_names(self.world).name_quantity(path, with_note=False)
            return f"{words}:" if words.startswith(_DERIVED) else ""
        named = [self._find_word(each) for each in known[:_MOST_INPUTS]]
        if len(stated) > len(named):
            named.append("other figures")
        return f"what follows from {' and '.join(named)}:"

    def format_value(
        self,
        path: str,
        values: list[Value],
        compared: tuple[str, ...] = (),
        chosen: Set[str] = frozenset(),
    ) -> str:
        """Format the value of a quantity in the unit in which it is stated, or of those it is compared with."""
        quantity = self.world.quantities[path]
        if quantity.kind is QuantityKind.DECISION and path not in chosen:
            return _format_range(quantity)
        value = self.engine.get_quantity_value(path, values)
        if isinstance(value, bool | str):
            return str(value).lower().replace("_", " ")
        unit = quantity.display_unit or self._choose_unit(ex.Name(path), compared)
        return format_number(value, unit)

    def format_rate(self, tree: ex.Expression, values: list[Value]) -> str:
        """Format the value of a rate in a unit of the quantities that it reads, or return an empty text."""
        value = self.engine.evaluate_expression(tree, values)
        unit = self._choose_unit(tree, ())
        if isinstance(value, bool | str) or unit is None or not value:
            return ""
        return format_number(value, unit)

    def format_side(
        self,
        tree: ex.Expression,
        comparison: ex.Comparison,
        values: list[Value],
        chosen: Set[str] = frozenset(),
    ) -> str:
        """Format the value of one side, in a unit of the comparison if one fits."""
        if any(
            self.world.quantities[path].kind is QuantityKind.DECISION
            for path in sorted(self.world.collect_stated_quantities(tree) - chosen)
        ):
            return f"`{ex.format_expression(tree)}`"
        value = self.engine.evaluate_expression(tree, values)
        if isinstance(value, bool | str):
            return str(value).lower()
        return format_number(value, self._choose_unit(tree, self._list_read_quantities(comparison)))

    def _list_read_quantities(self, tree: ex.Expression) -> tuple[str, ...]:
        """Return the quantities that an expression names, then those from which these are computed."""
        return (*_list_paths_in_order(tree), *sorted(self.world.collect_stated_quantities(tree)))

    def _choose_unit(self, tree: ex.Expression, paths: tuple[str, ...]) -> Unit | None:
        dimension = self.engine.infer_expression_type(tree)
        if not isinstance(dimension, Dimension):
            return None
        stated = sorted(self.world.collect_stated_quantities(tree))
        for path in (*_list_paths_in_order(tree), *paths, *stated):
            unit = self.world.quantities[path].display_unit if path in self.world.quantities else None
            if unit is not None and unit.dimension == dimension:
                return unit
        usual = map(parse_unit, _USUAL_UNITS)
        return (
            None
            if dimension.is_plain
            else next((each for each in usual if each.dimension == dimension), None)
        )


def format_number(value: float, unit: Unit | None) -> str:
    """Format a number in SI in a unit, with four digits."""
    shown = f"{float(f'{value if unit is None else unit.from_si(value):.4g}'):.10g}"
    if unit is None:
        return shown
    text = _UNIT_SIGNS.get(unit.text, unit.text)
    for plain, sign in _POWER_SIGNS:
        text = text.replace(plain, sign)
    return shown if text in {"1", "plain", ""} else f"{shown} {text}"


def _format_range(quantity: Quantity) -> str:
    if quantity.low is None or quantity.high is None:
        return "to be chosen"
    low, high = (format_number(end, quantity.display_unit) for end in (quantity.low, quantity.high))
    return f"to be chosen from {low} to {high}"


def _list_paths_in_order(tree: ex.Expression) -> tuple[str, ...]:
    found = (
        node.name if isinstance(node, ex.Name) else node.path
        for node in ex.walk_nodes(tree)
        if isinstance(node, ex.Name | ex.Property)
    )
    return tuple(dict.fromkeys(found))


_MOST_UNITS: Final = 1000
"""A duration of more units than this is written in a larger unit, although its number is less round there."""


def format_duration(seconds: float) -> str:
    """Format a duration in seconds, minutes, hours or days, whichever gives a number of few digits."""
    units = (("day", 86_400.0, 3.0), ("h", 3_600.0, 3.0), ("min", 60.0, 5.0), ("s", 1.0, 0.0))
    fitting = [(unit, seconds / size) for unit, size, least in units if seconds >= least * size]
    plain = [
        unit
        for unit, amount in fitting
        if amount < _MOST_UNITS and math.isclose(amount, round(amount, 2), rel_tol=1e-9)
    ]
    return format_number(seconds, parse_unit((plain or [unit for unit, _ in fitting])[0]))
