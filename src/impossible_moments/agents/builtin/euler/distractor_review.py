"""EULER's review of a distractor: whether its quantities open a path, and how near the approaches with it come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.euler.record_workings import RecordWorkings
from impossible_moments.agents.builtin.miss_factors import FAR, compute_miss_factor
from impossible_moments.domain.idea_approaches import find_idea_approaches
from impossible_moments.domain.refinement import DistractorFinding
from impossible_moments.domain.seed import Distractor
from impossible_moments.domain.vocabulary import Strength
from impossible_moments.mechanics.execution import PlanOutcome

NEARLY: Final = 0.3
"""An approach that misses by at most this share cannot be dismissed without calculating."""
WITHIN_ROUNDING: Final = 0.005
"""A distractor that misses by less cannot be distinguished from a solution by its stated figures."""


@dataclass(frozen=True, slots=True)
class NearestApproach:
    """The failing approach that comes nearest to the goal, with its end and margin."""

    name: str
    end: str
    missed: float | None


def review_distractor_by_figures(distractor: Distractor, workings: RecordWorkings) -> DistractorFinding:
    """Return the finding on one distractor."""
    names = find_distractor_things(distractor, workings)
    ideas = _find_ideas(distractor, workings, names)
    working = _find_working_idea(workings, ideas)
    if working is not None:
        return _build(
            distractor,
            "enables a solution",
            f"The approach {working.replace('_', ' ')} of this idea reaches the goal when executed.",
        )
    using = [plan for plan in workings.plans if any(names & set(move.arguments) for move in plan.moves)]
    if using:
        calls = " then ".join(move.text for move in using[0].moves)
        return _build(
            distractor, "enables a solution", f"The plan {calls} reaches the goal with it, found by search."
        )
    strength = measure_executed_strength(distractor, workings)
    nearest, others = find_nearest_approaches(workings, names, ideas)
    if nearest is None and not names:
        return _build(
            distractor,
            "right",
            "It is an idea, and no approach of the record carries it out, so its distance is not measured.",
            strength,
        )
    if nearest is None:
        return _build(
            distractor,
            "right",
            f"None of {len(workings.plans)} working plans uses it, and no approach of the record tries it, so its distance is not measured.",
            strength,
        )
    used = (
        "No working plan uses it. The approach nearest to the goal with it"
        if names
        else "It is an idea, and its approach"
    )
    remark = f"{used}, {nearest.name.replace('_', ' ')}, ends `{nearest.end}`"
    remark += (
        f" and misses by {nearest.missed:.1%}."
        if nearest.missed is not None
        else ", which no number measures."
    )
    remark += f" {_describe_removal(nearest, others)}"
    verdict = "right"
    if not names:
        return _build(distractor, verdict, remark, strength)
    if nearest.missed is not None and nearest.missed < WITHIN_ROUNDING:
        verdict = "too strong"
    elif (
        distractor.strength == "strong"
        and not workings.seed.mechanics.get("frontier")
        and _fails_by_far(nearest)
    ):
        verdict = "too weak"
    return _build(distractor, verdict, remark, strength)


def measure_executed_strength(distractor: Distractor, workings: RecordWorkings) -> Strength:
    """Return how strongly a thing or an idea misleads, from the executed approaches that use it or carry it out.

    It is strong if one of them carries a step out, misses narrowly or is only late, and does not miss by far. It is weak
    if none uses it.
    The stated strength stands for an idea that no approach carries out, because no execution measures it.
    """
    names = find_distractor_things(distractor, workings)
    ideas = _find_ideas(distractor, workings, names)
    if workings.analysis is None or not (names or ideas):
        return distractor.strength
    failing = [
        outcome
        for name, outcome in workings.analysis.outcomes.items()
        if not outcome.reaches_goal
        and (name in ideas or any(names & set(move.arguments) for move in workings.analysis.plans[name]))
    ]
    if not failing:
        return "weak"
    is_frontier = bool(workings.seed.mechanics.get("frontier"))
    is_strong = any(_is_tempting(each) and (is_frontier or not _misses_by_far(each)) for each in failing)
    return "strong" if is_strong else "moderate"


def _misses_by_far(outcome: PlanOutcome) -> bool:
    missed = outcome.failing_margin
    return missed is not None and compute_miss_factor(outcome.end, missed) >= FAR


def _is_tempting(outcome: PlanOutcome) -> bool:
    is_near = outcome.failing_margin is not None and abs(outcome.failing_margin) <= NEARLY
    return is_near or outcome.end == "late" or any(not step.inserted for step in outcome.steps)


def _fails_by_far(nearest: NearestApproach) -> bool:
    return nearest.missed is not None and compute_miss_factor(nearest.end, nearest.missed) >= FAR


def find_distractor_things(distractor: Distractor, workings: RecordWorkings) -> frozenset[str]:
    """Return the names of the things with the label of a distractor."""
    if workings.analysis is None:
        return frozenset()
    things = workings.analysis.world.things.values()
    return frozenset(
        thing.name for thing in things if thing.own and thing.label.lower() == distractor.name.lower()
    )


def find_nearest_approach_of(distractor: Distractor, workings: RecordWorkings) -> NearestApproach | None:
    """Return the failing approach with a thing or of an idea that comes nearest to the goal, or None."""
    names = find_distractor_things(distractor, workings)
    return find_nearest_approaches(workings, names, _find_ideas(distractor, workings, names))[0]


def _find_ideas(distractor: Distractor, workings: RecordWorkings, things: frozenset[str]) -> frozenset[str]:
    """Return the approaches that carry out a distractor that is an idea. A thing has none."""
    if things or workings.analysis is None:
        return frozenset()
    return frozenset(find_idea_approaches(distractor, workings.seed, workings.analysis.outcomes))


def _find_working_idea(workings: RecordWorkings, ideas: frozenset[str]) -> str | None:
    outcomes = workings.analysis.outcomes if workings.analysis is not None else {}
    return next((name for name in sorted(ideas) if outcomes[name].reaches_goal), None)


def find_nearest_approaches(
    workings: RecordWorkings, names: frozenset[str], ideas: frozenset[str] = frozenset()
) -> tuple[NearestApproach | None, NearestApproach | None]:
    """Return the nearest failing approach that uses some things or is an idea, and the nearest of the others."""
    if workings.analysis is None:
        return None, None
    using: list[NearestApproach] = []
    others: list[NearestApproach] = []
    for name, outcome in workings.analysis.outcomes.items():
        if outcome.reaches_goal:
            continue
        missed = abs(outcome.failing_margin) if outcome.failing_margin is not None else None
        uses = name in ideas or any(names & set(move.arguments) for move in workings.analysis.plans[name])
        (using if uses else others).append(NearestApproach(name, outcome.end, missed))
    return _select_nearest(using), _select_nearest(others)


def _select_nearest(approaches: list[NearestApproach]) -> NearestApproach | None:
    return min(
        approaches, key=lambda each: (each.missed is None, each.missed or 0.0, each.name), default=None
    )


def _describe_removal(nearest: NearestApproach, others: NearestApproach | None) -> str:
    """Say whether another wrong approach would look best without the distractor."""
    if others is None:
        return "Without it no wrong approach is left."
    if nearest.missed is None or others.missed is None:
        return f"Without it {others.name.replace('_', ' ')} would be the wrong approach that looks best."
    change = "changes" if nearest.missed < others.missed else "does not change"
    return (
        f"Removing it {change} which wrong approach looks best: "
        f"{others.name.replace('_', ' ')} misses by {others.missed:.0%}."
    )


def _build(
    distractor: Distractor, verdict: str, remark: str, strength: Strength | None = None
) -> DistractorFinding:
    """Return the finding. The strength is the measured one, unless the verdict contradicts it."""
    measured = {"too weak": "weak", "too strong": "strong"}
    return DistractorFinding.model_validate(
        {
            "name": distractor.name,
            "verdict": verdict,
            "strength": measured.get(verdict, strength or distractor.strength),
            "remark": remark,
        }
    )
