"""Resolution of runs that execution leaves open, by translation or by judges, within the spending limit."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import ParsedAnswer
from impossible_moments.evaluation.judging.judge_panel import JudgePanel, RecordCase, require_valid_panel
from impossible_moments.evaluation.judging.judgement_aggregation import needs_judges
from impossible_moments.evaluation.judging.judgement_cache import JudgementCache, open_judgement_cache
from impossible_moments.evaluation.results import EvaluationRun, Results, RunState
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.evaluation.translation import RecordTranslator
from impossible_moments.evaluation.translation.run_translation import (
    apply_interpretation,
    build_claims_for_judges,
    is_translatable,
)
from impossible_moments.llm import ConnectionPool, FailureKind, ModelFailure, ModelReference, SpendingBudget
from impossible_moments.scenarios import Scenario

Place = tuple[str, int]
"""A run, identified by its scenario and number."""


@dataclass(frozen=True)
class ResolvedResults:
    """Results after resolving open runs, and the spending-limit failure if it stopped the rest."""

    results: Results
    stopped: ModelFailure | None = None


@dataclass(frozen=True)
class OpenRunResolver:
    """Resolves open runs with a translator, judges, both, or neither."""

    judges: tuple[ModelReference, ...]
    translator: ModelReference | None
    connections: ConnectionPool
    budget: SpendingBudget
    ledger: Path
    """The folder that stores answers and verdicts."""
    rubrics: Path
    """The folder of the evaluation documents."""

    @property
    def models(self) -> tuple[ModelReference, ...]:
        """All models that may be asked."""
        return (*self.judges, *([self.translator] if self.translator is not None else []))

    def validate_setup(self) -> None:
        """Raise early for too few judges, a missing key, or an unknown price with a spending limit."""
        if self.judges:
            require_valid_panel(self.judges)
        self.connections.require_keys_and_packages(self.models)
        for each in self.models if self.budget.limit is not None else ():
            if self.connections.prices.compute_cost(each, 1, 1) is None:
                detail = "its price is not known, so the spending limit cannot be enforced; give the price with --prices"
                raise ModelFailure(FailureKind.SPENDING, str(each), detail)

    async def resolve_open_runs(
        self, results: Results, scenarios: Sequence[Scenario], keys: Mapping[str, AnswerKey]
    ) -> ResolvedResults:
        """Return the results after translating and judging open runs, as far as possible."""
        if not self.models:
            return ResolvedResults(results)
        scenarios_by_id = {each.scenario_id: each for each in scenarios}
        designs: Mapping[Place, ParsedAnswer] = {}
        async with open_judgement_cache(self.ledger) as cache:
            if self.translator is not None:
                results, designs = await self._translate_runs(results, scenarios_by_id, keys, cache)
            if self.judges:
                results = await self._judge_open_runs(results, scenarios_by_id, keys, designs, cache)
        return ResolvedResults(results, cache.stopped)

    async def _translate_runs(
        self,
        results: Results,
        scenarios: Mapping[str, Scenario],
        keys: Mapping[str, AnswerKey],
        cache: JudgementCache,
    ) -> tuple[Results, Mapping[Place, ParsedAnswer]]:
        """Score the answers that can be translated; return also the figures of designs, which judges read."""
        assert self.translator is not None
        meter = _CostMeter.start(self.budget, cache)
        translator = RecordTranslator(self.translator, self.connections, self.budget, cache)
        runs = {
            place: run
            for place, run in _iterate_runs_by_scenario_and_number(results)
            if is_translatable(run, keys[place[0]], results.answer_form)
        }
        found = await asyncio.gather(
            *(
                translator.interpret_answer(scenarios[name], keys[name], run.answer)
                for (name, _), run in runs.items()
            )
        )
        interpreted = dict(zip(runs, found, strict=True))
        changed = {
            place: apply_interpretation(runs[place], each, keys[place[0]])
            for place, each in interpreted.items()
        }
        designs = {
            place: claimed
            for place, each in interpreted.items()
            if (claimed := build_claims_for_judges(each, keys[place[0]])) is not None
        }
        update = {
            "translator": str(self.translator),
            "translator_cost": meter.format_cost_since_start(self.budget, cache),
        }
        return _replace_runs(results, changed).model_copy(update=update), designs

    async def _judge_open_runs(
        self,
        results: Results,
        scenarios: Mapping[str, Scenario],
        keys: Mapping[str, AnswerKey],
        designs: Mapping[Place, ParsedAnswer],
        cache: JudgementCache,
    ) -> Results:
        """Return the results with the runs that are still open scored by a panel."""
        panel = JudgePanel(self.judges, self.connections, self.budget, cache)
        runs = {
            place: run for place, run in _iterate_runs_by_scenario_and_number(results) if needs_judges(run)
        }
        cases = [
            RecordCase(
                scenarios[place[0]],
                keys[place[0]],
                run.answer,
                read_evaluation_document(self.rubrics, place[0]),
                designs.get(place),
            )
            for place, run in runs.items()
        ]
        meter = _CostMeter.start(self.budget, cache)
        judgements, agreement = await panel.judge_batch(cases)
        changed = {
            place: _apply_panel_score(runs[place], each.scored)
            for place, each in zip(runs, judgements, strict=True)
        }
        notes = [agreement.note, _describe_spending_stop(changed.values(), cache)]
        return _replace_runs(results, changed).model_copy(
            update={
                "judges": tuple(map(str, self.judges)),
                "judge_kappa": agreement.kappa,
                "judge_alpha": agreement.alpha,
                "judge_leniency": dict(agreement.leniency),
                "judge_note": " ".join(filter(None, notes)),
                "judge_cost": meter.format_cost_since_start(self.budget, cache),
            }
        )


def read_evaluation_document(rubrics: Path, scenario: str) -> str:
    """Return the evaluation document of a scenario; empty if there is none."""
    path = rubrics / f"{scenario}_eval.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _iterate_runs_by_scenario_and_number(results: Results) -> Iterator[tuple[Place, EvaluationRun]]:
    for each in results.scenarios:
        for run in each.runs:
            yield (each.scenario_id, run.number), run


def _replace_runs(results: Results, replacements: Mapping[Place, EvaluationRun]) -> Results:
    scenarios = tuple(
        each.model_copy(
            update={"runs": tuple(replacements.get((each.scenario_id, run.number), run) for run in each.runs)}
        )
        for each in results.scenarios
    )
    return results.model_copy(update={"scenarios": scenarios})


def _apply_panel_score(run: EvaluationRun, scored: ScoredAnswer) -> EvaluationRun:
    """Return a run with the score of the panel; if the panel gave none, only state, note and flags change."""
    flags = tuple(dict.fromkeys((*run.flags, *scored.flags)))
    if scored.state is not RunState.SCORED:
        return run.model_copy(update={"state": scored.state, "note": scored.note, "flags": flags})
    return run.model_copy(
        update={
            "state": scored.state,
            "score": scored.score,
            "components": scored.components,
            "note": scored.note,
            "flags": tuple(dict.fromkeys((*flags, "judged"))),
        }
    )


def _describe_spending_stop(runs: Iterable[EvaluationRun], cache: JudgementCache) -> str:
    """Return a sentence on the runs that the spending limit left open; empty if the limit was not reached."""
    if cache.stopped is None:
        return ""
    left = sum(run.score is None for run in runs)
    return f"The spending limit was reached: {left} answers could not be scored. Raise it and run again; stored verdicts are reused."


@dataclass(frozen=True)
class _CostMeter:
    """Spending at the start of a stage, to compute the cost of that stage."""

    spent: Decimal
    priced: int
    recalled_count: int

    @classmethod
    def start(cls, budget: SpendingBudget, cache: JudgementCache) -> _CostMeter:
        return cls(budget.spent, budget.requests - budget.unpriced, len(cache.recalled_costs))

    def format_cost_since_start(self, budget: SpendingBudget, cache: JudgementCache) -> str | None:
        """Return the dollars spent since the start, including reused replies; None without a price."""
        recalled_costs = cache.recalled_costs[self.recalled_count :]
        if not recalled_costs and budget.requests - budget.unpriced == self.priced:
            return None
        total = budget.spent - self.spent + sum(recalled_costs, Decimal(0))
        # normalized, so that interrupted and whole runs print the same amount
        return f"{total.normalize():f}"
