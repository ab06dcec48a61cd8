"""Sensitivity: which quantity, from what to what, breaks which plan."""

from __future__ import annotations

from collections.abc import Iterator

from impossible_moments.agents.builtin.euler.record_workings import AnsweringPlan, RecordWorkings
from impossible_moments.agents.builtin.quantity_wording import format_quantity
from impossible_moments.domain.validation import Sensitivity
from impossible_moments.mechanics.checks import WorldAnalysis, compute_sensitivity_profile, scale_quantity

VARIED = 0.2
"""The share by which each number is varied."""


def compute_sensitivities(workings: RecordWorkings) -> Iterator[Sensitivity]:
    """Yield the effect of a change of each number over all plans: values of a declared fragility first.

    A number that breaks any plan breaks.
    """
    analysis = workings.analysis
    if analysis is None:
        return
    rows: dict[str, list[str]] = dict(_collect_fragile_values(workings, analysis))
    for plan in workings.plans:
        for each in compute_sensitivity_profile(
            analysis.executor, plan.moves, plan.lifted, working_values=plan.changes
        ):
            broken = rows.setdefault(each.quantity, [])
            for factor, end in ((1 - VARIED, each.lower), (1 + VARIED, each.higher)):
                if end != "goal":
                    broken.append(_describe_break(analysis, each.quantity, factor, end, plan))
    for name, broken in rows.items():
        if not broken and not analysis.world.quantities[name].value:
            continue  # a share of nothing is no change
        stated = _format_stated(analysis, name)
        yield Sensitivity(
            quantity=name,
            breaks=bool(broken),
            how="; ".join(dict.fromkeys(broken))
            if broken
            else f"20 % less or more than {stated} breaks no plan",
        )


def _collect_fragile_values(
    workings: RecordWorkings, analysis: WorldAnalysis
) -> Iterator[tuple[str, list[str]]]:
    for each in workings.verdict.fragile_in if workings.verdict is not None else ():
        limit = format_quantity(analysis.world, each.quantity, each.breaks_at)
        yield (
            each.quantity,
            [
                f"from {_format_stated(analysis, each.quantity)} to {limit}, within its own range: no plan works any more (`{each.end}`)"
            ],
        )


def _describe_break(analysis: WorldAnalysis, name: str, factor: float, end: str, plan: AnsweringPlan) -> str:
    changed = scale_quantity(analysis.world, name, factor)
    side = "less" if factor < 1 else "more"
    return f"20 % {side}, from {_format_stated(analysis, name)} to {format_quantity(analysis.world, name, changed)}: {plan.name.replace('_', ' ')} ends `{end}`"


def _format_stated(analysis: WorldAnalysis, name: str) -> str:
    value = analysis.world.quantities[name].value
    return format_quantity(analysis.world, name, value) if isinstance(value, float) else str(value)
