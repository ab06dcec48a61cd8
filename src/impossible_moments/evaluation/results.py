"""The results of an evaluation: every run with its components, every scenario, and the overall figures.

A run that could not be scored (because of a provider, a judge, or a verb that the executor does not know) has
no score. It is counted separately and never treated as a 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cached_property
from statistics import fmean
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from impossible_moments.domain.difficulty_tiers import TIER_WEIGHTS
from impossible_moments.domain.scoring_rubrics import MOST_INSIGHT, PASSES
from impossible_moments.domain.vocabulary import CATEGORIES
from impossible_moments.evaluation.results_summary import ResultsSummary

VERSION: Final = "1.0"
UNREAD_FLAGS: Final = frozenset({"silent", "unreadable", "refused", "truncated"})
"""Flags of answers that the model gave and that could not be read. Failures of a provider have none of them."""
FOR_JUDGES: Final = "for judges"
"""Flag of an answer that a program cannot score."""


class _FrozenModel(BaseModel):
    """Base class of the result models: frozen, unknown fields forbidden."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class RunState(StrEnum):
    """Whether a run was scored."""

    SCORED = "scored"
    REVIEW = "review"
    """It contains something that the executor does not know. A human or a judge decides."""
    UNSCORED = "unscored"
    """There was no answer to score, or scoring failed."""


class ScoreComponents(_FrozenModel):
    """The five score components, 0 to 100 each."""

    outcome: float = Field(ge=0, le=100)
    physical: float = Field(ge=0, le=100)
    insight: float = Field(ge=0, le=MOST_INSIGHT)
    """Above 100 if further valid paths of a KS-Multiple scenario are named."""
    distractors: float = Field(ge=0, le=100)
    efficiency: float = Field(ge=0, le=100)


class ReadingEntry(_FrozenModel):
    """A part of an answer, and what a translator read it as."""

    text: str = ""
    """The words of the answer."""
    kind: str
    """The kind of a step, such as `call` or `harmless`, or `verdict`, `premise`, `reason`, `crux`, `turning point` or `false claim`."""
    call: str = ""
    """The call of a step, or the statement that the words make."""
    said: dict[str, str] = {}
    """For each statement that the call needs, the words that make it."""
    reason: str = ""
    """Why it was read like this, or does not count."""


class EpisodeCounts(_FrozenModel):
    """The acts of an episode, over all its attempts."""

    acts: int = 0
    invalid_acts: int = 0
    """Acts that could not be carried out."""
    wasted_acts: int = 0
    """Acts without an effect."""
    restarts: int = 0


class EvaluationRun(_FrozenModel):
    """One answer to one scenario."""

    number: int = Field(ge=1)
    state: RunState
    score: float | None = None
    components: ScoreComponents | None = None
    note: str = ""
    """Why it was not scored, or how the plan ended."""
    executed: tuple[str, ...] = ()
    """The calls that the answer was parsed as."""
    reading: tuple[ReadingEntry, ...] = ()
    """How a translator read the answer, in its order; empty if it was not translated by the wording of its record."""
    flags: tuple[str, ...] = ()
    """Remarks on the answer.

    Examples are `false solution`, `unintended`, `fragile`, `refused`, `truncated` and `breakthrough
    candidate`.
    """
    answer: str = ""
    """The raw answer, verbatim."""
    episode: EpisodeCounts | None = None
    """How the acts of an interactive episode went, or None for other answers."""
    input_tokens: int = 0
    output_tokens: int = 0
    thinking_tokens: int | None = None
    """Output tokens that were billed for thinking, or None if the provider does not report them."""
    cost: str | None = None

    @property
    def passed(self) -> bool:
        """Whether the outcome counts as correct."""
        return self.components is not None and self.components.outcome >= PASSES

    @property
    def is_open(self) -> bool:
        """Whether the model answered and the answer could not be read."""
        return self.state is RunState.REVIEW or (
            self.state is RunState.UNSCORED and bool(UNREAD_FLAGS & set(self.flags))
        )


class ScenarioResult(_FrozenModel):
    """All runs of one scenario. Its score is that of the best run."""

    scenario_id: str
    title: str
    category: str
    tier: str
    status: str
    family: str = ""
    """Scenarios of one family share an idea and are not independent evidence."""
    predicted: float | None = None
    """The score that GALILEO predicted for this kind of system."""
    twin: str | None = None
    """The scenario of the same situation with the opposite ending, if there is one."""
    is_recognition: bool = False
    """Whether the menu names deeds of a solution that the text does not name, so that the answers show recognition."""
    runs: tuple[EvaluationRun, ...]

    @cached_property
    def scores(self) -> tuple[float, ...]:
        """The scores of the scored runs."""
        return tuple(run.score for run in self.runs if run.score is not None)

    @property
    def best(self) -> float | None:
        """The scenario score: that of the best run."""
        return max(self.scores, default=None)

    @property
    def mean(self) -> float | None:
        """The mean score of the scored runs."""
        return fmean(self.scores) if self.scores else None

    @property
    def pass_rate(self) -> float | None:
        """The share of scored runs that passed."""
        scored_runs = [run for run in self.runs if run.state is RunState.SCORED]
        return sum(run.passed for run in scored_runs) / len(scored_runs) if scored_runs else None


class Results(_FrozenModel):
    """An evaluation of one model."""

    version: str = VERSION
    model: str
    presentation: str = "blind"
    answer_form: str = "plan"
    runs_per_scenario: int = 1
    restarts_allowed: int = 0
    """How often an interactive episode may begin again."""
    temperature_asked: float | None = None
    temperature_sent: float | None = None
    """None if the provider accepts no temperature or does not report it."""
    thinking_asked: str = ""
    """The thinking budget that was asked for: `none`, a number of tokens or `free`. Empty if nothing was asked."""
    thinking_sent: tuple[str, ...] = ()
    """The settings that were sent for it, each once."""
    judges: tuple[str, ...] = ()
    judge_kappa: float | None = None
    """The agreement of the first two judges."""
    judge_alpha: float | None = None
    judge_leniency: dict[str, float | None] = {}
    """How much more than the panel each judge gives, as a share of the maximum."""
    judge_note: str = ""
    judge_cost: str | None = None
    """US dollars for judges, including stored verdicts; None without judges or prices."""
    translator: str = ""
    """The model that translated answers so that they could be executed, or an empty string."""
    translator_cost: str | None = None
    library: str = ""
    benchmark: str = ""
    """The size and hash of the scenario set."""
    created: str = ""
    scenarios: tuple[ScenarioResult, ...]
    cost: str | None = None
    """US dollars for the answers."""
    summary: ResultsSummary | None = None

    @cached_property
    def per_scenario(self) -> Mapping[str, ScenarioResult]:
        """All scenario results by ID."""
        return {each.scenario_id: each for each in self.scenarios}

    @cached_property
    def counted_scenarios(self) -> tuple[ScenarioResult, ...]:
        """The scenarios whose answers a solver had to find. Only these make up the IM-Score."""
        return tuple(each for each in self.scenarios if not each.is_recognition)

    @cached_property
    def recognition_scenarios(self) -> tuple[ScenarioResult, ...]:
        """The scenarios whose menus name what the text does not name."""
        return tuple(each for each in self.scenarios if each.is_recognition)

    @cached_property
    def im_score(self) -> float | None:
        """The mean of the scenario scores, weighted by tier, without scenarios that measure recognition."""
        return compute_im_score(self.counted_scenarios)

    @cached_property
    def recognition_score(self) -> float | None:
        """The same mean over the scenarios that measure recognition."""
        return compute_im_score(self.recognition_scenarios)

    @cached_property
    def im_bounds(self) -> tuple[float, float] | None:
        """The IM-Scores if all open answers failed and if all passed, or None if there are none.

        Answers in review and answers that could not be read are left out of the score, so an unreadable answer could
        raise it. The bounds show by how much.
        """
        if not any(run.is_open for each in self.counted_scenarios for run in each.runs):
            return None
        low, high = (
            compute_im_score(_assume_score_for_runs_in_review(each, value) for each in self.counted_scenarios)
            for value in (0.0, 100.0)
        )
        return None if low is None or high is None else (low, high)

    @cached_property
    def im_profile(self) -> Mapping[str, float | None]:
        """The mean scenario score of each category, or None if the category has no score."""
        found: dict[str, list[float]] = defaultdict(list)
        for each in self.counted_scenarios:
            if each.best is not None:
                found[each.category].append(each.best)
        return {category: fmean(found[category]) if found[category] else None for category in CATEGORIES}

    @cached_property
    def im_frontier(self) -> int:
        """The number of open scenarios with an answer that was flagged for experts."""
        return sum(
            any("breakthrough candidate" in run.flags for run in each.runs)
            for each in self.scenarios
            if each.status == "OF"
        )

    @property
    def unscored(self) -> int:
        """The number of runs without a score."""
        return sum(run.score is None for each in self.scenarios for run in each.runs)


def _assume_score_for_runs_in_review(scenario: ScenarioResult, score: float) -> ScenarioResult:
    """Return the scenario with the given score for each run in review."""
    runs = tuple(run.model_copy(update={"score": score}) if run.is_open else run for run in scenario.runs)
    # built anew, because a copy would keep the cached scores
    fields = {name: getattr(scenario, name) for name in ScenarioResult.model_fields}
    return ScenarioResult(**{**fields, "runs": runs})


def compute_im_score(scenarios: Iterable[ScenarioResult]) -> float | None:
    """Return the IM-Score of some scenarios, or None if none was scored."""
    pairs = [(TIER_WEIGHTS[each.tier], each.best) for each in scenarios if each.best is not None]
    total_weight = sum(weight for weight, _ in pairs)
    return sum(weight * best for weight, best in pairs) / total_weight if total_weight else None
