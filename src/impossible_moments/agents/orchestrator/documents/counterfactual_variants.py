"""Counterfactual variants: up to three changes that turn a scenario into another one, each searched anew."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from impossible_moments.mechanics.checks import (
    CheckReport,
    OutcomeFlip,
    StatusVerdict,
    WorldAnalysis,
    find_counterfactual_variants,
    find_numbers_read_by_moves,
    scale_quantity,
)
from impossible_moments.mechanics.execution import SearchBounds, SearchSituation
from impossible_moments.mechanics.world import format_quantity_value
from impossible_moments.scenarios import join_paragraphs, render_table

MOST_VARIANTS: Final = 3
_DIGITS: Final = 3
_NODES: Final = 60_000
_HALF: Final = 0.5


@dataclass(frozen=True, slots=True)
class CounterfactualRow:
    """A change, what the scenario becomes with it, and the plan that then solves it."""

    change: str
    becomes: str
    plan: tuple[str, ...] = ()


def render_counterfactual_table(report: CheckReport) -> str:
    """Render the variants as a table."""
    if report.analysis is None or report.verdict is None:
        return "Nothing was computed, so no variant is known."
    found = find_counterfactuals(report.analysis, report.verdict)
    if not found:
        return "No number and no thing of this scenario decides its outcome."
    rows = (
        (each.change, each.becomes, f"`{' then '.join(each.plan)}`" if each.plan else "no plan")
        for each in found
    )
    return join_paragraphs(
        "Each is a scenario of its own, computed within the same library:",
        render_table(("Change", "Becomes", "Solved by"), rows),
    )


def find_counterfactuals(analysis: WorldAnalysis, verdict: StatusVerdict) -> tuple[CounterfactualRow, ...]:
    """Find at most three variants.

    Numbers that flip the outcome come first, the nearest first, then a dropped premise, a missing thing and a
    halved number.
    """
    return tuple(islice(_iterate_counterfactuals(analysis, verdict), MOST_VARIANTS))


def _iterate_counterfactuals(analysis: WorldAnalysis, verdict: StatusVerdict) -> Iterator[CounterfactualRow]:
    has_rows = False
    for variant in find_counterfactual_variants(analysis, verdict):
        flipped = _search_variant_beyond_flip(analysis, variant)
        if flipped is not None:
            has_rows = True
            yield flipped
    if verdict.outside is not None:
        names = ", ".join(f"`{name}`" for name in verdict.premises)
        yield CounterfactualRow(f"without the premise {names}", "solvable", verdict.outside.calls)
    yield from _iterate_missing_thing_variants(analysis, verdict)
    if not has_rows:
        yield from _iterate_halved_number_variants(analysis, verdict)


def _search_variant_beyond_flip(analysis: WorldAnalysis, variant: OutcomeFlip) -> CounterfactualRow | None:
    """Search the variant at a round value beyond the flip, so that the printed value is the computed one.

    Returns None if that value does not give the variant's outcome.
    """
    world = analysis.world
    stated_value = scale_quantity(world, variant.quantity, 1.0)
    value = _round_away_from_stated(analysis, variant, stated_value)
    if value is None:
        return None
    bounds = SearchBounds(nodes=_NODES)
    plan = analysis.searcher.find_plan(bounds, SearchSituation({variant.quantity: value}))
    if (plan is None) is not (variant.becomes == "impossible") or not bounds.exhausted:
        return None
    before, after = (format_quantity_value(world, variant.quantity, each) for each in (stated_value, value))
    calls = tuple(move.text for move in plan) if plan else ()
    return CounterfactualRow(f"`{after}` instead of `{before}`", variant.becomes, calls)


def _round_away_from_stated(
    analysis: WorldAnalysis, variant: OutcomeFlip, stated_value: float
) -> float | None:
    """Round a variant's value away from the stated one, in the unit in which it is written."""
    quantity = analysis.world.quantities.get(variant.quantity)
    unit = quantity.display_unit if quantity is not None else None
    printed_value = unit.from_si(variant.value) if unit is not None else variant.value
    if not printed_value or not math.isfinite(printed_value):
        return None
    step = 10.0 ** (math.floor(math.log10(abs(printed_value))) - _DIGITS + 1)
    if unit is None and stated_value == round(stated_value):
        step = max(step, 1.0)  # counts are whole numbers
    round_outward = math.ceil if variant.value > stated_value else math.floor
    # Round to six digits first, so that a value that is round already stays.
    rounded = float(f"{round_outward(round(printed_value / step, 6)) * step:.{_DIGITS}g}")
    if unit is None and 0 < stated_value < 1 and not 0 <= rounded <= 1:
        return None  # a share lies between 0 and 1
    return unit.to_si(rounded) if unit is not None else rounded


def _iterate_missing_thing_variants(
    analysis: WorldAnalysis, verdict: StatusVerdict
) -> Iterator[CounterfactualRow]:
    """Yield what the scenario becomes without a thing that the first plan uses."""
    if not verdict.ways:
        return
    things = analysis.world.things
    for name in sorted(verdict.ways[0].things):
        thing = things.get(name)
        if thing is None or not thing.own or thing.kind not in {"object", "substance"}:
            continue
        bounds = SearchBounds(nodes=_NODES)
        plan = analysis.searcher.find_plan(bounds, SearchSituation(without_things=frozenset({name})))
        if bounds.exhausted:
            calls = tuple(move.text for move in plan) if plan else ()
            yield CounterfactualRow(f"without `{name}`", "solvable" if plan else "impossible", calls)


def _iterate_halved_number_variants(
    analysis: WorldAnalysis, verdict: StatusVerdict
) -> Iterator[CounterfactualRow]:
    """Yield numbers of the record that decide nothing even when halved."""
    world = analysis.world
    for name in find_numbers_read_by_moves(world, analysis.searcher.moves):
        owner = world.things.get(name.partition(".")[0])
        stated_value, value = scale_quantity(world, name, 1.0), scale_quantity(world, name, _HALF)
        if value == stated_value or (owner is not None and not owner.own):
            continue
        bounds = SearchBounds(nodes=_NODES)
        plan = analysis.searcher.find_plan(bounds, SearchSituation({name: value}))
        if bounds.exhausted and bool(plan) is bool(verdict.ways):
            calls = tuple(move.text for move in plan) if plan else ()
            change = f"`{format_quantity_value(world, name, value)}` instead of `{format_quantity_value(world, name, stated_value)}`"
            yield CounterfactualRow(change, "still solvable" if plan else "still impossible", calls)
