"""Comparisons that become claims: which of them say something, and their expression in values at the start."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign, DeclaredStep
from impossible_moments.mechanics.language import UNDEFINED, ExpressionTypeError, Value
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.world import CONSTANTS

LONGEST_EXPRESSION: Final = 200
"""Characters of an expression that an agent may be asked to judge."""
CHANGE: Final = 0.5
"""A claim that no change of a single number by this share can break states nothing."""


def is_measured(
    tree: ex.Comparison, declared: DeclaredDesign, effects: Mapping[str, ex.Expression] = MappingProxyType({})
) -> bool:
    """Return whether a comparison is one of numbers that the stated steps determine.

    `effects` holds what the steps have set or chosen.
    """
    if tree.operator not in {">=", ">", "<=", "<"} or not ex.collect_paths(tree) - CONSTANTS.keys():
        return False
    if any(isinstance(side, ex.Number) and side.value in {0, 1} for side in (tree.left, tree.right)):
        return False  # that something is there at all
    resolved = declared.replace_effects(tree, effects)
    return declared.can_evaluate(resolved) and _evaluates_to_numbers(tree, declared)


def _evaluates_to_numbers(tree: ex.Comparison, declared: DeclaredDesign) -> bool:
    try:
        sides = [declared.engine.evaluate_expression(side) for side in (tree.left, tree.right)]
    except UNDEFINED:
        return False
    return not any(isinstance(side, bool | str) for side in sides)


def is_vacuous(
    tree: ex.Comparison, declared: DeclaredDesign, approach: str, step: DeclaredStep, *, after: bool = False
) -> bool:
    """Return whether no change of a single stated number by half can break a comparison.

    The comparison is evaluated before the step, or after it if `after` is true.
    A comparison that does not hold is not vacuous: it says something that others will find to be false.
    """
    world, engine = declared.world, declared.engine
    try:
        if not engine.evaluate_expression(tree, step.values_after if after else step.values):
            return False
    except UNDEFINED:
        return True
    for name in sorted(world.collect_stated_quantities(tree)):
        value = world.quantities[name].value
        if isinstance(value, bool | str) or not value:
            continue
        for factor in (1 - CHANGE, 1 + CHANGE):
            changed = declared.list_steps(approach, {name: value * factor})[step.number - 1]
            try:
                if not engine.evaluate_expression(tree, changed.values_after if after else changed.values):
                    return False
            except UNDEFINED:
                return False
    return True


def format_checked_expression(tree: ex.Expression, declared: DeclaredDesign, approach: str) -> str:
    """Return the expression of a claim. A disputed value is replaced by the end of its range that is meant.

    Return an empty text if it is too long to judge, has no type, or if nothing of the world is left in it.
    """
    end = declared.get_end_of_disputed_range(approach) if approach in declared.answering else {}
    if end.keys() & declared.world.collect_stated_quantities(tree):
        tree = _replace_by_values(declared.world.expand_derived_quantities(tree), end, declared)
    text = ex.format_expression(tree)
    is_short = len(text) <= LONGEST_EXPRESSION and "[SI]" not in text
    can_be_judged = is_short and bool(ex.collect_paths(tree) - CONSTANTS.keys()) and _has_type(tree, declared)
    return text if can_be_judged else ""


def _has_type(tree: ex.Expression, declared: DeclaredDesign) -> bool:
    """Return whether both sides of a comparison have the same dimension."""
    try:
        declared.engine.infer_expression_type(tree)
    except ExpressionTypeError:
        return False
    return True


def _replace_by_values(
    tree: ex.Expression, values: Mapping[str, Value], declared: DeclaredDesign
) -> ex.Expression:
    def replace_leaf(node: ex.Name | ex.Property) -> ex.Expression:
        name = node.name if isinstance(node, ex.Name) else node.path
        if name not in values:
            return node
        unit, value = declared.world.quantities[name].display_unit, float(values[name])
        if unit is None:
            return ex.Number(value)
        return ex.Number(value, unit.dimension, f"{unit.from_si(value):.10g}[{unit.text}]")

    return ex.replace_leaves(tree, replace_leaf)
