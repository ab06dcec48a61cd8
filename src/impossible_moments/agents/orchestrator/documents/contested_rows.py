"""Counterfactual variants of a contested scenario, each searched over the whole range of the dispute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from impossible_moments.agents.orchestrator.documents.counterfactual_rows import (
    NOT_SOLVABLE,
    CounterfactualRow,
    describe_changed_value,
    ends_before_it_begins,
    round_away_from_stated,
)
from impossible_moments.agents.orchestrator.documents.wording.record_wording import RecordWording
from impossible_moments.mechanics.checks import (
    BestPlansOverDispute,
    Crux,
    find_best_plans_over_dispute,
    find_dispute_changes,
    scale_quantity,
)
from impossible_moments.mechanics.execution import MinimalPlan, SearchSituation

SETTLED: Final = "settled: one plan is the best over the whole dispute"
STILL_CONTESTED: Final = "still contested, with other best plans"
MOST_ROWS: Final = 3
MOST_ALIKE: Final = 2
"""The most rows with the same outcome, if there are others."""
_MOST_SEARCHED: Final = 10
"""How many rows are searched for different outcomes."""


def select_contested_rows(rows: Iterable[CounterfactualRow]) -> tuple[CounterfactualRow, ...]:
    """Return at most three rows, of different outcomes where there are some, in the order in which they come."""
    counted: Counter[str] = Counter()
    chosen: list[CounterfactualRow] = []
    spare: list[CounterfactualRow] = []
    for row in islice(rows, _MOST_SEARCHED):
        counted[row.becomes] += 1
        (chosen if counted[row.becomes] <= MOST_ALIKE else spare).append(row)
        if len(chosen) == MOST_ROWS:
            break
    return tuple((*chosen, *spare)[:MOST_ROWS])


def iterate_contested_rows(wording: RecordWording, crux: Crux) -> Iterator[CounterfactualRow]:
    """Yield changed numbers and missing things after which the dispute is not the same one."""
    stated = find_best_plans_over_dispute(wording.analysis, crux, SearchSituation())
    if stated is None:
        return
    yield from _iterate_changed_numbers(wording, crux, stated)
    yield from _iterate_missing_things(wording, crux, stated)


def _iterate_changed_numbers(
    wording: RecordWording, crux: Crux, stated: BestPlansOverDispute
) -> Iterator[CounterfactualRow]:
    world = wording.world
    for change in find_dispute_changes(wording.analysis, crux):
        value = round_away_from_stated(world, change.quantity, change.value)
        if value is None or ends_before_it_begins(wording.analysis, change.quantity, value):
            continue
        text = describe_changed_value(
            wording, change.quantity, scale_quantity(world, change.quantity, 1.0), value
        )
        found = _describe_dispute(wording, crux, stated, SearchSituation({change.quantity: value}))
        if found is not None:
            becomes, solution = found
            yield CounterfactualRow(text, becomes, (), change.quantity, solution)


def _iterate_missing_things(
    wording: RecordWording, crux: Crux, stated: BestPlansOverDispute
) -> Iterator[CounterfactualRow]:
    """Yield what the dispute becomes without a thing that a best plan at either end uses."""
    used = {name for plan in (*crux.all_low, *crux.all_high) for name in plan.things}
    for name in sorted(used):
        thing = wording.world.things.get(name)
        if thing is None or not thing.own or thing.kind not in {"object", "substance"}:
            continue
        situation = SearchSituation(without_things=frozenset({name}))
        found = _describe_dispute(wording, crux, stated, situation)
        if found is not None:
            becomes, solution = found
            yield CounterfactualRow(f"without {thing.label}", becomes, (), name, solution)


def _describe_dispute(
    wording: RecordWording, crux: Crux, stated: BestPlansOverDispute, situation: SearchSituation
) -> tuple[str, str] | None:
    """Return what the dispute becomes and what solves it, or None if nothing changes or nothing is certain."""
    found = find_best_plans_over_dispute(wording.analysis, crux, situation)
    if found is None or found.is_same_dispute(stated):
        return None
    if found.is_impossible:
        return NOT_SOLVABLE, "no plan"
    if found.settled_by is not None:
        return SETTLED, wording.describe_plan(found.settled_by.calls)
    if not found.is_contested:
        return None
    quantity = wording.world.quantities[crux.quantity]
    ends = (
        f"at {wording.format_value(crux.quantity, value)}: {_describe_best(wording, plans)}"
        for value, plans in ((quantity.low, found.low), (quantity.high, found.high))
    )
    return STILL_CONTESTED, "; ".join(ends)


def _describe_best(wording: RecordWording, plans: tuple[MinimalPlan, ...]) -> str:
    return wording.describe_plan(plans[0].calls) if plans else "no plan"
