"""The benchmark as an Inspect AI task with identical prompts and scores. Only this module imports inspect_ai.

Inspect finds this module by its entry point. `inspect eval impossible_moments/moments --model
impossible_moments/solver` runs offline, with a built-in baseline as the model.
"""

from __future__ import annotations

import math
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    ScoreReducer,
    Target,
    mean,
    metric,
    score_reducer,
    scorer,
    stderr,
)
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver
from inspect_ai.tool import ToolChoice, ToolInfo
from inspect_ai.util import store

from impossible_moments.domain.difficulty_tiers import TIER_WEIGHTS
from impossible_moments.domain.evaluation_protocol import MOST_TOKENS, TEMPERATURE
from impossible_moments.domain.scoring_rubrics import PASSES
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.answer_key import NO_WORDING
from impossible_moments.evaluation.environment import Environment
from impossible_moments.evaluation.runs.baselines import PREFIX, find_baseline
from impossible_moments.evaluation.runs.presentation import AnswerForm, Presentation
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.scenarios import Scenario, resolve_scenario_folder

NAME: Final = "impossible_moments"
_DOCUMENT: Final = f"{NAME}:document"
"""The store key of the path of the public document, which built-in models read."""


@task
def moments(
    scenarios: str | None = None,
    presentation: str = "blind",
    answer: str = "plan",
    limit: int | None = None,
) -> Task:
    """Situations that look impossible: each answer is a plan, and is executed.

    `scenarios` is a folder with `public` and `evaluation`, by default `scenarios` or the shipped benchmark. Records
    without wording are left out. `presentation` is `blind` or `full`. `limit` selects the first scenarios.
    """
    _require_known_value(presentation, tuple(Presentation), "presentation")
    if answer != AnswerForm.PLAN:
        raise ConfigurationError(
            f"The answer form is {answer!r}; this task only supports `plan`. Use `im eval` to judge free answers."
        )
    if limit is not None and limit < 1:
        raise ConfigurationError(f"The limit on the number of scenarios is {limit}; it must be at least 1.")
    folder = resolve_scenario_folder(scenarios)
    environment = Environment(folder, presentation=Presentation(presentation))
    chosen = [each for name, each in environment.scenarios.items() if name not in environment.unworded][
        :limit
    ]
    if not chosen:
        raise ConfigurationError(f"No scenario of {folder} can be scored: {NO_WORDING}.")
    return Task(
        dataset=MemoryDataset([_build_sample(each, environment) for each in chosen], name="moments"),
        setup=store_document_path(str(folder)),
        solver=generate(),
        scorer=executed(str(folder)),
        # a scenario is scored by its best run; --epochs 5 runs each five times and keeps this reducer
        epochs=Epochs(1, best()),
        config=GenerateConfig(temperature=TEMPERATURE, max_tokens=MOST_TOKENS),
        metadata={"presentation": presentation, "answer": answer, "library": str(environment.library)},
    )


def _require_known_value(value: str, known_values: tuple[str, ...], parameter: str) -> None:
    if value not in known_values:
        raise ConfigurationError(
            f"The {parameter} is {value!r}; it must be one of {', '.join(known_values)}."
        )


def _build_sample(scenario: Scenario, environment: Environment) -> Sample:
    return Sample(
        id=scenario.scenario_id,
        input=environment.build_prompt(scenario.scenario_id),
        metadata={
            "category": scenario.category,
            "tier": scenario.tier,
            "presentation": str(environment.presentation),
            "canary": scenario.canary,
        },
    )


@solver
def store_document_path(scenarios: str) -> Solver:
    """Store the path of the public document with each sample, for the built-in models."""
    environment = Environment(Path(scenarios).expanduser())

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 - as Inspect calls it
        state.store.set(_DOCUMENT, str(environment.get_document_path(str(state.sample_id))))
        return state

    return solve


@metric
def im_score() -> Metric:
    """Return a metric: the mean of the scenario scores, weighted by tier."""

    def compute_weighted_mean(scores: list[SampleScore]) -> float:
        pairs = [
            (TIER_WEIGHTS[(each.sample_metadata or {})["tier"]], each.score.as_float()) for each in scores
        ]
        total_weight = sum(weight for weight, _ in pairs)
        return sum(weight * value for weight, value in pairs) / total_weight if total_weight else math.nan

    return compute_weighted_mean


@metric
def passed() -> Metric:
    """Return a metric: the share of scenarios whose outcome counts as correct."""

    def compute_pass_share(scores: list[SampleScore]) -> float:
        return (
            fmean(bool((each.score.metadata or {}).get("passed")) for each in scores) if scores else math.nan
        )

    return compute_pass_share


@metric
def scored() -> Metric:
    """Return a metric: the number of scored scenarios. Inspect leaves all others out of every metric."""

    def count_scores(scores: list[SampleScore]) -> float:
        return len(scores)

    return count_scores


@scorer(metrics=[im_score(), mean(), stderr(), passed(), scored()])
def executed(scenarios: str) -> Scorer:
    """Return a scorer that executes answers.

    An answer that cannot be scored by execution has no score, which is not the same as 0.
    """
    environment = Environment(Path(scenarios).expanduser())

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - as Inspect calls it
        if not state.output.choices or state.output.error:
            return Score.unscored(
                reason="scoring_failed",
                explanation=state.output.error or "the model gave no answer",
                metadata={"state": "unscored"},
            )
        name = str(state.sample_id)
        text = state.output.completion
        return _convert_to_score(
            text, environment.score_answer(name, text), environment.load_key(name).full_status
        )

    return score


def _convert_to_score(text: str, scored: ScoredAnswer, status: str) -> Score:
    parts = scored.components
    metadata: dict[str, Any] = {
        "state": str(scored.state),
        "status": status,
        "executed": list(scored.calls),
        "flags": list(scored.flags),
    }
    if parts is not None:
        metadata |= parts.model_dump()
    if parts is None or scored.score is None:
        return Score.unscored(
            reason=str(scored.state), answer=text, explanation=scored.note, metadata=metadata
        )
    metadata["passed"] = parts.outcome >= PASSES
    return Score(value=scored.score, answer=text, explanation=scored.note, metadata=metadata)


@score_reducer
def best() -> ScoreReducer:
    """Return a reducer that selects the best run. Runs without a score count only if there is no other."""

    def select_best_score(scores: list[Score]) -> Score:
        found = [each for each in scores if not math.isnan(each.as_float())]
        if not found:
            return scores[0] if scores else Score.unscored(reason="scoring_failed")
        return max(found, key=lambda each: each.as_float())

    return select_best_score


@modelapi(name=NAME)
class BuiltinModel(ModelAPI):
    """The built-in baselines as models: `impossible_moments/solver`, `impossible_moments/random` etc."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - the signature that Inspect calls
        **_arguments: Any,  # noqa: ANN401 - any arguments of -M
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self._reply = find_baseline(f"{PREFIX}{model_name}")

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002, ARG002 - the signature that Inspect calls
        tools: list[ToolInfo],  # noqa: ARG002
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,  # noqa: ARG002
    ) -> ModelOutput:
        """Return the answer of the baseline to the scenario of the sample."""
        document = store().get(_DOCUMENT)
        if document is None:
            raise ConfigurationError(
                f"{NAME}/{self.model_name} can only answer the samples of {NAME}/moments; run it on that task."
            )
        output = ModelOutput.from_content(self.model_name, self._reply(Scenario.load(Path(document))))
        # set explicitly, because Inspect would download a tokenizer to count tokens
        output.usage = ModelUsage(input_tokens=0, output_tokens=0, total_tokens=0)
        return output
