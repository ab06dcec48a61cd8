"""Evaluation of models on imported scenarios, scored by judges or by the stated outcome alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from impossible_moments.domain.evaluation_protocol import RUNS, TEMPERATURE
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.imported_scenarios.imported_folder import (
    ImportedFolder,
    ImportedScenario,
    select_scenarios,
)
from impossible_moments.evaluation.imported_scenarios.imported_results import (
    BY_JUDGES,
    BY_OUTCOME,
    ImportedResults,
)
from impossible_moments.evaluation.imported_scenarios.judge_cases import FOREIGN, ImportedCase
from impossible_moments.evaluation.imported_scenarios.outcome_comparison import (
    OutcomeMatch,
    compare_with_stated_outcome,
)
from impossible_moments.evaluation.judging.judge_panel import JudgeAgreement, JudgePanel, require_valid_panel
from impossible_moments.evaluation.judging.judgement_aggregation import Judgement
from impossible_moments.evaluation.judging.judgement_cache import open_judgement_cache
from impossible_moments.evaluation.results import EvaluationRun, RunState, ScenarioResult
from impossible_moments.evaluation.runs.answer_collection import AnswerCollector, Reply, RunConditions
from impossible_moments.evaluation.runs.baselines import PREFIX
from impossible_moments.evaluation.runs.presentation import AnswerForm
from impossible_moments.evaluation.runs.respondents import ModelRespondent
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.llm import (
    ConnectionPool,
    ModelFailure,
    SpendingBudget,
    find_api_keys,
    load_price_table,
    parse_model_reference,
)

_SCORES: Final = {OutcomeMatch.SAME: 100.0, OutcomeMatch.OTHER: 0.0}
Replies = Mapping[tuple[str, int], Reply]


@dataclass
class ImportedEvaluator:
    """Runs a model on imported scenarios and scores its answers by the statements of their authors."""

    output: Path
    """The folder that stores answers and verdicts, so that a run can be resumed."""
    judges: Sequence[str] = ()
    by_outcome: bool = False
    runs: int = RUNS
    temperature: float | None = TEMPERATURE
    api_key: str | None = None
    spending_limit: Decimal | None = None
    prices: Path | None = None
    concurrency: int = 8
    report_progress: Callable[[int, int], None] = lambda _done, _all: None
    budget: SpendingBudget = field(default_factory=SpendingBudget)
    stopped: ModelFailure | None = field(default=None, init=False)
    """The spending-limit failure, if the limit was reached during judging; results are then incomplete."""

    judge_cost: str | None = field(default=None, init=False)
    """Dollars spent on judges, including earlier runs."""

    def evaluate(self, model: str, folder: ImportedFolder) -> ImportedResults:
        """Run a model on a folder of imported scenarios and return its scored results."""
        self.validate_setup(model)
        conditions = RunConditions(
            str(parse_model_reference(model)),
            form=AnswerForm.FREE,
            runs=self.runs,
            temperature=self.temperature,
        )
        return asyncio.run(self._run_evaluation(folder.scenarios, folder, conditions, None))

    def score_replies(self, replies: Replies, folder: ImportedFolder, model: str) -> ImportedResults:
        """Score answers that were produced outside this program."""
        self.validate_setup(None)
        runs = max((number for _, number in replies), default=1)
        conditions = RunConditions(model, form=AnswerForm.FREE, runs=runs, temperature=None)
        scenarios = select_scenarios(folder, [name for name, _ in replies])
        return asyncio.run(self._run_evaluation(scenarios, folder, conditions, replies))

    def validate_setup(self, model: str | None) -> None:
        """Raise `ConfigurationError` early: not exactly one measure, too few judges, or a built-in model."""
        if bool(self.judges) == self.by_outcome:
            raise ConfigurationError(
                "imported scenarios have no mechanics, so no plan can be executed; score them either by --judge MODEL, "
                "given at least twice, or by --by-outcome."
            )
        if self.judges:
            require_valid_panel(tuple(map(parse_model_reference, self.judges)))
        if model is not None and model.startswith(PREFIX):
            raise ConfigurationError(
                f"{model[:60]} answers only scenarios with mechanics, which imported ones do not have; name a language model."
            )

    async def _run_evaluation(
        self,
        scenarios: Sequence[ImportedScenario],
        folder: ImportedFolder,
        conditions: RunConditions,
        replies: Replies | None,
    ) -> ImportedResults:
        self.budget.limit = self.spending_limit
        connections = ConnectionPool(
            find_api_keys(self.api_key), load_price_table(self.prices), at_once=self.concurrency
        )
        try:
            connections.require_keys_and_packages(list(map(parse_model_reference, self.judges)))
            if replies is None:
                model_reference = parse_model_reference(conditions.model)
                connections.require_keys_and_packages([model_reference])
                respondent = ModelRespondent(model_reference, connections, self.budget, conditions)
                engine = AnswerCollector(
                    conditions,
                    respondent,
                    self.output,
                    concurrency=self.concurrency,
                    report_progress=self.report_progress,
                )
                replies = await engine.collect_answers(scenarios)
            if self.by_outcome:
                runs = {
                    place: _score_by_stated_outcome(place, reply, folder) for place, reply in replies.items()
                }
                return _build_imported_results(
                    scenarios, runs, conditions, {"measure": "outcome", "said": BY_OUTCOME}
                )
            runs, agreement = await self._judge_replies(scenarios, folder, replies, connections)
            summary = {
                "measure": "judges",
                "said": BY_JUDGES,
                "judges": tuple(self.judges),
                "judge_kappa": agreement.kappa,
                "judge_alpha": agreement.alpha,
                "judge_leniency": dict(agreement.leniency),
                "judge_note": agreement.note,
                "judge_cost": self.judge_cost,
            }
            return _build_imported_results(scenarios, runs, conditions, summary)
        finally:
            await connections.close()

    async def _judge_replies(
        self,
        scenarios: Sequence[ImportedScenario],
        folder: ImportedFolder,
        replies: Replies,
        connections: ConnectionPool,
    ) -> tuple[dict[tuple[str, int], EvaluationRun], JudgeAgreement]:
        scenarios_by_id = {each.scenario_id: each for each in scenarios}
        places = [place for place, reply in replies.items() if not reply.failure]
        cases = [
            ImportedCase(scenarios_by_id[name], folder.keys[name], replies[name, number].text)
            for name, number in places
        ]
        async with open_judgement_cache(self.output) as cache:
            panel = JudgePanel(
                tuple(map(parse_model_reference, self.judges)), connections, self.budget, cache
            )
            before = self.budget.spent
            judgements, agreement = await panel.judge_batch(cases)
            self.stopped = cache.stopped
            spent = self.budget.spent - before + sum(cache.recalled_costs, Decimal(0))
            self.judge_cost = f"{spent.normalize():f}" if spent else None
        found = dict(zip(places, judgements, strict=True))
        return {
            place: _build_run(place[1], reply, _get_judged_score(found.get(place)))
            for place, reply in replies.items()
        }, agreement


def _get_judged_score(judgement: Judgement | None) -> ScoredAnswer:
    return ScoredAnswer(RunState.UNSCORED) if judgement is None else judgement.scored


def _score_by_stated_outcome(place: tuple[str, int], reply: Reply, folder: ImportedFolder) -> EvaluationRun:
    """Return a run scored by its last line alone, with a score but no components."""
    if reply.failure:
        return _build_run(place[1], reply, ScoredAnswer(RunState.UNSCORED))
    found = compare_with_stated_outcome(reply.text, folder.keys[place[0]])
    state = RunState.REVIEW if found.outcome_match is OutcomeMatch.REVIEW else RunState.SCORED
    run = _build_run(place[1], reply, ScoredAnswer(state, None, found.why, (), (str(found.outcome_match),)))
    return run.model_copy(update={"score": _SCORES.get(found.outcome_match)})


def _build_run(number: int, reply: Reply, scored: ScoredAnswer) -> EvaluationRun:
    return EvaluationRun(
        number=number,
        state=scored.state,
        score=scored.score,
        components=scored.components,
        note=reply.failure or scored.note,
        flags=tuple(dict.fromkeys((FOREIGN, *reply.flags, *scored.flags))),
        # models may write lone surrogates, which cannot be encoded
        answer=reply.text.encode("utf-8", "replace").decode("utf-8"),
        input_tokens=reply.input_tokens,
        output_tokens=reply.output_tokens,
        cost=reply.cost,
    )


def _build_imported_results(
    scenarios: Sequence[ImportedScenario],
    runs: Mapping[tuple[str, int], EvaluationRun],
    conditions: RunConditions,
    summary: Mapping[str, Any],
) -> ImportedResults:
    found = tuple(
        ScenarioResult(
            scenario_id=each.scenario_id,
            title=each.title,
            category=each.category,
            tier=each.tier,
            status=each.status,
            runs=tuple(
                runs[each.scenario_id, number]
                for number in range(1, conditions.runs + 1)
                if (each.scenario_id, number) in runs
            ),
        )
        for each in scenarios
    )
    costs = [Decimal(run.cost) for run in runs.values() if run.cost is not None]
    text = "".join(each.text for each in scenarios)
    return ImportedResults(
        model=conditions.model,
        runs_per_scenario=conditions.runs,
        temperature_asked=conditions.temperature,
        benchmark=f"{len(scenarios)} foreign scenarios ({sha256(text.encode()).hexdigest()[:12]})",
        created=datetime.now(tz=UTC).isoformat(timespec="seconds"),
        scenarios=found,
        cost=str(sum(costs, Decimal(0))) if costs else None,
        **summary,
    )
