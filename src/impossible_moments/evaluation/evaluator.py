"""The evaluator of specification 8.4: it runs a model on scenarios and returns results."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import sha256
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

from impossible_moments.domain.evaluation_protocol import RUNS, TEMPERATURE
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.benchmark_description import describe_benchmark
from impossible_moments.evaluation.judging.open_run_resolution import OpenRunResolver
from impossible_moments.evaluation.menu_runs import (
    restore_answers,
    score_reply,
    show_menu_answers_in_words,
)
from impossible_moments.evaluation.menus import (
    ActionMenu,
    build_action_menu,
    find_revealed_deeds,
    render_menu_instructions,
)
from impossible_moments.evaluation.results import Results, ScenarioResult
from impossible_moments.evaluation.run_scoring import MENU_FORMS
from impossible_moments.evaluation.runs.answer_collection import (
    AnswerCollector,
    Reply,
    Respondent,
    RunConditions,
)
from impossible_moments.evaluation.runs.baselines import PREFIX, find_baseline
from impossible_moments.evaluation.runs.menu_baselines import find_menu_baseline
from impossible_moments.evaluation.runs.presentation import AnswerForm, Presentation
from impossible_moments.evaluation.runs.respondents import (
    EpisodeRespondent,
    ModelRespondent,
    ProgramRespondent,
)
from impossible_moments.evaluation.statistics.twin_pairs import add_twin_ids_to_results, load_declared_twins
from impossible_moments.library import load_everyday_library
from impossible_moments.llm import (
    ConnectionPool,
    ModelFailure,
    SpendingBudget,
    ThinkingBudget,
    find_api_keys,
    load_price_table,
    parse_model_reference,
)
from impossible_moments.mechanics.records import Library
from impossible_moments.scenarios import Scenario, ScenarioRegistry

KIND: Final = "chain_of_thought"
"""The kind of system that the plan form asks for: reasoning first, then an answer."""


@dataclass
class Evaluator:
    """Runs a model on scenarios and scores its answers by executing them."""

    rubrics_path: str | Path = "scenarios/evaluation"
    model_under_test: str = "builtin:solver"
    runs_per_scenario: int = RUNS
    temperature: float | None = TEMPERATURE
    presentation: str = "blind"
    answer: str = "plan"
    output: str | Path = ".evaluation"
    """The folder where answers are stored. A repeated run continues there."""
    api_key: str | None = None
    spending_limit: Decimal | None = None
    prices: Path | None = None
    judges: Sequence[str] = ()
    """The models that judge what cannot be executed; at least two."""
    translator: str | None = None
    """A model that reads answers in plain text, so that they can be executed."""
    restarts: int = 0
    """How often an interactive episode may begin again."""
    thinking: ThinkingBudget | None = None
    """How much the model may think before it answers, or None to leave its settings alone."""
    concurrency: int = 8
    library: Library = field(default_factory=load_everyday_library)
    report_progress: Callable[[int, int], None] = lambda _done, _all: None
    budget: SpendingBudget = field(default_factory=SpendingBudget)
    stopped: ModelFailure | None = field(default=None, init=False)
    """The failure at the spending limit, if it was reached; the results are then incomplete."""

    def evaluate(self, scenarios: Sequence[Scenario]) -> Results:
        """Ask the model, score its answers and return the results."""
        return asyncio.run(self._run_evaluation(scenarios))

    def score(
        self, scenarios: Sequence[Scenario], replies: Mapping[tuple[str, int], Reply], *, model: str
    ) -> Results:
        """Score answers from elsewhere, given by scenario and run, and return the results."""
        return asyncio.run(self._score_replies(scenarios, replies, model))

    async def _run_evaluation(self, scenarios: Sequence[Scenario]) -> Results:
        _reject_policies(self.answer)
        keys = self.load_keys(scenarios)
        connections, resolver = self._create_connections_and_resolver()
        conditions = self.conditions
        menus = self._build_menus(keys)
        engine = AnswerCollector(
            conditions,
            self._create_respondent(connections, conditions, menus, keys),
            Path(self.output),
            concurrency=self.concurrency,
            menus={name: render_menu_instructions(menu) for name, menu in menus.items()},
            report_progress=self.report_progress,
        )
        try:
            unscorable = [each for each in scenarios if keys[each.scenario_id].unscorable_reason]
            replies = {
                **await engine.collect_answers([each for each in scenarios if each not in unscorable]),
                # the model is not asked about the others; they are reported as unscored, with the reason
                **_make_empty_replies(unscorable, conditions.runs),
            }
            predicted = load_predicted_scores(Path(self.rubrics_path).parent)
            results = build_results(
                scenarios, keys, replies, conditions, library=str(self.library), predicted=predicted
            )
            results = add_twin_ids_to_results(
                results, keys, load_declared_twins(Path(self.rubrics_path).parent)
            )
            return await self._resolve_open_runs_of_results(resolver, results, scenarios, keys)
        finally:
            await connections.close()

    async def _score_replies(
        self, scenarios: Sequence[Scenario], replies: Mapping[tuple[str, int], Reply], model: str
    ) -> Results:
        _reject_policies(self.answer)
        keys = self.load_keys(scenarios)
        connections, resolver = self._create_connections_and_resolver()
        runs = max((number for _, number in replies), default=1)
        conditions = RunConditions(
            model, form=AnswerForm(self.answer), runs=runs, temperature=None, restarts=self.restarts
        )
        try:
            results = build_results(scenarios, keys, replies, conditions, library=str(self.library))
            results = add_twin_ids_to_results(
                results, keys, load_declared_twins(Path(self.rubrics_path).parent)
            )
            return await self._resolve_open_runs_of_results(resolver, results, scenarios, keys)
        finally:
            await connections.close()

    def _create_connections_and_resolver(self) -> tuple[ConnectionPool, OpenRunResolver]:
        """Create the model connection and the settler, and check that both are usable."""
        self.budget.limit = self.spending_limit
        connections = ConnectionPool(
            find_api_keys(self.api_key), load_price_table(self.prices), at_once=self.concurrency
        )
        resolver = OpenRunResolver(
            tuple(map(parse_model_reference, self.judges)),
            parse_model_reference(self.translator) if self.translator else None,
            connections,
            self.budget,
            ledger=Path(self.output),
            rubrics=Path(self.rubrics_path),
        )
        resolver.validate_setup()
        return connections, resolver

    async def _resolve_open_runs_of_results(
        self,
        resolver: OpenRunResolver,
        results: Results,
        scenarios: Sequence[Scenario],
        keys: Mapping[str, AnswerKey],
    ) -> Results:
        shown = results
        if results.answer_form in MENU_FORMS and resolver.models:
            # judges read the lines of a menu in words, not its codes
            shown = show_menu_answers_in_words(results, self._build_menus(keys))
        found = await resolver.resolve_open_runs(shown, scenarios, keys)
        self.stopped = found.stopped
        return found.results if shown is results else restore_answers(found.results, results)

    @property
    def conditions(self) -> RunConditions:
        """The conditions under which the model is asked."""
        program = self.model_under_test.startswith(PREFIX)
        return RunConditions(
            self.model_under_test if program else str(parse_model_reference(self.model_under_test)),
            Presentation(self.presentation),
            AnswerForm(self.answer),
            self.runs_per_scenario,
            None if program else self.temperature,
            restarts=self.restarts,
            thinking=None if program else self.thinking,
        )

    def load_keys(self, scenarios: Sequence[Scenario]) -> Mapping[str, AnswerKey]:
        """Load the answer key of each scenario."""
        folder = Path(self.rubrics_path)
        return {
            each.scenario_id: AnswerKey.load(folder, each.scenario_id, self.library) for each in scenarios
        }

    def _build_menus(self, keys: Mapping[str, AnswerKey]) -> Mapping[str, ActionMenu]:
        """Build the menu of each scenario if answers come from menus."""
        form = AnswerForm(self.answer)
        if form not in MENU_FORMS:
            return {}
        with_unsaid = form is AnswerForm.INTERACTIVE
        return {
            name: build_action_menu(key, with_unsaid=with_unsaid)
            for name, key in keys.items()
            if not key.unscorable_reason
        }

    def _create_respondent(
        self,
        connections: ConnectionPool,
        conditions: RunConditions,
        menus: Mapping[str, ActionMenu],
        keys: Mapping[str, AnswerKey],
    ) -> Respondent:
        if self.model_under_test.startswith(PREFIX):
            if conditions.form in MENU_FORMS:
                baseline = find_menu_baseline(self.model_under_test)
                return ProgramRespondent(lambda scenario: baseline(scenario, menus[scenario.scenario_id]))
            return ProgramRespondent(find_baseline(self.model_under_test))
        model = parse_model_reference(self.model_under_test)
        connections.require_keys_and_packages([model])
        if conditions.form is AnswerForm.INTERACTIVE:
            return EpisodeRespondent(model, connections, self.budget, conditions, keys)
        return ModelRespondent(model, connections, self.budget, conditions)


def build_results(
    scenarios: Sequence[Scenario],
    keys: Mapping[str, AnswerKey],
    replies: Mapping[tuple[str, int], Reply],
    conditions: RunConditions,
    *,
    library: str,
    predicted: Mapping[str, float] | None = None,
) -> Results:
    """Score all replies and build the results of an evaluation."""
    found = tuple(
        ScenarioResult(
            scenario_id=each.scenario_id,
            title=each.title,
            category=each.category,
            tier=each.tier,
            status=keys[each.scenario_id].full_status,
            family=compute_family_hash(keys[each.scenario_id]),
            predicted=(predicted or {}).get(each.scenario_id),
            is_recognition=conditions.form in MENU_FORMS
            and bool(find_revealed_deeds(keys[each.scenario_id], each.blind)),
            runs=tuple(
                score_reply(number, replies[each.scenario_id, number], keys[each.scenario_id], conditions)
                for number in range(1, conditions.runs + 1)
                if (each.scenario_id, number) in replies
            ),
        )
        for each in scenarios
    )
    costs = [Decimal(reply.cost) for reply in replies.values() if reply.cost is not None]
    return Results(
        model=conditions.model,
        presentation=conditions.presentation,
        answer_form=conditions.form,
        runs_per_scenario=conditions.runs,
        restarts_allowed=conditions.restarts,
        temperature_asked=conditions.temperature,
        thinking_asked="" if conditions.thinking is None else str(conditions.thinking),
        thinking_sent=tuple(
            dict.fromkeys(each.thinking_sent for each in replies.values() if each.thinking_sent)
        ),
        library=library,
        benchmark=describe_benchmark(scenarios),
        created=datetime.now(tz=UTC).isoformat(timespec="seconds"),
        scenarios=found,
        cost=str(sum(costs, Decimal(0))) if costs else None,
    )


def _reject_policies(answer: str) -> None:
    if answer == AnswerForm.POLICY:
        raise ConfigurationError(
            "Policies are for uncertain worlds only. Use `UncertainEvaluator`, or another answer form."
        )


def _make_empty_replies(scenarios: Sequence[Scenario], runs: int) -> dict[tuple[str, int], Reply]:
    return {(each.scenario_id, number): Reply("") for each in scenarios for number in range(1, runs + 1)}


def load_predicted_scores(folder: Path) -> Mapping[str, float]:
    """Return GALILEO's predictions for reasoning models, by scenario of a folder."""
    entries = ScenarioRegistry(folder).entries
    return {name: each.predicted[KIND] for name, each in entries.items() if KIND in each.predicted}


def compute_family_hash(key: AnswerKey) -> str:
    """Return a hash that scenarios of the same family share.

    It is computed from the verbs of their own actions and the kinds of their puzzles, whatever things are
    involved.
    """
    actions = sorted(action.verb for action in key.analysis.world.actions.values() if action.own)
    puzzles = sorted(puzzle.kind for puzzle in key.analysis.world.puzzles.values())
    return sha256(" ".join([*actions, *puzzles]).encode()).hexdigest()[:12]


if __name__ == "__main__":
    # Specification 8.2 starts the command line here. The package registers it, as it does the command `im`.
    (command,) = entry_points(group="impossible_moments.scripts", name="evaluator")
    command.load()()
