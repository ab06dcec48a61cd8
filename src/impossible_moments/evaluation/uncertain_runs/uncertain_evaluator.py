"""Evaluation of models and built-in players on uncertain worlds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Final, Literal

from impossible_moments.domain.evaluation_protocol import TEMPERATURE
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.answers.answer_parser import find_answer_object
from impossible_moments.evaluation.runs.answer_collection import (
    AnswerCollector,
    Reply,
    Respondent,
    RunConditions,
)
from impossible_moments.evaluation.runs.baselines import PREFIX
from impossible_moments.evaluation.runs.presentation import AnswerForm
from impossible_moments.evaluation.uncertain_runs.builtin_players import find_player
from impossible_moments.evaluation.uncertain_runs.player_episode import replay_transcript
from impossible_moments.evaluation.uncertain_runs.uncertain_key import UncertainKey
from impossible_moments.evaluation.uncertain_runs.uncertain_prompts import SYSTEM, build_policy_prompt
from impossible_moments.evaluation.uncertain_runs.uncertain_respondents import (
    BuiltinPlayerRespondent,
    ModelPlayerRespondent,
    name_world,
    parse_world_name,
)
from impossible_moments.evaluation.uncertain_runs.uncertain_results import (
    UncertainResults,
    UncertainScenarioResult,
    WorldRun,
    summarize_uncertain_results,
)
from impossible_moments.llm import (
    ConnectionPool,
    SpendingBudget,
    find_api_keys,
    load_price_table,
    parse_model_reference,
)
from impossible_moments.mechanics.uncertain import (
    DecisionTreeError,
    evaluate_decision_tree,
    parse_decision_tree,
)
from impossible_moments.scenarios import Scenario

WORLDS: Final = 20
"""How many worlds of each scenario are played by default."""
UNCERTAIN_FORMS: Final = frozenset({AnswerForm.INTERACTIVE, AnswerForm.POLICY})


@dataclass
class UncertainEvaluator:
    """Lets a player act in many seeded worlds of each scenario, or evaluates its policy exactly."""

    rubrics_path: Path
    model_under_test: str
    form: AnswerForm = AnswerForm.INTERACTIVE
    worlds: int = WORLDS
    runs: int = 1
    """How many policies are asked for, with the form `policy`."""
    temperature: float | None = TEMPERATURE
    output: Path = Path(".evaluation")
    """The folder where answers are stored. A repeated run continues there."""
    api_key: str | None = None
    spending_limit: Decimal | None = None
    prices: Path | None = None
    concurrency: int = 8
    report_progress: Callable[[int, int], None] = lambda _done, _all: None
    budget: SpendingBudget = field(default_factory=SpendingBudget)

    def validate_setup(self) -> None:
        """Raise `ConfigurationError` for an unknown built-in player or a form that does not fit."""
        if self.form not in UNCERTAIN_FORMS:
            raise ConfigurationError(
                f"Uncertain worlds are not answered in the form {self.form}. Use --answer interactive or --answer policy."
            )
        if self._is_program:
            find_player(self.model_under_test)

    @property
    def _is_program(self) -> bool:
        return self.model_under_test.startswith(PREFIX)

    @property
    def answers_per_scenario(self) -> int:
        """How many answers each scenario needs."""
        return self.worlds if self.form is AnswerForm.INTERACTIVE else self.runs

    def evaluate(self, scenarios: Sequence[Scenario]) -> UncertainResults:
        """Play all worlds and return the results."""
        self.validate_setup()
        return asyncio.run(self._run_evaluation(scenarios))

    async def _run_evaluation(self, scenarios: Sequence[Scenario]) -> UncertainResults:
        keys = {
            each.scenario_id: UncertainKey.load(self.rubrics_path, each.scenario_id) for each in scenarios
        }
        conditions = self._build_conditions()
        self.budget.limit = self.spending_limit
        connections = ConnectionPool(
            find_api_keys(self.api_key), load_price_table(self.prices), at_once=self.concurrency
        )
        asked = self._list_asked_scenarios(scenarios)
        collector = AnswerCollector(
            conditions,
            self._create_respondent(connections, conditions, keys),
            self.output,
            concurrency=self.concurrency,
            menus={each.scenario_id: self._render_instructions(each) for each in asked},
            report_progress=self.report_progress,
        )
        try:
            replies = await collector.collect_answers(asked)
        finally:
            await connections.close()
        by_world = {
            key if self.form is AnswerForm.POLICY else parse_world_name(key[0]): reply
            for key, reply in replies.items()
        }
        return self._build_results(scenarios, keys, by_world, conditions)

    def score(
        self, scenarios: Sequence[Scenario], replies: Mapping[tuple[str, int], Reply], *, model: str
    ) -> UncertainResults:
        """Score answers from elsewhere, given by scenario and number: the world of a transcript, or the run of a policy."""
        keys = {
            each.scenario_id: UncertainKey.load(self.rubrics_path, each.scenario_id) for each in scenarios
        }
        return self._build_results(
            scenarios, keys, replies, RunConditions(model, form=self.form, temperature=None)
        )

    def _build_results(
        self,
        scenarios: Sequence[Scenario],
        keys: Mapping[str, UncertainKey],
        replies: Mapping[tuple[str, int], Reply],
        conditions: RunConditions,
    ) -> UncertainResults:
        results = tuple(
            self._build_scenario_result(each, keys[each.scenario_id], replies) for each in scenarios
        )
        costs = [Decimal(reply.cost) for reply in replies.values() if reply.cost is not None]
        form: Literal["interactive", "policy"] = "policy" if self.form is AnswerForm.POLICY else "interactive"
        most = max((len(each.runs) for each in results), default=0)
        return UncertainResults(
            model=conditions.model,
            answer_form=form,
            worlds=most if form == "interactive" else 0,
            temperature_asked=conditions.temperature,
            created=datetime.now(tz=UTC).isoformat(timespec="seconds"),
            summary=summarize_uncertain_results(results),
            scenarios=results,
            cost=str(sum(costs, Decimal(0))) if costs else None,
        )

    def _build_conditions(self) -> RunConditions:
        model = self.model_under_test
        return RunConditions(
            model if self._is_program else str(parse_model_reference(model)),
            form=self.form,
            runs=1 if self.form is AnswerForm.INTERACTIVE else self.runs,
            temperature=None if self._is_program else self.temperature,
        )

    def _list_asked_scenarios(self, scenarios: Sequence[Scenario]) -> list[Scenario]:
        if self.form is AnswerForm.POLICY:
            return list(scenarios)
        return [name_world(each, number) for each in scenarios for number in range(1, self.worlds + 1)]

    def _render_instructions(self, scenario: Scenario) -> str:
        """Return what the model is asked, so that a stored answer belongs to exactly this request."""
        return build_policy_prompt(scenario.blind) if self.form is AnswerForm.POLICY else SYSTEM

    def _create_respondent(
        self, connections: ConnectionPool, conditions: RunConditions, keys: Mapping[str, UncertainKey]
    ) -> Respondent:
        if self._is_program:
            return BuiltinPlayerRespondent(find_player(self.model_under_test), self.form, keys)
        model = parse_model_reference(self.model_under_test)
        connections.require_keys_and_packages([model])
        return ModelPlayerRespondent(model, connections, self.budget, conditions, keys)

    def _build_scenario_result(
        self, scenario: Scenario, key: UncertainKey, replies: Mapping[tuple[str, int], Reply]
    ) -> UncertainScenarioResult:
        score = score_policy if self.form is AnswerForm.POLICY else score_episode
        numbers = sorted(number for name, number in replies if name == scenario.scenario_id)
        runs = [score(number, replies[scenario.scenario_id, number], key) for number in numbers]
        return UncertainScenarioResult(
            scenario_id=scenario.scenario_id,
            title=scenario.title,
            category=scenario.category,
            tier=scenario.tier,
            family=key.world.record.family,
            optimum=float(key.optimum),
            runs=tuple(runs),
        )


def score_episode(number: int, reply: Reply, key: UncertainKey) -> WorldRun:
    """Return the run of one world."""
    played = None if reply.failure else replay_transcript(reply.text, key, number)
    if played is None:
        return _build_run(number, reply, note=reply.failure or "there is no transcript of an episode")
    run = _build_run(number, reply)
    return run.model_copy(
        update={
            "success": float(played.is_success),
            "loss": played.loss,
            "acts": played.acts,
            "invalid_acts": played.invalid_acts,
        }
    )


def score_policy(number: int, reply: Reply, key: UncertainKey) -> WorldRun:
    """Return the run of one policy, with its exact probability of success."""
    data = None if reply.failure else find_answer_object(reply.text, ("policy",))
    if data is None:
        return _build_run(number, reply, note=reply.failure or "there is no JSON object with `policy`")
    try:
        value = evaluate_decision_tree(key.world, parse_decision_tree(data["policy"], key.world))
    except DecisionTreeError as problem:
        return _build_run(number, reply, note=f"the decision tree cannot be read: {problem}")
    run = _build_run(number, reply)
    return run.model_copy(update={"success": float(value), "loss": float(key.optimum - value)})


def _build_run(number: int, reply: Reply, note: str = "") -> WorldRun:
    return WorldRun(
        number=number,
        success=None,
        loss=None,
        note=note,
        answer=reply.text.encode("utf-8", "replace").decode("utf-8"),
        input_tokens=reply.input_tokens,
        output_tokens=reply.output_tokens,
        cost=reply.cost,
    )
