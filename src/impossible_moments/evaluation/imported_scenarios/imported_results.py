"""Results on imported scenarios, in a separate file format without IM-Score because nothing was executed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from impossible_moments.evaluation.imported_scenarios.outcome_comparison import WEAK
from impossible_moments.evaluation.results import RunState, ScenarioResult

BY_JUDGES: Final = "scored by judges against a stated outcome; nothing was executed"
BY_OUTCOME: Final = WEAK


class ImportedResults(BaseModel):
    """Results of one model on imported scenarios; the format cannot be confused with `Results`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    form: Literal["foreign results 1"] = "foreign results 1"
    measure: Literal["judges", "outcome"]
    said: str
    """Description of how the runs were scored."""
    model: str
    runs_per_scenario: int = 1
    temperature_asked: float | None = None
    judges: tuple[str, ...] = ()
    judge_kappa: float | None = None
    judge_alpha: float | None = None
    judge_leniency: dict[str, float | None] = {}
    judge_note: str = ""
    judge_cost: str | None = None
    benchmark: str = ""
    created: str = ""
    scenarios: tuple[ScenarioResult, ...]
    cost: str | None = None

    @property
    def mean(self) -> float | None:
        """The mean of the scenarios' mean scores, without tier weights because the tiers are unverified."""
        found = [each.mean for each in self.scenarios if each.mean is not None]
        return fmean(found) if found else None

    @cached_property
    def by_status(self) -> Mapping[str, float]:
        """The mean score for each status."""
        return self._compute_group_means(lambda each: each.status)

    @cached_property
    def by_category(self) -> Mapping[str, float]:
        """The mean score for each category; unknown categories are grouped under `other`."""
        return self._compute_group_means(lambda each: each.category or "other")

    @cached_property
    def states(self) -> Mapping[str, int]:
        """The number of runs in each state: scored, for review, unscored."""
        found = Counter(run.state for each in self.scenarios for run in each.runs)
        return {str(state): found[state] for state in RunState}

    def _compute_group_means(self, get_group: Callable[[ScenarioResult], str]) -> Mapping[str, float]:
        found: dict[str, list[float]] = defaultdict(list)
        for each in self.scenarios:
            if each.mean is not None:
                found[get_group(each)].append(each.mean)
        return {name: fmean(scores) for name, scores in sorted(found.items())}


def read_imported_results(path: Path) -> ImportedResults | None:
    """Read results on imported scenarios from a file; return None for any other file."""
    try:
        text = path.read_text(encoding="utf-8")
        return ImportedResults.model_validate_json(text) if '"foreign results 1"' in text[:200] else None
    except (OSError, UnicodeDecodeError, ValidationError):
        return None
