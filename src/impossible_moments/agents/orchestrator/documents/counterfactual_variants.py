"""Counterfactual variants: up to three changes that turn a scenario into another one, each searched anew."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final

from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.solution_plans import describe_premises
from impossible_moments.agents.orchestrator.documents.wording.record_wording import RecordWording
from impossible_moments.mechanics.checks import (
    OutcomeFlip,
    StatusVerdict,
    WorldAnalysis,
    find_counterfactual_variants,
    find_numbers_read_by_moves,
    scale_quantity,
)
from impossible_moments.mechanics.execution import SearchBounds, SearchSituation
from impossible_moments.mechanics.language import Value
from impossible_moments.mechanics.records import QuantityKind
from impossible_moments.scenarios import join_paragraphs, render_table

MOST_VARIANTS: Final = 3
MOST_ALIKE: Final = 2
"""The most variants with the same outcome, if there are others."""
_DIGITS: Final = 3
_PRINTED_DIGITS: Final = 6
_NODES: Final = 60_000
_HALF: Final = 0.5


@dataclass(frozen=True, slots=True)
class CounterfactualRow:
    """A change in words, what the scenario becomes with it, and the plan that then solves it."""

    change: str
    becomes: str
    plan: tuple[str, ...] = ()
    subject: str = ""
    """The quantity, thing or premise that is changed."""


def render_counterfactual_table(case: FinishedCase) -> str:
    """Render the variants as a table, and say if all of them end alike."""
    wording, verdict = case.wording, case.report.verdict
    if wording is None or verdict is None:
        return "Nothing was computed, so no variant is known."
    found = find_counterfactuals(wording, verdict)
    if not found:
        return "No number and no thing of this scenario decides its outcome."
    rows = (
        (each.change, each.becomes, wording.describe_plan(each.plan) if each.plan else "no plan")
        for each in found
    )
    return join_paragraphs(
        "Each is a scenario of its own, computed within the same library:",
        render_table(("Change", "Becomes", "Solved by"), rows),
        _describe_uniform_outcome(found, is_solvable=bool(verdict.ways)),
    )


def _describe_uniform_outcome(found: tuple[CounterfactualRow, ...], *, is_solvable: bool) -> str:
    if len({each.becomes for each in found}) > 1:
        return ""
    if is_solvable and found and found[0].becomes != "impossible":
        return ""
    if is_solvable:
        return "As stated it is solvable; every single change that was found to matter makes it impossible."
    if all("impossible" in each.becomes for each in found):
        return "No change of a single number by a factor of up to ten makes it solvable."
    return "As stated it is impossible; each of these changes makes it solvable."


def find_counterfactuals(wording: RecordWording, verdict: StatusVerdict) -> tuple[CounterfactualRow, ...]:
    """Find at most three variants, of different outcomes where the record allows it.

    Numbers that flip the outcome come first, the nearest first, then a dropped premise, a missing thing and a
    number that decides nothing when halved.
    """
    flips = list(islice(_iterate_flipped_numbers(wording, verdict), MOST_VARIANTS))
    chosen = flips[:MOST_ALIKE]
    known = {each.becomes for each in chosen}
    further = next(
        (each for each in _iterate_other_variants(wording, verdict, chosen) if each.becomes not in known),
        None,
    )
    chosen += [further] if further is not None else flips[MOST_ALIKE:]
    if len(chosen) < MOST_VARIANTS:
        chosen += islice(_iterate_other_variants(wording, verdict, chosen), MOST_VARIANTS - len(chosen))
    return tuple(chosen)


def _iterate_flipped_numbers(wording: RecordWording, verdict: StatusVerdict) -> Iterator[CounterfactualRow]:
    for variant in find_counterfactual_variants(wording.analysis, verdict):
        flipped = _search_variant_beyond_flip(wording, variant)
        if flipped is not None:
            yield flipped


def _iterate_other_variants(
    wording: RecordWording, verdict: StatusVerdict, chosen: list[CounterfactualRow]
) -> Iterator[CounterfactualRow]:
    """Yield variants that change something else than the chosen ones do."""
    subjects = {each.subject for each in chosen}
    variants = chain(
        _iterate_premise_variants(wording, verdict),
        _iterate_missing_thing_variants(wording, verdict),
        _iterate_halved_number_variants(wording, verdict),
    )
    return (each for each in variants if each.subject not in subjects)


def _iterate_premise_variants(wording: RecordWording, verdict: StatusVerdict) -> Iterator[CounterfactualRow]:
    if verdict.outside is not None:
        change = f"without the premise {describe_premises(wording, verdict)}"
        yield CounterfactualRow(change, "solvable", verdict.outside.calls, "premise")


def _search_variant_beyond_flip(wording: RecordWording, variant: OutcomeFlip) -> CounterfactualRow | None:
    """Search the variant at a round value beyond the flip, so that the printed value is the computed one.

    Returns None if that value does not give the variant's outcome, or has another sign than the stated one.
    """
    analysis = wording.analysis
    stated_value = scale_quantity(analysis.world, variant.quantity, 1.0)
    value = _round_away_from_stated(analysis, variant, stated_value)
    if value is None or value * stated_value <= 0:
        return None
    bounds = SearchBounds(nodes=_NODES)
    plan = analysis.searcher.find_plan(bounds, SearchSituation({variant.quantity: value}))
    if (plan is None) is not (variant.becomes == "impossible") or not bounds.exhausted:
        return None
    if variant.becomes == "impossible" and not _is_impossible_for_every_choice(
        analysis, {variant.quantity: value}
    ):
        return None
    calls = tuple(move.text for move in plan) if plan else ()
    change = _describe_changed_value(wording, variant.quantity, stated_value, value)
    return CounterfactualRow(change, variant.becomes, calls, variant.quantity)


def _is_impossible_for_every_choice(analysis: WorldAnalysis, changes: dict[str, Value]) -> bool:
    """Return whether nothing works at either end of every disputed range, and nothing is chosen by the solver.

    A solver may choose a value that the search does not try, so nothing follows from it.
    """
    quantities = analysis.world.quantities.values()
    if any(each.kind is QuantityKind.DECISION for each in quantities):
        return False
    for quantity in quantities:
        if quantity.kind is not QuantityKind.DISPUTED:
            continue
        for end in (quantity.low, quantity.high):
            bounds = SearchBounds(nodes=_NODES)
            situation = SearchSituation({**changes, quantity.name: end} if end is not None else changes)
            if analysis.searcher.find_plan(bounds, situation) is not None or not bounds.exhausted:
                return False
    return True


def _describe_changed_value(wording: RecordWording, name: str, stated_value: float, value: float) -> str:
    before = wording.format_value(name, stated_value)
    after = wording.format_value(name, value, digits=_PRINTED_DIGITS)
    return f"{wording.name_quantity(name)}: {after} instead of {before}"


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
    wording: RecordWording, verdict: StatusVerdict
) -> Iterator[CounterfactualRow]:
    """Yield what the scenario becomes without a thing that the first plan uses."""
    if not verdict.ways:
        return
    analysis = wording.analysis
    for name in sorted(verdict.ways[0].things):
        thing = analysis.world.things.get(name)
        if thing is None or not thing.own or thing.kind not in {"object", "substance"}:
            continue
        bounds = SearchBounds(nodes=_NODES)
        plan = analysis.searcher.find_plan(bounds, SearchSituation(without_things=frozenset({name})))
        if bounds.exhausted and (plan or not _has_disputed_quantity(analysis)):
            calls = tuple(move.text for move in plan) if plan else ()
            becomes = "solvable in another way" if plan else "impossible"
            yield CounterfactualRow(f"without {thing.label}", becomes, calls, name)


def _has_disputed_quantity(analysis: WorldAnalysis) -> bool:
    return any(each.kind is QuantityKind.DISPUTED for each in analysis.world.quantities.values())


def _iterate_halved_number_variants(
    wording: RecordWording, verdict: StatusVerdict
) -> Iterator[CounterfactualRow]:
    """Yield numbers of the record that decide nothing even when halved."""
    analysis, world = wording.analysis, wording.world
    for name in find_numbers_read_by_moves(world, analysis.searcher.moves):
        owner = world.things.get(name.partition(".")[0])
        stated_value, value = scale_quantity(world, name, 1.0), scale_quantity(world, name, _HALF)
        if world.quantities[name].kind is QuantityKind.DISPUTED:
            continue
        is_count = world.quantities[name].display_unit is None and stated_value == round(stated_value)
        if (
            value == stated_value
            or (owner is not None and not owner.own)
            or (is_count and value != round(value))
        ):
            continue
        bounds = SearchBounds(nodes=_NODES)
        plan = analysis.searcher.find_plan(bounds, SearchSituation({name: value}))
        if bounds.exhausted and bool(plan) is bool(verdict.ways):
            calls = tuple(move.text for move in plan) if plan else ()
            change = _describe_changed_value(wording, name, stated_value, value)
            yield CounterfactualRow(change, "still solvable" if plan else "still impossible", calls, name)
