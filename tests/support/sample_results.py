"""Invented evaluation results: a few by hand, or many from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from impossible_moments.domain.vocabulary import CATEGORIES, STATUSES, TIERS
from impossible_moments.evaluation.results import (
    EvaluationRun,
    Results,
    RunState,
    ScenarioResult,
    ScoreComponents,
)

HARDNESS = dict(zip(TIERS, (0.75, 0.45, 0.25, 0.1, 0.03), strict=True))


def build_run(score: float | None, number: int = 1, **fields: Any) -> EvaluationRun:
    """Build a run with this score; its outcome is right if the score is at least 80."""
    if score is None:
        return EvaluationRun(
            number=number, state=RunState.UNSCORED, **{"note": "the provider failed", **fields}
        )
    components = ScoreComponents(
        outcome=min(score, 100.0), physical=50, insight=50, distractors=100, efficiency=100
    )
    return EvaluationRun(
        number=number, state=RunState.SCORED, score=score, **{"components": components, **fields}
    )


def build_scenario(name: str, scores: Sequence[float | None], **fields: Any) -> ScenarioResult:
    """Build a scenario with runs of these scores, by default a KS of SPARK in The Locked Room."""
    usual = {"title": f"Title of {name}", "category": CATEGORIES[0], "tier": "SPARK", "status": "KS"}
    runs = tuple(build_run(score, number) for number, score in enumerate(scores, start=1))
    return ScenarioResult(scenario_id=name, **{**usual, "runs": runs, **fields})


def build_results(*scenarios: ScenarioResult, model: str = "maker:model", **fields: Any) -> Results:
    """Build an evaluation of these scenarios."""
    return Results(model=model, scenarios=scenarios, **fields)


def build_many_results(
    count: int, *, runs: int = 5, skill: float = 0.0, seed: int = 1, model: str = "maker:model"
) -> Results:
    """Build an evaluation of many scenarios over all categories, tiers and statuses, three per family."""
    made = []
    for at in range(count):
        draws = Random(f"{seed} {at}")  # noqa: S311 - made up, not secret
        tier = TIERS[min(at % 7, 4)]
        status = ("KS", "KS-Fragile", *STATUSES[1:])[at // 7 % 7]
        chance = min(0.98, max(0.01, HARDNESS[tier] + skill + draws.gauss(0, 0.1)))
        scores = [
            None
            if draws.random() < 0.02
            else 100 - 15 * draws.random()
            if draws.random() < chance
            else 45 * draws.random()
            for _ in range(runs)
        ]
        made.append(
            build_scenario(
                f"IM-{at:04d}",
                scores,
                category=CATEGORIES[at % 12],
                tier=tier,
                status=status,
                family=f"family {at // 3}",
                predicted=100 * HARDNESS[tier],
            )
        )
    return build_results(
        *made, model=model, runs_per_scenario=runs, temperature_asked=0.7, library="v1 (abc)"
    )
