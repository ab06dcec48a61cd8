"""NEWTON's review of a distractor: whether a plan with it reaches the goal, by execution."""

from __future__ import annotations

from impossible_moments.agents.builtin.miss_factors import FAR, compute_miss_factor
from impossible_moments.agents.builtin.newton.distractor_trials import find_nearest_trial, find_working_trial
from impossible_moments.agents.builtin.newton.physics_report import PhysicalAnalysis
from impossible_moments.domain.refinement import DistractorFinding
from impossible_moments.domain.seed import Distractor


def review_distractor_physically(distractor: Distractor, analysis: PhysicalAnalysis) -> DistractorFinding:
    """Return the finding on one distractor."""
    trials = analysis.trials.get(distractor.name)
    if trials is None:
        return _build(
            distractor,
            "right",
            "It is an idea, and no approach of the record carries it out, so no execution measures it; it misleads by words only.",
        )
    is_idea = analysis.facts.find_thing(distractor.name) is None
    plans = "executed approaches of this idea" if is_idea else "executed plans with it"
    working = find_working_trial(trials)
    if working is not None:
        return _build(
            distractor,
            "enables a solution",
            f"{' then '.join(working.calls)} reaches the goal {'by this idea' if is_idea else 'with it'}, by execution.",
        )
    nearest = find_nearest_trial(trials)
    if nearest is None or nearest.outcome.failing_margin is None:
        ends = ", ".join(sorted({each.outcome.end for each in trials})[:3]) or "no action takes it"
        return _build(distractor, "right", f"None of {len(trials)} {plans} reaches the goal ({ends}).")
    missed = nearest.outcome.failing_margin
    text = (
        f"None of {len(trials)} {plans} reaches the goal; the nearest, {' then '.join(nearest.calls)}, "
        f"misses by {abs(missed):.0%} (`{nearest.outcome.end}`)."
    )
    weak = distractor.strength == "strong" and not is_idea and not _is_frontier(analysis)
    weak = weak and compute_miss_factor(nearest.outcome.end, missed) >= FAR
    return _build(distractor, "too weak" if weak else "right", text)


def _is_frontier(analysis: PhysicalAnalysis) -> bool:
    """Return whether the scenario is an open frontier, which everything known misses by far."""
    return bool(analysis.facts.seed.mechanics.get("frontier"))


def _build(distractor: Distractor, verdict: str, remark: str) -> DistractorFinding:
    """Return the finding. The strength is the stated one, unless the figures contradict it."""
    measured = {"too weak": "weak", "too strong": "strong"}
    return DistractorFinding.model_validate(
        {
            "name": distractor.name,
            "verdict": verdict,
            "strength": measured.get(verdict, distractor.strength),
            "remark": remark,
        }
    )
