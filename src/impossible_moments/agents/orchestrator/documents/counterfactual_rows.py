"""A row of the table of counterfactual variants: the change in words, at a round value beyond the turning point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.orchestrator.documents.wording.record_wording import RecordWording
from impossible_moments.mechanics.checks import WorldAnalysis, is_share, scale_quantity
from impossible_moments.mechanics.language import UNDEFINED
from impossible_moments.mechanics.world import NeverRuleSource, World

NOT_SOLVABLE: Final = "no longer solvable by these means"
ANOTHER_WAY: Final = "solvable in another way"
_DIGITS: Final = 3
_PRINTED_DIGITS: Final = 6
_FEWEST: Final = 2
"""A text that speaks of several things has no words for fewer of them."""
_BEYOND: Final = 1.1
"""A variant lies this much further from the stated value than the turning point, so that it does not rest on a tie."""


@dataclass(frozen=True, slots=True)
class CounterfactualRow:
    """A change in words, what the scenario becomes with it, and the plan that then solves it."""

    change: str
    becomes: str
    plan: tuple[str, ...] = ()
    subject: str = ""
    """The quantity, thing or premise that is changed."""
    solution: str = ""
    """What solves it, where that is not one plan."""


def describe_changed_value(wording: RecordWording, name: str, stated_value: float, value: float) -> str:
    """Describe the change of a quantity with both values, in the unit of the text."""
    before = wording.format_value(name, stated_value)
    after = wording.format_value(name, value, digits=_PRINTED_DIGITS)
    return f"{wording.name_quantity(name)}: {after} instead of {before}"


def round_away_from_stated(world: World, name: str, turning_value: float) -> float | None:
    """Round a turning point away from the stated value, in the unit in which it is written.

    Returns None if there is no such value: it would have another sign.
    """
    stated_value = scale_quantity(world, name, 1.0)
    quantity = world.quantities.get(name)
    unit = quantity.display_unit if quantity is not None else None
    beyond = stated_value + _BEYOND * (turning_value - stated_value)
    printed_value = unit.from_si(beyond) if unit is not None else beyond
    if not printed_value or not math.isfinite(printed_value):
        return None
    step = 10.0 ** (math.floor(math.log10(abs(printed_value))) - _DIGITS + 1)
    if unit is None and stated_value == round(stated_value):
        step = max(step, 1.0)  # counts are whole numbers
        if abs(printed_value) < _FEWEST <= abs(stated_value):
            return None
    round_outward = math.ceil if turning_value > stated_value else math.floor
    # Round to six digits first, so that a value that is round already stays.
    rounded = float(f"{round_outward(round(printed_value / step, 6)) * step:.{_DIGITS}g}")
    value = unit.to_si(rounded) if unit is not None else rounded
    if is_share(world, name):
        value = min(value, 1.0)
    return value if value * stated_value > 0 else None


def ends_before_it_begins(analysis: WorldAnalysis, name: str, value: float) -> bool:
    """Return whether the goal is met or a danger is there before anything is done, so that nothing is left to solve."""
    engine, world = analysis.engine, analysis.world
    start = engine.build_start_values({name: value})
    imposed = [rule.tree for rule in world.never_rules if rule.by is not NeverRuleSource.PREMISE]
    for tree in (world.goal, *imposed):
        try:
            if engine.evaluate_expression(tree, start) is True:
                return True
        except UNDEFINED:
            continue
    return False
