"""A leaderboard of evaluations, each compared with the best scenario by scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from impossible_moments.evaluation.results import Results, ScenarioResult
from impossible_moments.evaluation.statistics.paired_comparison import (
    PairedComparison,
    apply_holm_correction,
    compare_evaluations,
    find_shared_scenarios,
)
from impossible_moments.evaluation.statistics.summary_figures import (
    EvaluationFigures,
    compute_figures,
    get_mean_score,
)


@dataclass(frozen=True)
class LeaderboardEntry:
    """One line of the leaderboard."""

    name: str
    results: Results
    """The results, restricted to scenarios that all evaluations have scored, if there are any."""
    figures: EvaluationFigures
    own_im_score: float | None
    """The IM-Score over all scenarios of this evaluation."""
    behind: PairedComparison | None = None
    """The best minus this one, by best runs; None for the best itself."""
    behind_by_means: PairedComparison | None = None
    p: float | None = None
    """The p value of `behind`, adjusted for the number of comparisons."""


def build_leaderboard(results_by_name: Mapping[str, Results]) -> tuple[LeaderboardEntry, ...]:
    """Rank evaluations by IM-Score over their shared scenarios, each compared with the first."""
    rows = find_shared_scenarios(tuple(results_by_name.values()))
    entries = []
    for at, (name, results) in enumerate(results_by_name.items()):
        restricted = _restrict_to_scenarios(results, [row[at] for row in rows]) if rows else results
        entries.append(LeaderboardEntry(name, restricted, compute_figures(restricted), results.im_score))
    entries.sort(key=_compute_sort_key)
    return _compare_with_best(entries)


def _restrict_to_scenarios(results: Results, scenarios: Sequence[ScenarioResult]) -> Results:
    """Return the evaluation restricted to these scenarios.

    It is built anew, because a copy would keep cached figures.
    """
    fields = {name: getattr(results, name) for name in Results.model_fields}
    return Results(**{**fields, "scenarios": tuple(scenarios)})


def _compute_sort_key(entry: LeaderboardEntry) -> tuple[float, str]:
    value = entry.figures.im_score.value
    return (1.0 if value is None else -value, entry.name)


def _compare_with_best(entries: Sequence[LeaderboardEntry]) -> tuple[LeaderboardEntry, ...]:
    if not entries:
        return ()
    top, *runners_up = entries
    by_best = [compare_evaluations(top.results, each.results) for each in runners_up]
    by_means = [compare_evaluations(top.results, each.results, get_mean_score) for each in runners_up]
    corrected = apply_holm_correction([each.p for each in by_best])
    return (
        top,
        *(
            replace(each, behind=ahead, behind_by_means=ahead_by_means, p=p)
            for each, ahead, ahead_by_means, p in zip(runners_up, by_best, by_means, corrected, strict=True)
        ),
    )
