"""Amounts of a text, compared with the values of a record and with the figures that a situation prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from impossible_moments.audit.numbers import Amount
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.mechanics.language import TIME, Dimension
from impossible_moments.mechanics.records import Quantity, QuantityKind
from impossible_moments.mechanics.world import World

ROUNDING: Final = 0.03
"""Relative difference that counts as rounding."""


def is_known_amount(amount: Amount, key: AnswerKey, further: Iterable[Quantity] = ()) -> bool:
    """Return whether an amount is the available time, or a value of the situation or of further quantities."""
    return _is_known(amount, (*further, *_iterate_stated_quantities(key.analysis.world)), key)


def is_printed_amount(amount: Amount, printed: Iterable[Amount]) -> bool:
    """Return whether the text of the situation prints an amount."""
    return any(
        bool(each.unit) == bool(amount.unit)
        and each.dimension == amount.dimension
        and _overlaps(amount.si, *each.si)
        for each in printed
    )


def agrees_with_quantity(amount: Amount, quantity: Quantity) -> bool:
    """Return whether an amount is the value of a quantity or within its range, up to rounding."""
    value, unit = quantity.value, quantity.display_unit
    if unit is None or isinstance(value, bool) or not isinstance(value, int | float):
        return False
    low = quantity.low if quantity.low is not None else float(value)
    high = quantity.high if quantity.high is not None else float(value)
    if unit.offset:
        # a scale with an offset is compared as printed
        return _overlaps((amount.low, amount.high), unit.from_si(low), unit.from_si(high))
    return _overlaps(amount.si, low, high)


def _overlaps(stated: tuple[float, float], low: float, high: float) -> bool:
    """Return whether two ranges overlap, up to rounding. A negative amount is often written without its sign."""
    least, most = sorted((abs(low), abs(high)))
    slack = ROUNDING * max(most, 1e-12)
    first, last = sorted(map(abs, stated))
    return first <= most + slack and last >= least - slack


def _iterate_stated_quantities(world: World) -> Iterator[Quantity]:
    """Yield the quantities that the situation states. Abilities and materials of the library are not among them."""
    for path, quantity in world.quantities.items():
        if "." not in path or quantity.kind is QuantityKind.GIVEN:
            yield quantity


def find_dimension(quantity: Quantity) -> Dimension | None:
    """Return the dimension in which a quantity is stated, or None if it is stated without a unit."""
    return None if quantity.display_unit is None else quantity.display_unit.dimension


def _is_known(amount: Amount, known: Iterable[Quantity], key: AnswerKey) -> bool:
    """Return whether an amount is the available time, or a value or within the range of a known quantity."""
    if amount.dimension == TIME and key.time is not None and _overlaps(amount.si, key.time, key.time):
        return True
    return any(
        agrees_with_quantity(amount, each) for each in known if find_dimension(each) == amount.dimension
    )
