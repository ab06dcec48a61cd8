"""EULER's difficulty scores, from executed plans: calls that carry an insight, near misses, and time left."""

from __future__ import annotations

from collections.abc import Mapping

from impossible_moments.agents.builtin.euler.record_workings import RecordWorkings
from impossible_moments.agents.builtin.euler.status_arguments import find_failing_approaches
from impossible_moments.agents.builtin.quantity_wording import format_count
from impossible_moments.blueprints import FIXEDNESS, score_domain_bridge
from impossible_moments.domain.difficulty import (
    AMPLE_TIME,
    NEAR_MISS,
    Profile,
    score_time_pressure_of_late_approaches,
)


def score_computed_difficulty(workings: RecordWorkings) -> tuple[Profile, Mapping[str, str]]:
    """Return the six scores and the reasons for those that are counted."""
    seed = workings.seed
    traps = list(find_failing_approaches(workings))
    near_misses = [
        name
        for name, end, margin in traps
        if end == "late" or (margin is not None and abs(margin) <= NEAR_MISS)
    ]
    partly_executed = _find_partly_executed_approaches(workings)
    dependent_insights = sum(bool(each.depends_on) for each in seed.insight_chain)
    late = sum(end == "late" for _, end, _ in traps)
    plan = workings.main_plan
    left = plan.outcome.time_margin if plan is not None else None
    has_clock = seed.mechanics.get("deadline") is not None
    scores = {
        "I": 5
        if workings.status == "OF"
        else min(len(seed.insight_chain) + (1 if dependent_insights else 0), 4) or 1,
        "D": min(1 + len(seed.distractor_inventory), 3) + (1 if len(near_misses) > 2 else 0),  # noqa: PLR2004 - several near misses
        "C": max((FIXEDNESS.get(each.fixedness_type, 1) for each in seed.insight_chain), default=1),
        "B": score_domain_bridge({each.domain for each in seed.insight_chain if each.domain}),
        "T": _score_time_pressure(late, len(traps), left) if has_clock else 1,
        "X": 1 if not traps else min(2 + len(set(near_misses) | partly_executed), 3 + (len(traps) > 3)),  # noqa: PLR2004 - up to three traps do not justify the highest level
    }
    reasons = {
        "I": f"{format_count(len(seed.insight_chain), 'insight')}, {dependent_insights} of them depend on another",
        "D": f"{format_count(len(seed.distractor_inventory), 'distractor')}, {len(near_misses)} near misses",
        "X": f"{format_count(len(traps), 'failing approach')}, {len(near_misses)} of them narrowly, {len(partly_executed)} after a call that worked",
        "T": f"{format_count(late, 'approach')} stopped by the clock alone"
        + (f", and the plan leaves {left:.0%} of the deadline" if left is not None else ""),
    }
    return Profile(**scores), reasons


def _find_partly_executed_approaches(workings: RecordWorkings) -> set[str]:
    if workings.analysis is None:
        return set()
    return {
        name
        for name, outcome in workings.analysis.outcomes.items()
        if not outcome.reaches_goal and any(not step.inserted for step in outcome.steps)
    }


def _score_time_pressure(late_approaches: int, traps: int, left: float | None) -> int:
    """Score time pressure: 2 for a soft deadline, 3 for a window, 4 or 5 if approaches fail by time alone."""
    if late_approaches:
        return score_time_pressure_of_late_approaches(late_approaches, traps)
    return 2 if left is not None and left >= AMPLE_TIME else 3
