"""What an evaluation comes to: every run with its components, every scenario, and the figures of the whole.

A run that could not be scored (a provider's failure, a judge's, a verb the executor does not know) has no score. It is
never a 0: it is counted apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cached_property
from statistics import fmean
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from impossible_moments.domain.vocabulary import CATEGORIES, TIERS

PASSES: Final = 80.0
"""The outcome from which on a run counts as passed."""
TIER_WEIGHTS: Final[Mapping[str, int]] = dict(zip(TIERS, (1, 2, 4, 8, 16), strict=True))
VERSION: Final = "1.0"


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class State(StrEnum):
    """What became of a run."""

    SCORED = "scored"
    REVIEW = "review"
    """Something in it the executor does not know: a human or a judge decides."""
    UNSCORED = "unscored"
    """There was no answer to score, or an instrument failed."""


class Components(_Plain):
    """The five components, 0 to 100 each."""

    outcome: float = Field(ge=0, le=100)
    physical: float = Field(ge=0, le=100)
    insight: float = Field(ge=0, le=120)
    """Above 100 where further valid paths of a KS-Multiple are named."""
    distractors: float = Field(ge=0, le=100)
    efficiency: float = Field(ge=0, le=100)


class Run(_Plain):
    """One answer to one scenario."""

    number: int = Field(ge=1)
    state: State
    score: float | None = None
    components: Components | None = None
    note: str = ""
    """Why it was not scored, or how the plan ended."""
    executed: tuple[str, ...] = ()
    """The calls the answer was read as."""
    flags: tuple[str, ...] = ()
    """What is worth knowing: `false solution`, `unintended`, `fragile`, `refused`, `truncated`, `breakthrough candidate`."""
    answer: str = ""
    """The raw answer, word for word."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: str | None = None

    @property
    def passed(self) -> bool:
        """Whether the outcome counts as right."""
        return self.components is not None and self.components.outcome >= PASSES


class ScenarioResult(_Plain):
    """All runs of one scenario. Its score is the best run's; the mean stands beside it."""

    scenario_id: str
    title: str
    category: str
    tier: str
    status: str
    family: str = ""
    """Scenarios of one family share an idea, and are no independent evidence."""
    predicted: float | None = None
    """What GALILEO predicted for this kind of system."""
    twin: str | None = None
    """The scenario of the same situation that ends the other way, if there is one."""
    runs: tuple[Run, ...]

    @cached_property
    def scores(self) -> tuple[float, ...]:
        """The scores there are."""
        return tuple(run.score for run in self.runs if run.score is not None)

    @property
    def best(self) -> float | None:
        """The scenario score."""
        return max(self.scores, default=None)

    @property
    def mean(self) -> float | None:
        """The mean over the runs that were scored."""
        return fmean(self.scores) if self.scores else None

    @property
    def pass_rate(self) -> float | None:
        """The share of scored runs that passed."""
        scored = [run for run in self.runs if run.state is State.SCORED]
        return sum(run.passed for run in scored) / len(scored) if scored else None


class Results(_Plain):
    """An evaluation of one model."""

    version: str = VERSION
    model: str
    presentation: str = "blind"
    answer_form: str = "plan"
    runs_per_scenario: int = 1
    temperature_asked: float | None = None
    temperature_sent: float | None = None
    """None where the provider takes none, or does not say."""
    judges: tuple[str, ...] = ()
    judge_kappa: float | None = None
    """Agreement of the first two judges."""
    judge_alpha: float | None = None
    judge_leniency: dict[str, float | None] = {}
    """How much more than the panel each judge gives, as a share of what can be given."""
    judge_note: str = ""
    judge_cost: str | None = None
    """Dollars for judges, whenever they were asked; None where there were none, or no price is known."""
    translator: str = ""
    """Who put free answers into the form of a plan, if anybody did."""
    translator_cost: str | None = None
    library: str = ""
    benchmark: str = ""
    """Name and hash of what was run."""
    created: str = ""
    scenarios: tuple[ScenarioResult, ...]
    cost: str | None = None
    """Dollars for the answers."""

    @cached_property
    def per_scenario(self) -> Mapping[str, ScenarioResult]:
        """Every scenario by its number."""
        return {each.scenario_id: each for each in self.scenarios}

    @cached_property
    def im_score(self) -> float | None:
        """Scenario scores averaged with the weights of their tiers."""
        return weighted(self.scenarios)

    @cached_property
    def im_bounds(self) -> tuple[float, float] | None:
        """The IM-Score if every answer that waits for review failed, and if every one passed; None where none waits.

        Answers in review are left out of the score. So an answer that cannot be read gains nothing by it that is not seen here.
        """
        if not any(run.state is State.REVIEW for each in self.scenarios for run in each.runs):
            return None
        low, high = (weighted(_decided(each, value) for each in self.scenarios) for value in (0.0, 100.0))
        return None if low is None or high is None else (low, high)

    @cached_property
    def im_profile(self) -> Mapping[str, float | None]:
        """The mean scenario score of each category; None where nothing of it was scored."""
        found: dict[str, list[float]] = defaultdict(list)
        for each in self.scenarios:
            if each.best is not None:
                found[each.category].append(each.best)
        return {category: fmean(found[category]) if found[category] else None for category in CATEGORIES}

    @cached_property
    def im_frontier(self) -> int:
        """How many open scenarios have an answer that was flagged for experts."""
        return sum(
            any("breakthrough candidate" in run.flags for run in each.runs)
            for each in self.scenarios
            if each.status == "OF"
        )

    @property
    def unscored(self) -> int:
        """Runs without a score."""
        return sum(run.score is None for each in self.scenarios for run in each.runs)


def _decided(scenario: ScenarioResult, score: float) -> ScenarioResult:
    """The scenario with a score for each run that waits for review."""
    runs = tuple(
        run.model_copy(update={"score": score}) if run.state is State.REVIEW else run for run in scenario.runs
    )
    # a new one: a copy would keep the scores that were computed
    fields = {name: getattr(scenario, name) for name in ScenarioResult.model_fields}
    return ScenarioResult(**{**fields, "runs": runs})


def weighted(scenarios: Iterable[ScenarioResult]) -> float | None:
    """The IM-Score of some scenarios."""
    pairs = [(TIER_WEIGHTS[each.tier], each.best) for each in scenarios if each.best is not None]
    whole = sum(weight for weight, _ in pairs)
    return sum(weight * best for weight, best in pairs) / whole if whole else None
