"""Measurement of the six difficulty scores from the computed results and the insights of a record.

Each score follows the scale of the framework, 1 to 5. The scores are predictions. Only results of solvers
show whether the scenarios of a tier are as hard as predicted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.blueprints.file_models import FIXEDNESS
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.vocabulary import Strength
from impossible_moments.mechanics.checks import StatusVerdict, WorldAnalysis
from impossible_moments.mechanics.execution import PlanOutcome

NEAR_MISS_MARGIN: Final = 0.3
"""A condition missed by a smaller margin is a near miss, which can only be seen by calculation."""
SOFT_DEADLINE_MARGIN: Final = 0.4
"""A deadline with a larger share of the time left is a soft one."""
PARADOX_MOST: Final = 4
_FAMILIES: Final = (
    frozenset({"structures", "motion", "materials", "scale"}),
    frozenset({"fluids", "heat", "chemistry", "biology", "medicine"}),
    frozenset({"electricity", "optics", "acoustics", "signals", "computing"}),
    frozenset({"rules", "logic", "language", "economics"}),
    frozenset({"navigation", "astronomy", "optics"}),
)
"""Groups of related domains."""


@dataclass(frozen=True, slots=True)
class InsightFact:
    """An insight: its fixedness type, its domain, and the insights it needs (counted from 1)."""

    type: str
    domain: str
    needs: tuple[int, ...] = ()


def measure_difficulty(
    analysis: WorldAnalysis,
    verdict: StatusVerdict,
    insights: Sequence[InsightFact],
    strengths: Sequence[Strength],
) -> Profile:
    """Return the difficulty profile of a scenario from its analysis, insights and distractor strengths."""
    traps = find_failing_approaches(analysis)
    # if nothing works, everything misleads; this alone must not give the highest score
    highest_score = PARADOX_MOST if verdict.status == "PX" else 5
    return Profile(
        I=score_insight_depth(insights, verdict.status or ""),
        D=min(score_distractor_density(strengths), highest_score),
        C=max((FIXEDNESS.get(each.type, 1) for each in insights), default=1),
        B=score_domain_bridge({each.domain for each in insights if each.domain}),
        T=_score_temporal_pressure(analysis, verdict, traps),
        X=min(_score_trap_depth(verdict, traps), highest_score),
    )


def find_failing_approaches(analysis: WorldAnalysis) -> dict[str, PlanOutcome]:
    """Return the approaches that fail, with their outcomes."""
    return {name: outcome for name, outcome in analysis.outcomes.items() if not outcome.reaches_goal}


def score_insight_depth(insights: Sequence[InsightFact], status: str) -> int:
    """Score one insight 1, two 2, three or a chain of two 3, four or a chain of three 4, a new frame 5."""
    if status == "OF" or any(each.type == "frame" for each in insights):
        return 5
    chain = max(
        (_measure_insight_chain(insights, number) for number in range(1, len(insights) + 1)), default=0
    )
    if len(insights) >= 4 or chain >= 3:  # noqa: PLR2004 - the framework's scale
        return 4
    if len(insights) == 3 or chain == 2:  # noqa: PLR2004
        return 3
    return max(len(insights), 1)


def _measure_insight_chain(
    insights: Sequence[InsightFact], number: int, seen: frozenset[int] = frozenset()
) -> int:
    """Return the length of the longest chain of insights that ends at this one."""
    earlier = [
        each
        for each in insights[number - 1].needs
        if each not in {number, *seen} and 0 < each <= len(insights)
    ]
    return 1 + max((_measure_insight_chain(insights, each, seen | {number}) for each in earlier), default=0)


def score_distractor_density(strengths: Sequence[Strength]) -> int:
    """Score none 1, one 2, two or three with one seductive 3, several seductive 4, many strong 5."""
    strong, tempting = strengths.count("strong"), sum(each != "weak" for each in strengths)
    if len(strengths) <= 1:
        return 1 + len(strengths)
    if strong >= 4:  # noqa: PLR2004 - the framework's scale
        return 5
    if tempting >= 3 and strong:  # noqa: PLR2004
        return 4
    return 3 if strong or tempting > 1 else 2


def score_domain_bridge(domains: set[str]) -> int:
    """Score one domain 1, two related 2, two unrelated 3, three 4, more 5."""
    if len(domains) > 2:  # noqa: PLR2004 - the framework's scale
        return min(len(domains) + 1, 5)
    related = any(domains <= family for family in _FAMILIES)
    return 1 if len(domains) < 2 else 2 if related else 3  # noqa: PLR2004


def _score_temporal_pressure(
    analysis: WorldAnalysis, verdict: StatusVerdict, traps: Mapping[str, PlanOutcome]
) -> int:
    """Score no clock 1, a soft one 2, a window 3, one that kills approaches 4, most of them 5."""
    if analysis.executor.deadline is None:
        return 1
    late = sum(trap.end == "late" for trap in traps.values())
    left = max(
        (margin for margin in _list_time_margins(analysis, verdict) if margin is not None), default=0.0
    )
    if late > 1 and 2 * late >= len(traps):
        return 5
    if late:
        return 4
    return 2 if left > SOFT_DEADLINE_MARGIN else 3


def _list_time_margins(analysis: WorldAnalysis, verdict: StatusVerdict) -> list[float | None]:
    return [analysis.executor.run_plan(way.plan).time_margin for way in verdict.ways]


def _score_trap_depth(verdict: StatusVerdict, traps: Mapping[str, PlanOutcome]) -> int:
    """Score no trap 1, weak ones 2, one deep 3, several deep 4, one that shares half of a solution 5."""
    if not traps:
        return 1
    solution_calls = [
        set(way.calls) for way in (*verdict.ways, *((verdict.outside,) if verdict.outside else ()))
    ]
    deep = [name for name, trap in traps.items() if is_deep_trap(trap)]
    executed_calls = {name: {step.call for step in traps[name].steps if not step.inserted} for name in deep}
    if any(len(executed_calls[name] & way) > 1 for name in deep for way in solution_calls) or len(deep) > 4:  # noqa: PLR2004
        return 5
    return {0: 2, 1: 3}.get(len(deep), 4 if len(deep) > 2 or len(traps) > 3 else 3)  # noqa: PLR2004


def is_deep_trap(trap: PlanOutcome) -> bool:
    """Return whether an approach survives its first step or fails narrowly, so it must be worked out."""
    has_executed_step = any(not step.inserted for step in trap.steps)
    is_near_miss = trap.failing_margin is not None and abs(trap.failing_margin) <= NEAR_MISS_MARGIN
    return has_executed_step or is_near_miss or trap.end == "late"


def measure_distractor_strength(name: str, analysis: WorldAnalysis) -> Strength:
    """Return how strongly a thing or an approach misleads, from the best approach that uses it."""
    failed_outcomes = [
        outcome
        for approach, outcome in find_failing_approaches(analysis).items()
        if name == approach or any(name in move.arguments for move in analysis.plans[approach])
    ]
    if not failed_outcomes:
        return "weak"
    return "strong" if any(is_deep_trap(outcome) for outcome in failed_outcomes) else "moderate"
