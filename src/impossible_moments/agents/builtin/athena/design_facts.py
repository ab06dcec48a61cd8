"""Confidence in a design, from what it states and without validating it."""

from __future__ import annotations

from typing import Final

from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign
from impossible_moments.agents.builtin.quantity_wording import format_count
from impossible_moments.mechanics.records import QuantityKind

HIGHEST_CONFIDENCE: Final = 0.95
LOWEST_CONFIDENCE: Final = 0.5
"""Below this a human decides, and no design fact speaks that strongly against a design that is handed in."""
CONFIDENCE_OF_OPEN_DESIGNS: Final = 0.6
"""The most confidence in a contested or open design, whose answer is not known."""
THIN_MARGIN: Final = 0.1
WEIGHT_OF_THIN_MARGINS: Final = 0.25
WEIGHT_OF_ESTIMATES: Final = 0.2
COST_OF_REVISION: Final = 0.05


def derive_confidence(declared: DeclaredDesign, answered_demands: int) -> tuple[float, str]:
    """Derive the confidence in a design from thin margins, estimates and demanded changes, with the reason."""
    margins = _list_decisive_margins(declared)
    thin = sum(abs(margin) < THIN_MARGIN for margin in margins)
    read = _list_quantities_read(declared)
    estimates = sum(
        declared.world.quantities[name].kind is QuantityKind.ASSUMED
        and declared.world.quantities[name].is_estimate
        for name in read
    )
    value = HIGHEST_CONFIDENCE - COST_OF_REVISION * answered_demands
    value -= WEIGHT_OF_THIN_MARGINS * thin / max(len(margins), 1)
    value -= WEIGHT_OF_ESTIMATES * estimates / max(len(read), 1)
    if declared.status in {"CT", "OF"}:
        value = min(value, CONFIDENCE_OF_OPEN_DESIGNS)
    reason = (
        f"{thin} of {len(margins)} measured conditions have a margin under {THIN_MARGIN:.0%}, {estimates} of {len(read)} "
        f"numbers are estimates, and it was changed to answer {format_count(answered_demands, 'demand')}"
    )
    return round(max(value, LOWEST_CONFIDENCE), 2), reason


def _list_decisive_margins(declared: DeclaredDesign) -> list[float]:
    stops = [declared.find_stop(name) for name in declared.traps]
    return [
        *declared.list_margins(),
        *(stop.margin for stop in stops if stop is not None and stop.margin is not None),
    ]


def _list_quantities_read(declared: DeclaredDesign) -> list[str]:
    """Return the numbers that the answering approaches read, or all approaches if none answers."""
    names = declared.answering or declared.traps
    read = {
        path
        for name in names
        for move in declared.plans[name]
        for path in declared.collect_read_quantities(move)
    }
    return sorted(path for path in read if declared.world.quantities[path].is_number)
