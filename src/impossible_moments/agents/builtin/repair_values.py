"""Values that repair a failing condition: how far one stated number must change until it holds with a margin."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from impossible_moments.mechanics.language import UNDEFINED
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import QuantityKind
from impossible_moments.mechanics.world import WorldEngine

WANTED_MARGIN: Final = 0.15
"""The margin with which a repaired condition holds."""
_FACTORS: Final = tuple(
    sign_factor for power in range(1, 9) for sign_factor in (1.25**power, 1 / 1.25**power)
)
_FAR_FACTORS: Final = (8.0, 1 / 8, 16.0, 1 / 16, 64.0, 1 / 64, 1000.0, 1 / 1000)
_BISECTIONS: Final = 30
_DIGITS: Final = 3


def find_repair(engine: WorldEngine, tree: ex.Expression) -> tuple[str, float] | None:
    """Return the stated quantity and the nearest value with which a condition holds with `WANTED_MARGIN`.

    Quantities of things are tried before those of persons, and stated before assumed ones. Return None if no
    single change repairs the condition.
    """
    found: list[tuple[tuple[bool, bool, float], str, float]] = []
    for name in sorted(engine.world.collect_stated_quantities(tree)):
        quantity = engine.world.quantities[name]
        if not isinstance(quantity.value, float) or quantity.kind in {
            QuantityKind.STATE,
            QuantityKind.DECISION,
        }:
            continue
        value = find_value(quantity.value, partial(_holds_with_margin, engine, tree, name))
        if value is not None:
            person = name.startswith("you.")
            change = abs(value - quantity.value) / max(abs(quantity.value), 1e-12)
            found.append(((person, quantity.kind is not QuantityKind.GIVEN, change), name, value))
    if not found:
        return None
    _, name, value = min(found)
    return name, value


def find_value(stated: float, works: Callable[[float], bool]) -> float | None:
    """Return the value nearest to the stated one that works, rounded, or None if no tried factor works."""
    for factor in (*_FACTORS, *_FAR_FACTORS):
        if works(stated * factor):
            return round_towards_working(_bisect(stated, stated * factor, works), stated, works)
    return None


def _bisect(failing: float, working: float, works: Callable[[float], bool]) -> float:
    for _ in range(_BISECTIONS):
        middle = (failing + working) / 2
        if works(middle):
            working = middle
        else:
            failing = middle
    return working


def round_towards_working(value: float, stated: float, works: Callable[[float], bool]) -> float:
    """Round a value to a few digits so that it still works, away from the stated value if necessary."""
    rounded = float(f"{value:.{_DIGITS}g}")
    if works(rounded):
        return rounded
    step = 10.0 ** (len(f"{int(abs(value))}") - _DIGITS) if abs(value) >= 1 else abs(value) / 100
    further = float(f"{value + (step if value > stated else -step):.{_DIGITS}g}")
    return further if works(further) else value


def _holds_with_margin(engine: WorldEngine, tree: ex.Expression, name: str, value: float) -> bool:
    try:
        holds, margin = engine.compile_condition_judge(tree)(engine.build_start_values({name: value}))
    except UNDEFINED:
        return False
    return holds and (margin is None or margin >= WANTED_MARGIN)
