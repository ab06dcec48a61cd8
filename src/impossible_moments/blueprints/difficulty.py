"""Difficulty measured: the six scores from what is computed of a record and what is known of its insights.

Each score follows the framework's scale, 1 to 5. It predicts; whether scenarios of a tier are as hard as it says is
for solvers to show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.blueprints.forms import FIXEDNESS
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.vocabulary import Strength
from impossible_moments.mechanics.analysis import Analysis
from impossible_moments.mechanics.outcomes import Outcome
from impossible_moments.mechanics.status import Verdict

NEAR: Final = 0.3
"""A condition missed by less is a near miss: one has to calculate to see that it fails."""
SOFT: Final = 0.4
"""A deadline of which more is left presses softly."""
PARADOX_MOST: Final = 4
_FAMILIES: Final = (
    frozenset({"structures", "motion", "materials", "scale"}),
    frozenset({"fluids", "heat", "chemistry", "biology", "medicine"}),
    frozenset({"electricity", "optics", "acoustics", "signals", "computing"}),
    frozenset({"rules", "logic", "language", "economics"}),
    frozenset({"navigation", "astronomy", "optics"}),
)
"""Domains that lie near to each other."""


@dataclass(frozen=True, slots=True)
class InsightFact:
    """An insight as difficulty sees it: the habit it breaks, its domain, and which insights it needs (counted from 1)."""

    type: str
    domain: str
    needs: tuple[int, ...] = ()


def measured(
    analysis: Analysis, verdict: Verdict, insights: Sequence[InsightFact], strengths: Sequence[Strength]
) -> Profile:
    """The profile of a scenario."""
    traps = failures(analysis)
    # where nothing works everything misleads: that alone makes no scenario one of the hardest
    most = PARADOX_MOST if verdict.status == "PX" else 5
    return Profile(
        I=insight_depth(insights, verdict.status or ""),
        D=min(distractor_density(strengths), most),
        C=max((FIXEDNESS.get(each.type, 1) for each in insights), default=1),
        B=domain_bridge({each.domain for each in insights if each.domain}),
        T=_temporal_pressure(analysis, verdict, traps),
        X=min(_trap_depth(verdict, traps), most),
    )


def failures(analysis: Analysis) -> dict[str, Outcome]:
    """The approaches that fail, with how they end."""
    return {name: outcome for name, outcome in analysis.outcomes.items() if not outcome.reaches_goal}


def insight_depth(insights: Sequence[InsightFact], status: str) -> int:
    """One insight 1, two apart 2, three or two in a chain 3, four or a chain of three 4, a frame to rebuild 5."""
    if status == "OF" or any(each.type == "frame" for each in insights):
        return 5
    chain = max((_chain(insights, number) for number in range(1, len(insights) + 1)), default=0)
    if len(insights) >= 4 or chain >= 3:  # noqa: PLR2004 - the framework's scale
        return 4
    if len(insights) == 3 or chain == 2:  # noqa: PLR2004
        return 3
    return max(len(insights), 1)


def _chain(insights: Sequence[InsightFact], number: int, seen: frozenset[int] = frozenset()) -> int:
    """How many insights in a row lead to this one."""
    earlier = [
        each
        for each in insights[number - 1].needs
        if each not in {number, *seen} and 0 < each <= len(insights)
    ]
    return 1 + max((_chain(insights, each, seen | {number}) for each in earlier), default=0)


def distractor_density(strengths: Sequence[Strength]) -> int:
    """None 1, one 2, two or three with one that seduces 3, several that do 4, many of them strong 5."""
    strong, seducing = strengths.count("strong"), sum(each != "weak" for each in strengths)
    if len(strengths) <= 1:
        return 1 + len(strengths)
    if strong >= 4:  # noqa: PLR2004 - the framework's scale
        return 5
    if seducing >= 3 and strong:  # noqa: PLR2004
        return 4
    return 3 if strong or seducing > 1 else 2


def domain_bridge(domains: set[str]) -> int:
    """One domain 1, two related 2, two unrelated 3, three 4, more 5."""
    if len(domains) > 2:  # noqa: PLR2004 - the framework's scale
        return min(len(domains) + 1, 5)
    related = any(domains <= family for family in _FAMILIES)
    return 1 if len(domains) < 2 else 2 if related else 3  # noqa: PLR2004


def _temporal_pressure(analysis: Analysis, verdict: Verdict, traps: Mapping[str, Outcome]) -> int:
    """No clock 1, a soft one 2, a window 3, one that kills approaches 4, one that kills most of them 5."""
    if analysis.executor.deadline is None:
        return 1
    late = sum(trap.end == "late" for trap in traps.values())
    left = max((margin for margin in _time_left(analysis, verdict) if margin is not None), default=0.0)
    if late > 1 and 2 * late >= len(traps):
        return 5
    if late:
        return 4
    return 2 if left > SOFT else 3


def _time_left(analysis: Analysis, verdict: Verdict) -> list[float | None]:
    return [analysis.executor.run(way.plan).time_margin for way in verdict.ways]


def _trap_depth(verdict: Verdict, traps: Mapping[str, Outcome]) -> int:
    """No trap 1, weak ones 2, one that survives some thought 3, several 4, one that is half of the way itself 5."""
    if not traps:
        return 1
    ways = [set(way.calls) for way in (*verdict.ways, *((verdict.outside,) if verdict.outside else ()))]
    deep = [name for name, trap in traps.items() if survives(trap)]
    done = {name: {step.call for step in traps[name].steps if not step.inserted} for name in deep}
    if any(len(done[name] & way) > 1 for name in deep for way in ways) or len(deep) > 4:  # noqa: PLR2004
        return 5
    return {0: 2, 1: 3}.get(len(deep), 4 if len(deep) > 2 or len(traps) > 3 else 3)  # noqa: PLR2004


def survives(trap: Outcome) -> bool:
    """Whether an approach outlives its first step, or misses by little: it must be worked out to be rejected."""
    begun = any(not step.inserted for step in trap.steps)
    near = trap.failing_margin is not None and abs(trap.failing_margin) <= NEAR
    return begun or near or trap.end == "late"


def strength_of(name: str, analysis: Analysis) -> Strength:
    """How strongly a thing or an approach misleads: by the best that approaches which use it come to."""
    tried = [
        outcome
        for approach, outcome in failures(analysis).items()
        if name == approach or any(name in move.arguments for move in analysis.plans[approach])
    ]
    if not tried:
        return "weak"
    return "strong" if any(survives(outcome) for outcome in tried) else "moderate"
