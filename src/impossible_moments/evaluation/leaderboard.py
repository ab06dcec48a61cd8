"""A leaderboard of evaluations, each compared with the best scenario by scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from impossible_moments.evaluation.comparison import Paired, holm, paired, shared_scenarios
from impossible_moments.evaluation.results import Results, ScenarioResult
from impossible_moments.evaluation.statistics import Figures, figures, mean


@dataclass(frozen=True)
class Entry:
    """One line of the leaderboard."""

    name: str
    results: Results
    """The results, restricted to scenarios that all evaluations have scored, if there are any."""
    known: Figures
    whole: float | None
    """The IM-Score over all scenarios of this evaluation."""
    behind: Paired | None = None
    """The best minus this one, by best runs; None for the best itself."""
    behind_by_means: Paired | None = None
    p: float | None = None
    """The p value of `behind`, adjusted for the number of comparisons."""


def leaderboard(named: Mapping[str, Results]) -> tuple[Entry, ...]:
    """Rank evaluations by IM-Score over their shared scenarios, each compared with the first."""
    rows = shared_scenarios(tuple(named.values()))
    entries = []
    for at, (name, results) in enumerate(named.items()):
        kept = _only(results, [row[at] for row in rows]) if rows else results
        entries.append(Entry(name, kept, figures(kept), results.im_score))
    entries.sort(key=_rank)
    return _compared(entries)


def _only(results: Results, scenarios: Sequence[ScenarioResult]) -> Results:
    """Return the evaluation restricted to these scenarios.

    It is built anew, because a copy would keep cached figures.
    """
    fields = {name: getattr(results, name) for name in Results.model_fields}
    return Results(**{**fields, "scenarios": tuple(scenarios)})


def _rank(entry: Entry) -> tuple[float, str]:
    value = entry.known.im_score.value
    return (1.0 if value is None else -value, entry.name)


def _compared(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    if not entries:
        return ()
    top, *others = entries
    by_best = [paired(top.results, each.results) for each in others]
    by_means = [paired(top.results, each.results, mean) for each in others]
    raised = holm([each.p for each in by_best])
    return (
        top,
        *(
            replace(each, behind=ahead, behind_by_means=ahead_by_means, p=p)
            for each, ahead, ahead_by_means, p in zip(others, by_best, by_means, raised, strict=True)
        ),
    )
