"""The evaluator of IM-Reach: it runs an adaptive test of a model for each thinking budget."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from impossible_moments.domain.evaluation_protocol import TEMPERATURE
from impossible_moments.evaluation.menu_runs import score_reply
from impossible_moments.evaluation.menus import ActionMenu, build_action_menu, render_menu_instructions
from impossible_moments.evaluation.reach.adaptive_test import ITEMS, ReachItem, ReachItemSource, ReachTest
from impossible_moments.evaluation.reach.reach_results import (
    ReachItemResult,
    ReachPoint,
    ReachResults,
    build_reach_point,
)
from impossible_moments.evaluation.results import EvaluationRun, RunState
from impossible_moments.evaluation.runs.answer_collection import (
    AnswerCollector,
    Reply,
    Respondent,
    RunConditions,
)
from impossible_moments.evaluation.runs.baselines import PREFIX, find_baseline
from impossible_moments.evaluation.runs.menu_baselines import find_menu_baseline
from impossible_moments.evaluation.runs.presentation import AnswerForm
from impossible_moments.evaluation.runs.respondents import ModelRespondent, ProgramRespondent
from impossible_moments.llm import (
    ConnectionPool,
    SpendingBudget,
    ThinkingBudget,
    find_api_keys,
    load_price_table,
    parse_model_reference,
)


@dataclass
class ReachEvaluator:
    """Runs an adaptive test of one model for each thinking budget. Stored answers are not requested again."""

    source: ReachItemSource
    model_under_test: str
    output: Path
    """The folder where answers are stored."""
    seed: int = 0
    items: int = ITEMS
    answer: AnswerForm = AnswerForm.MENU
    budgets: Sequence[ThinkingBudget | None] = (None,)
    temperature: float | None = TEMPERATURE
    spending_limit: Decimal | None = None
    prices: Path | None = None
    report_progress: Callable[[int, int], None] = lambda _done, _all: None
    spending: SpendingBudget = field(default_factory=SpendingBudget)

    def measure(self) -> ReachResults:
        """Run the tests one after the other and return the curve."""
        return asyncio.run(self._measure())

    async def _measure(self) -> ReachResults:
        self.spending.limit = self.spending_limit
        connections = ConnectionPool(find_api_keys(None), load_price_table(self.prices))
        try:
            points = [await self._measure_point(connections, budget) for budget in self.budgets]
        finally:
            await connections.close()
        return ReachResults(
            model=self.build_conditions(None).model,
            answer_form=self.answer,
            seed=self.seed,
            items_asked=self.items,
            source=self.source.name,
            levels=tuple(self.source.levels),
            created=datetime.now(tz=UTC).isoformat(timespec="seconds"),
            points=tuple(points),
        )

    async def _measure_point(self, connections: ConnectionPool, budget: ThinkingBudget | None) -> ReachPoint:
        conditions = self.build_conditions(budget)
        sent: dict[str, None] = {}

        async def ask(number: int, item: ReachItem) -> ReachItemResult:
            reply, run = await self._ask_item(connections, conditions, item)
            if reply.thinking_sent:
                sent[reply.thinking_sent] = None
            return _build_item_result(number, item, run)

        test = ReachTest(self.source, ask, self.seed, self.items, self.report_progress)
        found = await test.run()
        return build_reach_point(
            found, thinking_asked="" if budget is None else str(budget), thinking_sent=tuple(sent)
        )

    def build_conditions(self, budget: ThinkingBudget | None) -> RunConditions:
        """Return the conditions under which the model is asked."""
        program = self.model_under_test.startswith(PREFIX)
        return RunConditions(
            self.model_under_test if program else str(parse_model_reference(self.model_under_test)),
            form=self.answer,
            runs=1,
            temperature=None if program else self.temperature,
            thinking=None if program else budget,
        )

    async def _ask_item(
        self, connections: ConnectionPool, conditions: RunConditions, item: ReachItem
    ) -> tuple[Reply, EvaluationRun]:
        name = item.scenario.scenario_id
        menu = build_action_menu(item.key) if self.answer is AnswerForm.MENU else None
        collector = AnswerCollector(
            conditions,
            self._create_respondent(connections, conditions, menu),
            self.output,
            menus={} if menu is None else {name: render_menu_instructions(menu)},
        )
        replies = await collector.collect_answers([item.scenario])
        reply = replies[name, 1]
        return reply, score_reply(1, reply, item.key, conditions)

    def _create_respondent(
        self, connections: ConnectionPool, conditions: RunConditions, menu: ActionMenu | None
    ) -> Respondent:
        if not self.model_under_test.startswith(PREFIX):
            model = parse_model_reference(self.model_under_test)
            connections.require_keys_and_packages([model])
            return ModelRespondent(model, connections, self.spending, conditions)
        if menu is None:
            return ProgramRespondent(find_baseline(self.model_under_test))
        baseline = find_menu_baseline(self.model_under_test)
        return ProgramRespondent(lambda scenario: baseline(scenario, menu))


def _build_item_result(number: int, item: ReachItem, run: EvaluationRun) -> ReachItemResult:
    """Return the result of an item. An answer that the model did not finish or that cannot be read is not solved."""
    is_scored = run.state is RunState.SCORED
    is_failed_answer = run.state is RunState.UNSCORED and run.is_open
    return ReachItemResult(
        number=number,
        item_id=item.scenario.scenario_id,
        level=item.level,
        seed=item.seed,
        title=item.scenario.title,
        passed=run.passed if is_scored else False if is_failed_answer else None,
        score=run.score,
        note=run.note,
        answer=run.answer,
        input_tokens=run.input_tokens,
        output_tokens=run.output_tokens,
        thinking_tokens=run.thinking_tokens,
        cost=run.cost,
    )
