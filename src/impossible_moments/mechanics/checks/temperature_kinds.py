"""Temperatures and temperature differences, which have the same dimension and are varied differently.

A quantity in degC or degF is a temperature. A quantity in K is a difference, such as a tolerance, unless its value or
a comparison with a temperature shows that it is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Final

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.dimensions import TEMPERATURE
from impossible_moments.mechanics.world.world_model import World

_LOWEST_USUAL_TEMPERATURE: Final = 150.0
"""Kelvin. A smaller value in K is a difference, unless it is compared with a temperature."""


class _Kind(Enum):
    TEMPERATURE = "temperature"
    DIFFERENCE = "difference"


def is_temperature(world: World, name: str) -> bool:
    """Return whether a stated number is a temperature, and neither a difference nor of another dimension."""
    return _classify_by_value(world, name) is _Kind.TEMPERATURE or (
        _classify_by_value(world, name) is _Kind.DIFFERENCE and _is_compared_with_temperature(world, name)
    )


def _classify_by_value(world: World, name: str) -> _Kind | None:
    """Return what the unit and the value of a quantity say, or None if it has another dimension."""
    quantity = world.quantities.get(name)
    tree = quantity.tree if quantity is not None else None
    if quantity is None or not isinstance(tree, ex.Number) or tree.dimension != TEMPERATURE:
        return None
    has_scale = quantity.display_unit is not None and quantity.display_unit.offset != 0
    return (
        _Kind.TEMPERATURE if has_scale or abs(tree.value) >= _LOWEST_USUAL_TEMPERATURE else _Kind.DIFFERENCE
    )


def _is_compared_with_temperature(world: World, name: str) -> bool:
    """Return whether a condition compares the quantity itself, not a sum with it, with a temperature."""
    for tree in _iterate_conditions(world):
        for node in ex.walk_nodes(tree):
            if not isinstance(node, ex.Comparison):
                continue
            for side, other in ((node.left, node.right), (node.right, node.left)):
                if (
                    name in _list_meant_quantities(world, side)
                    and _classify(world, other) is _Kind.TEMPERATURE
                ):
                    return True
    return False


def _iterate_conditions(world: World) -> Iterator[ex.Expression]:
    yield world.goal
    yield from (rule.tree for rule in world.never_rules)
    for action in world.actions.values():
        yield from (condition.tree for condition in action.when)
    yield from (quantity.tree for quantity in world.quantities.values() if not quantity.is_number)


def _classify(world: World, tree: ex.Expression) -> _Kind | None:
    """Return what an expression stands for: a temperature plus a difference is a temperature."""
    match tree:
        case ex.Name() | ex.Property():
            kinds = {_classify_by_value(world, each) for each in _list_meant_quantities(world, tree)}
            if kinds == {None} and (derived := world.quantities.get(_get_path(tree))) is not None:
                return None if derived.tree == tree else _classify(world, derived.tree)
            return kinds.pop() if len(kinds) == 1 else None
        case ex.Arithmetic("+", left, right):
            kinds = {_classify(world, left), _classify(world, right)}
            return _Kind.TEMPERATURE if _Kind.TEMPERATURE in kinds else _Kind.DIFFERENCE
        case ex.Arithmetic("-", left, right):
            both = (_classify(world, left), _classify(world, right))
            is_shifted = both[0] is _Kind.TEMPERATURE and both[1] is not _Kind.TEMPERATURE
            return _Kind.TEMPERATURE if is_shifted else _Kind.DIFFERENCE
        case _:
            return None


def _list_meant_quantities(world: World, tree: ex.Expression) -> tuple[str, ...]:
    """Return the quantities that a name or a property stands for. A slot of an action stands for every thing."""
    match tree:
        case ex.Name(name):
            return (name,)
        case ex.Property(thing, name) if thing in world.things:
            return (f"{thing}.{name}",)
        case ex.Property(_, name):
            return tuple(path for path in world.quantities if path.endswith(f".{name}"))
        case _:
            return ()


def _get_path(tree: ex.Name | ex.Property) -> str:
    return tree.name if isinstance(tree, ex.Name) else tree.path
