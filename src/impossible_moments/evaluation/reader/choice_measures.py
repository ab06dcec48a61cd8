"""What a count or a share measures: how much one tooth of a rack is, or the whole of which a share is chosen."""

from __future__ import annotations

from collections.abc import Iterator

from impossible_moments.evaluation.reader.computed_values import ComputedValue
from impossible_moments.mechanics.language import Expression
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.world import World


def find_measures_of_choice(name: str, world: World) -> frozenset[ComputedValue]:
    """Return the stated quantities in whose measure a chosen number is counted.

    The record multiplies the number with such a quantity, or compares it with something divided by the quantity.
    """
    trees = list(_iterate_trees(world))
    paths = {
        path
        for tree in trees
        for path in (*_iterate_factors(name, tree), *_iterate_divisors(name, tree, world))
    }
    return frozenset(
        ComputedValue(float(value), quantity.display_unit.dimension)
        for path in paths
        if (quantity := world.quantities.get(path)) is not None
        and quantity.display_unit is not None
        and isinstance(value := quantity.value, int | float)
    )


def _iterate_trees(world: World) -> Iterator[Expression]:
    yield from (each.tree for each in world.quantities.values())
    for action in world.actions.values():
        yield from (each.tree for each in action.when)
        yield from (each.tree for each in action.then)


def _iterate_factors(name: str, tree: Expression) -> Iterator[str]:
    """Yield the quantities with which a number is multiplied."""
    for node in ex.walk_nodes(tree):
        match node:
            case ex.Arithmetic("*", ex.Name(left), ex.Name(right)) if name in {left, right}:
                yield right if left == name else left
            case _:
                continue


def _iterate_divisors(name: str, tree: Expression, world: World) -> Iterator[str]:
    """Yield the quantities by which something is divided with which a number is compared."""
    for node in ex.walk_nodes(tree):
        match node:
            case ex.Comparison(_, ex.Name(left), other) if left == name:
                compared = other
            case ex.Comparison(_, other, ex.Name(right)) if right == name:
                compared = other
            case _:
                continue
        derived = (
            world.quantities[path].tree for path in ex.collect_paths(compared) if path in world.quantities
        )
        for each in (compared, *derived):
            match each:
                case ex.Arithmetic("/", _, ex.Name(divisor)):
                    yield divisor
                case _:
                    continue
