"""The box of a proof: the admissible range of every uncertain quantity of a world."""

from __future__ import annotations

from collections.abc import Mapping

from impossible_moments.mechanics.language.interval_evaluation import KnownValue
from impossible_moments.mechanics.records.quantities import Quantity, QuantityKind


def build_admissible_box(
    quantities: Mapping[str, Quantity], *, estimates_doubled: bool = True, names: frozenset[str] | None = None
) -> dict[str, KnownValue]:
    """Return the box of all quantities: ranges for those that are not known exactly, else single values.

    With `estimates_doubled` the ranges of estimates are doubled, because no source supports them. `names`
    restricts ranges to these names; all others have their stated values.
    """
    box: dict[str, KnownValue] = {}
    for name, quantity in quantities.items():
        value = quantity.value
        if value is None:
            continue
        words = frozenset(option for option in quantity.options if isinstance(option, str))
        if words:
            box[name] = words
        elif any(isinstance(option, bool) for option in quantity.options):
            continue
        elif not isinstance(value, float):
            box[name] = value
        elif quantity.kind is QuantityKind.DECISION:
            box[name] = _get_decision_bounds(quantity)
        elif (
            quantity.kind in {QuantityKind.ASSUMED, QuantityKind.DISPUTED}
            and quantity.low is not None
            and quantity.high is not None
            and (names is None or name in names)
        ):
            is_doubled = estimates_doubled and quantity.is_estimate and quantity.kind is QuantityKind.ASSUMED
            box[name] = (
                _double_range(value, quantity.low, quantity.high)
                if is_doubled
                else (quantity.low, quantity.high)
            )
        else:
            box[name] = (value, value)
    return box


def _get_decision_bounds(quantity: Quantity) -> KnownValue:
    numbers = [value for value in quantity.options if isinstance(value, float)]
    if numbers:
        return min(numbers), max(numbers)
    return quantity.low or 0.0, quantity.high or 0.0


def _double_range(value: float, low: float, high: float) -> tuple[float, float]:
    """Return a range twice as wide on either side. A positive quantity stays positive."""
    wider = (value - 2 * (value - low), value + 2 * (high - value))
    return (low / 2 if low > 0 >= wider[0] else max(wider[0], low / 2) if low > 0 else wider[0]), wider[1]
