"""What mathematics computes about the subjects that a claim without an expression names in backticks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from impossible_moments.agents.builtin.euler.record_workings import RecordWorkings
from impossible_moments.agents.builtin.quantity_wording import format_number, format_quantity
from impossible_moments.mechanics.checks import StatusVerdict, WorldAnalysis
from impossible_moments.mechanics.execution import MinimalPlan
from impossible_moments.mechanics.language import Value
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.world import NeverRule

_QUOTED: Final = re.compile(r"`([^`]+)`")


def describe_claim_subjects(text: str, workings: RecordWorkings) -> Iterator[str]:
    """Yield a sentence for each subject of a claim that the verdict, an execution or a solved puzzle measures."""
    analysis, verdict = workings.analysis, workings.verdict
    if analysis is None or verdict is None:
        return
    named = tuple(dict.fromkeys(_QUOTED.findall(text)))
    for name in named:
        yield from _describe_limit(name, verdict)
        yield from _describe_dispute(name, analysis, verdict)
        yield from _describe_puzzle(name, analysis)
    yield from _describe_conflict(named, verdict)
    yield from _describe_best_plans(named, analysis, verdict)
    yield from _describe_danger_clock(named, analysis)
    yield from _describe_premise(named, analysis, verdict)


def _describe_limit(name: str, verdict: StatusVerdict) -> Iterator[str]:
    """Yield by which factor an answer to an open question must pass a known limit, or what example meets a demand."""
    frontier = verdict.frontier
    if frontier is None:
        return
    if name in frontier.known:
        gap = frontier.gaps.get(name)
        yield (
            f"An answer must pass `{name}` by a factor of at least {gap:.3g}, as the solver finds."
            if gap is not None
            else f"An answer must pass `{name}`; by how much depends on its other values."
        )
    elif name in frontier.envelope:
        values = ", ".join(
            f"{each.replace('_', ' ')} {format_number(value, frontier.claims[each].display_unit)}"
            for each, value in sorted(frontier.example.items())
            if each in frontier.claims
        )
        yield f"`{name}` can be met together with all other demands" + (
            f", for instance at {values}." if values else "."
        )


def _describe_dispute(name: str, analysis: WorldAnalysis, verdict: StatusVerdict) -> Iterator[str]:
    if verdict.crux is not None and verdict.crux.quantity == name:
        quantity = analysis.world.quantities[name]
        ends = " to ".join(
            format_quantity(analysis.world, name, end)
            for end in (quantity.low, quantity.high)
            if end is not None
        )
        yield f"Over the range {ends} (`{name}`) {_describe_changes_of_best_plan(name, analysis)}."


def _describe_changes_of_best_plan(name: str, analysis: WorldAnalysis) -> str:
    """Describe every value at which the best plan changes, and every interval in which no plan works."""
    intervals = analysis.crux_intervals
    bounds = [format_quantity(analysis.world, name, each.high) for each in intervals[:-1]]
    if len(bounds) == 1 and all(each.best for each in intervals):
        return f"the best plan changes once, at {bounds[0]}"
    openings = [
        f"up to {bounds[0]}",
        *(f"from {low} to {high}" for low, high in pairwise(bounds)),
        f"above {bounds[-1]}",
    ]
    parts = [
        f"{opening} {_name_best_plan(each.best, analysis)}"
        for opening, each in zip(openings, intervals, strict=True)
    ]
    return f"the best plan is: {'; '.join(parts)}"


def _name_best_plan(best: tuple[MinimalPlan, ...], analysis: WorldAnalysis) -> str:
    if not best:
        return "none, because no plan works"
    names = (
        name
        for name, plan in analysis.plans.items()
        if sorted(move.text for move in plan) == sorted(best[0].calls)
    )
    return next((f"`{name}`" for name in names), " then ".join(best[0].calls))


def _describe_puzzle(name: str, analysis: WorldAnalysis) -> Iterator[str]:
    puzzle = analysis.world.puzzles.get(name)
    if puzzle is not None and puzzle.exhausted:
        count = len(puzzle.answers)
        yield (
            f"All candidates were tried against the clues of `{name}`: {count or 'none'} "
            f"{'agrees' if count == 1 else 'agree'} with every one of them."
        )


def _describe_conflict(named: tuple[str, ...], verdict: StatusVerdict) -> Iterator[str]:
    """Yield how many of the conditions that stop all plans a claim names."""
    found = verdict.impossibility
    if found is None or not found.proved:
        return
    blocking = found.blocking_conditions
    count = sum(name in blocking for name in named)
    if count:
        yield (
            f"The proof follows every plan, and {len(blocking)} conditions stop them all; "
            f"the claim names {count if count < len(blocking) else 'all'} of these."
        )


def _describe_best_plans(
    named: tuple[str, ...], analysis: WorldAnalysis, verdict: StatusVerdict
) -> Iterator[str]:
    """Yield at which end of the disputed range each named approach is the best plan."""
    crux = verdict.crux
    if crux is None:
        return
    quantity = analysis.world.quantities[crux.quantity]
    for end, value, plans in (("low", quantity.low, crux.all_low), ("high", quantity.high, crux.all_high)):
        for name in named:
            calls = tuple(move.text for move in analysis.plans.get(name, ()))
            if plans and value is not None and calls == plans[0].calls:
                others = _count_other_working_approaches(name, analysis, {crux.quantity: value})
                beside = (
                    f"and {others} other listed plan{'s reach' if others > 1 else ' reaches'} the goal there as well"
                    if others
                    else "and no other listed plan reaches the goal there"
                )
                yield f"At its {end} end `{name}` is the best plan, {beside}."


def _count_other_working_approaches(name: str, analysis: WorldAnalysis, changes: dict[str, Value]) -> int:
    return sum(
        analysis.executor.run_plan(plan, changes=changes).reaches_goal
        for other, plan in analysis.plans.items()
        if other != name
    )


def _describe_danger_clock(named: tuple[str, ...], analysis: WorldAnalysis) -> Iterator[str]:
    """Yield how near the approaches come to a danger that comes by itself: those that reach the goal, and the others."""
    world, engine = analysis.world, analysis.engine
    for rule in world.never_rules:
        if rule.name not in named:
            continue
        ended = sum(outcome.end == f"never {rule.name}" for outcome in analysis.outcomes.values())
        total = len(analysis.outcomes)
        share = "none" if not ended else "all" if ended == total else f"{ended}"
        count = f"{share} of the {total} listed approaches {'ends' if ended == 1 else 'end'} in this danger"
        clocks = [name for name in named if name in world.rates and name in engine.places]
        nearest = [text for name in clocks if (text := _describe_nearest_end(name, rule, analysis))]
        yield f"Executed, {count}" + (f"; {'; '.join(nearest)}." if nearest else ".")


def _describe_nearest_end(name: str, rule: NeverRule, analysis: WorldAnalysis) -> str:
    """Return the value nearest to a danger with which an approach reaches the goal, or an empty text."""
    place = analysis.engine.places[name]
    ends = [
        float(outcome.values[place])
        for outcome in analysis.outcomes.values()
        if outcome.reaches_goal and outcome.values
    ]
    operators = {
        node.operator
        for node in ex.walk_nodes(rule.tree)
        if isinstance(node, ex.Comparison) and node.left == ex.Name(name)
    }
    if not ends or not operators:
        return ""
    is_upper = bool(operators & {">", ">="})
    bound, relation = (max(ends), "at most") if is_upper else (min(ends), "at least")
    shown = format_quantity(analysis.world, name, bound)
    return f"in those that reach the goal, `{name}` ends at {shown} {relation}"


def _describe_premise(
    named: tuple[str, ...], analysis: WorldAnalysis, verdict: StatusVerdict
) -> Iterator[str]:
    if verdict.outside is None or not any(name in analysis.plans for name in named):
        return
    outcome = analysis.executor.run_plan(verdict.outside.plan, lifted=frozenset(verdict.premises))
    margin = (
        ""
        if outcome.least_margin is None
        else f", with {outcome.least_margin:.0%} to spare at its tightest condition"
    )
    yield f"With the premise enforced a search of all plans finds none; without it one reaches the goal{margin}."
