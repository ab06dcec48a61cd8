"""Confidence and difficulty of a design, from what it states and without validating it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from impossible_moments.agents.builtin.athena.declared_design import LATE, DeclaredDesign
from impossible_moments.agents.builtin.athena.distractor_strength import TrapMeasure, measure_trap
from impossible_moments.agents.builtin.quantity_wording import format_count
from impossible_moments.blueprints import (
    FIXEDNESS,
    SOFT_DEADLINE_MARGIN,
    InsightFact,
    score_distractor_density,
    score_domain_bridge,
    score_insight_depth,
)
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.vocabulary import Strength
from impossible_moments.mechanics.records import QuantityKind

HIGHEST_CONFIDENCE: Final = 0.95
LOWEST_CONFIDENCE: Final = 0.5
"""Below this a human decides, and no design fact speaks that strongly against a design that is handed in."""
CONFIDENCE_OF_OPEN_DESIGNS: Final = 0.6
"""The most confidence in a contested or open design, whose answer is not known."""
THIN_MARGIN: Final = 0.1
WEIGHT_OF_THIN_MARGINS: Final = 0.25
WEIGHT_OF_ESTIMATES: Final = 0.2
COST_OF_REVISION: Final = 0.05
PARADOX_MOST: Final = 4
"""If nothing works, everything misleads. This alone must not give the highest score."""


def derive_confidence(declared: DeclaredDesign, answered_demands: int) -> tuple[float, str]:
    """Derive the confidence in a design from thin margins, estimates and demanded changes, with the reason."""
    margins = _list_decisive_margins(declared)
    thin = sum(abs(margin) < THIN_MARGIN for margin in margins)
    read = _list_quantities_read(declared)
    estimates = sum(
        declared.world.quantities[name].kind is QuantityKind.ASSUMED
        and declared.world.quantities[name].is_estimate
        for name in read
    )
    value = HIGHEST_CONFIDENCE - COST_OF_REVISION * answered_demands
    value -= WEIGHT_OF_THIN_MARGINS * thin / max(len(margins), 1)
    value -= WEIGHT_OF_ESTIMATES * estimates / max(len(read), 1)
    if declared.status in {"CT", "OF"}:
        value = min(value, CONFIDENCE_OF_OPEN_DESIGNS)
    reason = (
        f"{thin} of {len(margins)} measured conditions have a margin under {THIN_MARGIN:.0%}, {estimates} of {len(read)} "
        f"numbers are estimates, and it was changed to answer {format_count(answered_demands, 'demand')}"
    )
    return round(max(value, LOWEST_CONFIDENCE), 2), reason


def _list_decisive_margins(declared: DeclaredDesign) -> list[float]:
    stops = [declared.find_stop(name) for name in declared.traps]
    return [
        *declared.list_margins(),
        *(stop.margin for stop in stops if stop is not None and stop.margin is not None),
    ]


def _list_quantities_read(declared: DeclaredDesign) -> list[str]:
    """Return the numbers that the answering approaches read, or all approaches if none answers."""
    names = declared.answering or declared.traps
    read = {
        path
        for name in names
        for move in declared.plans[name]
        for path in declared.collect_read_quantities(move)
    }
    return sorted(path for path in read if declared.world.quantities[path].is_number)


def score_design(
    declared: DeclaredDesign, insights: Sequence[InsightFact], strengths: Sequence[Strength]
) -> tuple[Profile, dict[str, str]]:
    """Score the six dimensions from facts of the design, each with its reason."""
    traps = [measure_trap(declared, name) for name in declared.traps]
    most = PARADOX_MOST if declared.status == "PX" else 5
    pressure, pressure_reason = _score_temporal_pressure(declared, traps)
    depth, depth_reason = _score_trap_depth(declared, traps)
    domains = {each.domain for each in insights if each.domain}
    hardest = max((each.type for each in insights), key=lambda name: FIXEDNESS.get(name, 0), default="none")
    profile = Profile(
        I=score_insight_depth(insights, declared.status),
        D=min(score_distractor_density(strengths), most),
        C=FIXEDNESS.get(hardest, 1),
        B=score_domain_bridge(domains),
        T=pressure,
        X=min(depth, most),
    )
    chained = sum(bool(each.needs) for each in insights)
    strong = strengths.count("strong")
    return profile, {
        "I": f"{format_count(len(insights), 'insight')}, {chained} of which build on an earlier one",
        "D": f"{format_count(len(strengths), 'distractor')}, of which {strong} are strong",
        "C": f"the hardest habit to break is {hardest}",
        "B": f"domains: {', '.join(sorted(domains)) or 'one'}",
        "T": pressure_reason,
        "X": depth_reason,
    }


def _score_temporal_pressure(declared: DeclaredDesign, traps: Sequence[TrapMeasure]) -> tuple[int, str]:
    """Score no clock 1, a soft one 2, a window 3, one that kills approaches 4, most of them 5."""
    if declared.deadline is None:
        return 1, "there is no deadline"
    late = sum(declared.ends[trap.approach] == LATE for trap in traps)
    if late > 1 and 2 * late >= len(traps):
        return 5, f"the clock stops {late} of {len(traps)} wrong answers"
    if late:
        return 4, f"the clock stops {late} of {len(traps)} wrong answers"
    left = max(
        (margin for name in declared.answering if (margin := declared.estimate_time_left(name)) is not None),
        default=0.0,
    )
    return (2 if left > SOFT_DEADLINE_MARGIN else 3), f"the stated steps leave {left:.0%} of the deadline"


def _score_trap_depth(declared: DeclaredDesign, traps: Sequence[TrapMeasure]) -> tuple[int, str]:
    """Score no trap 1, weak ones 2, one deep 3, several deep 4, one that shares steps with a solution 5."""
    if not traps:
        return 1, "there is no trap"
    deep = [trap for trap in traps if trap.is_deep]
    ways = [{move.text for move in declared.plans[name]} for name in declared.answering]
    done = {
        trap.approach: {move.text for move in declared.plans[trap.approach][: trap.steps_done]}
        for trap in deep
    }
    reason = f"{len(deep)} of {len(traps)} wrong answers survive a step or fail narrowly"
    if any(len(calls & way) > 1 for calls in done.values() for way in ways) or len(deep) > 4:  # noqa: PLR2004 - the framework's scale
        return 5, reason
    several = len(deep) > 2 or (len(deep) > 1 and len(traps) > 3)  # noqa: PLR2004
    return {0: 2, 1: 3}.get(len(deep), 4 if several else 3), reason
