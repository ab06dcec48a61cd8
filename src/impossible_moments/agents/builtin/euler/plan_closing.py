"""Values that close an unwanted plan or open a failing one, found by executing the plans at changed values."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from impossible_moments.agents.builtin.euler.record_workings import AnsweringPlan, RecordWorkings
from impossible_moments.agents.builtin.quantity_wording import format_quantity
from impossible_moments.agents.builtin.repair_values import WANTED_MARGIN, find_value
from impossible_moments.mechanics.checks import WorldAnalysis, find_numbers_read_by_moves
from impossible_moments.mechanics.execution import PlanOutcome
from impossible_moments.mechanics.language import UNDEFINED
from impossible_moments.mechanics.records import QuantityKind

MOST_TRIED = 12
"""The most quantities that are tried for one plan."""


def propose_closing_value(workings: RecordWorkings, plan: AnsweringPlan) -> tuple[str, str] | None:
    """Return a quantity and the nearest value at which a plan fails while every plan of the sketch still works."""
    analysis = workings.analysis
    if analysis is None:
        return None
    return _find_nearest_change(analysis, plan, partial(_closes, analysis, workings, plan))


def propose_opening_value(workings: RecordWorkings, plan: AnsweringPlan) -> tuple[str, str] | None:
    """Return a quantity and the nearest value at which a failing plan reaches the goal.

    A late plan must then leave `WANTED_MARGIN` of its deadline, and the condition that stopped a blocked plan must
    hold with this margin.
    """
    analysis = workings.analysis
    if analysis is None:
        return None
    return _find_nearest_change(analysis, plan, partial(_opens, analysis, plan))


def _opens(analysis: WorldAnalysis, plan: AnsweringPlan, name: str, value: float) -> bool:
    outcome = _run_at(analysis, plan, name, value)
    if outcome is None or not outcome.reaches_goal:
        return False
    stopped_by = plan.outcome.end.removeprefix("blocked ")
    margins = [margin for step in outcome.steps for name, margin in step.margins if name == stopped_by]
    if plan.outcome.end == "late":
        margins.append(outcome.time_margin)
    return all(margin is None or margin >= WANTED_MARGIN for margin in margins)


def find_missing_step(workings: RecordWorkings, plan: AnsweringPlan, failing: str) -> str:
    """Return a call that, put before the failing one, lets the plan reach the goal, or an empty text."""
    analysis = workings.analysis
    calls = [move.text for move in plan.moves]
    if analysis is None or failing not in calls:
        return ""
    place = calls.index(failing)
    for move in analysis.executor.moves.all_actions:
        if move.own and not move.logistics and move.text not in calls:
            longer = (*plan.moves[:place], move, *plan.moves[place:])
            outcome = analysis.executor.run_plan(longer, changes=plan.changes, lifted=plan.lifted)
            if outcome.reaches_goal:
                return move.text
    return ""


def _find_nearest_change(
    analysis: WorldAnalysis, plan: AnsweringPlan, works: Callable[[str, float], bool]
) -> tuple[str, str] | None:
    """Return the nearest change that works. Quantities of things come before those of persons, stated before assumed ones."""
    found: list[tuple[tuple[bool, bool, float], str, float]] = []
    for name in _list_changeable_numbers(analysis, plan)[:MOST_TRIED]:
        quantity = analysis.world.quantities[name]
        stated = quantity.value
        if not isinstance(stated, float) or stated == 0:
            continue
        value = find_value(stated, partial(works, name))
        if value is not None:
            rank = (
                name.startswith("you."),
                quantity.kind is not QuantityKind.GIVEN,
                abs(value - stated) / abs(stated),
            )
            found.append((rank, name, value))
    if not found:
        return None
    _, name, value = min(found)
    return name, format_quantity(analysis.world, name, value)


def _list_changeable_numbers(analysis: WorldAnalysis, plan: AnsweringPlan) -> list[str]:
    """Return the numbers that the record itself states and the plan reads, stated before assumed ones."""
    world = analysis.world
    names = [
        name
        for name in find_numbers_read_by_moves(world, plan.moves)
        if (name in world.own_paths or "." not in name)
        and world.quantities[name].kind in {QuantityKind.GIVEN, QuantityKind.ASSUMED}
    ]
    return sorted(names, key=lambda name: (world.quantities[name].kind is not QuantityKind.GIVEN, name))


def _closes(
    analysis: WorldAnalysis, workings: RecordWorkings, plan: AnsweringPlan, name: str, value: float
) -> bool:
    sketched = [each.executed for each in workings.sketch if each.executed is not None and each.works]
    return not _reaches(analysis, plan, name, value) and all(
        _reaches(analysis, each, name, value) for each in sketched
    )


def _reaches(analysis: WorldAnalysis, plan: AnsweringPlan, name: str, value: float) -> bool:
    outcome = _run_at(analysis, plan, name, value)
    return outcome is not None and outcome.reaches_goal


def _run_at(analysis: WorldAnalysis, plan: AnsweringPlan, name: str, value: float) -> PlanOutcome | None:
    try:
        return analysis.executor.run_plan(
            plan.moves, changes={**plan.changes, name: value}, lifted=plan.lifted
        )
    except UNDEFINED:
        return None
