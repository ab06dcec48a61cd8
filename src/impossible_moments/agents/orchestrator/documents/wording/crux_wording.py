"""The disputed range of a contested scenario in words: which plan is the best where, and what a plan gives at each end."""

from __future__ import annotations

from itertools import pairwise

from impossible_moments.agents.orchestrator.documents.wording.record_wording import RecordWording
from impossible_moments.mechanics.checks import Crux


def describe_changes_of_best_plan(wording: RecordWording, crux: Crux) -> str:
    """Describe every value at which the best plan changes, and every interval in which no plan works."""
    intervals = wording.analysis.crux_intervals
    bounds = [wording.format_value(crux.quantity, each.high) for each in intervals[:-1]]
    if len(bounds) == 1 and all(each.best for each in intervals):
        return f"The best plan changes at {bounds[0]}"
    openings = [
        f"up to {bounds[0]}",
        *(f"from {low} to {high}" for low, high in pairwise(bounds)),
        f"above {bounds[-1]}",
    ]
    plans = [
        f"“{wording.describe_plan(each.best[0].calls)}”" if each.best else "nothing works"
        for each in intervals
    ]
    parts = [f"{opening}: {plan}" for opening, plan in zip(openings, plans, strict=True)]
    return f"Over the disputed range the best plan is, {'; '.join(parts)}"
