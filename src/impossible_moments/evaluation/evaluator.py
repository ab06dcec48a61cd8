"""The evaluator of specification 8.4: it runs a model on scenarios and returns results."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Final

from impossible_moments.evaluation.baselines import PREFIX, baseline
from impossible_moments.evaluation.engine import Conditions, Engine, Reply, Respondent
from impossible_moments.evaluation.judging.settling import FOR_JUDGES, Settler
from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.presentation import Form, Presentation
from impossible_moments.evaluation.respondents import Model, Program
from impossible_moments.evaluation.results import Results, Run, ScenarioResult, State
from impossible_moments.evaluation.scoring import Scored, scored
from impossible_moments.evaluation.twins import declared, with_twins
from impossible_moments.knowledge.everyday import everyday
from impossible_moments.mechanics.library import Library
from impossible_moments.models.exchange import Exchange
from impossible_moments.models.failures import ModelFailure
from impossible_moments.models.keys import found_keys
from impossible_moments.models.prices import price_table
from impossible_moments.models.references import reference
from impossible_moments.models.spending import Purse
from impossible_moments.scenarios.registry import Registry
from impossible_moments.scenarios.scenario import Scenario

KIND: Final = "chain_of_thought"
"""The kind of system that the plan form asks for: reasoning first, then an answer."""


@dataclass
class Evaluator:
    """Runs a model on scenarios and scores its answers by executing them."""

    rubrics_path: str | Path = "scenarios/evaluation"
    model_under_test: str = "builtin:solver"
    runs_per_scenario: int = 3
    temperature: float | None = 0.7
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
    """A model that translates plain-text answers into the plan form, so that they can be executed."""
    at_once: int = 8
    library: Library = field(default_factory=everyday)
    told: Callable[[int, int], None] = lambda _done, _all: None
    purse: Purse = field(default_factory=Purse)
    stopped: ModelFailure | None = field(default=None, init=False)
    """The failure at the spending limit, if it was reached; the results are then incomplete."""

    def evaluate(self, scenarios: Sequence[Scenario]) -> Results:
        """Ask the model, score its answers and return the results."""
        return asyncio.run(self._evaluated(scenarios))

    def score(
        self, scenarios: Sequence[Scenario], replies: Mapping[tuple[str, int], Reply], *, model: str
    ) -> Results:
        """Score answers from elsewhere, given by scenario and run, and return the results."""
        return asyncio.run(self._scored(scenarios, replies, model))

    async def _evaluated(self, scenarios: Sequence[Scenario]) -> Results:
        keys = self.keys(scenarios)
        exchange, settler = self._instruments()
        conditions = self.conditions
        engine = Engine(
            conditions,
            self._respondent(exchange, conditions),
            Path(self.output),
            at_once=self.at_once,
            told=self.told,
        )
        try:
            replies = await engine.answers(scenarios)
            predicted = predictions(Path(self.rubrics_path).parent)
            results = summed_up(
                scenarios, keys, replies, conditions, library=str(self.library), predicted=predicted
            )
            results = with_twins(results, keys, declared(Path(self.rubrics_path).parent))
            return await self._settled(settler, results, scenarios, keys)
        finally:
            await exchange.close()

    async def _scored(
        self, scenarios: Sequence[Scenario], replies: Mapping[tuple[str, int], Reply], model: str
    ) -> Results:
        keys = self.keys(scenarios)
        exchange, settler = self._instruments()
        runs = max((number for _, number in replies), default=1)
        conditions = Conditions(model, form=Form(self.answer), runs=runs, temperature=None)
        try:
            results = summed_up(scenarios, keys, replies, conditions, library=str(self.library))
            results = with_twins(results, keys, declared(Path(self.rubrics_path).parent))
            return await self._settled(settler, results, scenarios, keys)
        finally:
            await exchange.close()

    def _instruments(self) -> tuple[Exchange, Settler]:
        """Create the model connection and the settler, and check that both are usable."""
        self.purse.limit = self.spending_limit
        exchange = Exchange(found_keys(self.api_key), price_table(self.prices), at_once=self.at_once)
        settler = Settler(
            tuple(map(reference, self.judges)),
            reference(self.translator) if self.translator else None,
            exchange,
            self.purse,
            ledger=Path(self.output),
            rubrics=Path(self.rubrics_path),
        )
        settler.refuse_unfit()
        return exchange, settler

    async def _settled(
        self,
        settler: Settler,
        results: Results,
        scenarios: Sequence[Scenario],
        keys: Mapping[str, AnswerKey],
    ) -> Results:
        found = await settler.settled(results, scenarios, keys)
        self.stopped = found.stopped
        return found.results

    @property
    def conditions(self) -> Conditions:
        """The conditions under which the model is asked."""
        program = self.model_under_test.startswith(PREFIX)
        return Conditions(
            self.model_under_test if program else str(reference(self.model_under_test)),
            Presentation(self.presentation),
            Form(self.answer),
            self.runs_per_scenario,
            None if program else self.temperature,
        )

    def keys(self, scenarios: Sequence[Scenario]) -> Mapping[str, AnswerKey]:
        """Load the answer key of each scenario."""
        folder = Path(self.rubrics_path)
        return {
            each.scenario_id: AnswerKey.load(folder, each.scenario_id, self.library) for each in scenarios
        }

    def _respondent(self, exchange: Exchange, conditions: Conditions) -> Respondent:
        if self.model_under_test.startswith(PREFIX):
            return Program(baseline(self.model_under_test))
        model = reference(self.model_under_test)
        exchange.refuse_unreachable([model])
        return Model(model, exchange, self.purse, conditions)


def summed_up(
    scenarios: Sequence[Scenario],
    keys: Mapping[str, AnswerKey],
    replies: Mapping[tuple[str, int], Reply],
    conditions: Conditions,
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
            family=family_of(keys[each.scenario_id]),
            predicted=(predicted or {}).get(each.scenario_id),
            runs=tuple(
                run_of(number, replies[each.scenario_id, number], keys[each.scenario_id], conditions.form)
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
        temperature_asked=conditions.temperature,
        library=library,
        benchmark=_benchmark(scenarios),
        created=datetime.now(tz=UTC).isoformat(timespec="seconds"),
        scenarios=found,
        cost=str(sum(costs, Decimal(0))) if costs else None,
    )


def predictions(folder: Path) -> Mapping[str, float]:
    """Return GALILEO's predictions for reasoning models, by scenario of a folder."""
    entries = Registry(folder).entries
    return {name: each.predicted[KIND] for name, each in entries.items() if KIND in each.predicted}


def run_of(number: int, reply: Reply, key: AnswerKey, form: Form = Form.PLAN) -> Run:
    """Score one reply. A reply that failed for technical reasons is unscored, not wrong."""
    usage = {"input_tokens": reply.input_tokens, "output_tokens": reply.output_tokens, "cost": reply.cost}
    if reply.failure:
        return Run(number=number, state=State.UNSCORED, note=reply.failure, **usage)  # type: ignore[arg-type]
    found = scored(reply.text, key)
    if form is Form.FREE and "unreadable" in found.flags:
        # no plan was requested, so plain text is left to judges
        found = Scored(State.UNSCORED, None, "an answer in plain text needs judges", (), (FOR_JUDGES,))
    return Run(
        number=number,
        state=found.state,
        score=found.score,
        components=found.components,
        note=found.note,
        executed=found.calls,
        flags=(*reply.flags, *found.flags),
        # a model may write lone surrogates, which cannot be stored in a file
        answer=reply.text.encode("utf-8", "replace").decode("utf-8"),
        **usage,  # type: ignore[arg-type]
    )


def family_of(key: AnswerKey) -> str:
    """Return a hash that scenarios of the same family share.

    It is computed from the verbs of their own actions and the kinds of their puzzles, whatever things are
    involved.
    """
    actions = sorted(action.verb for action in key.analysis.world.actions.values() if action.own)
    puzzles = sorted(puzzle.kind for puzzle in key.analysis.world.puzzles.values())
    return sha256(" ".join([*actions, *puzzles]).encode()).hexdigest()[:12]


def _benchmark(scenarios: Sequence[Scenario]) -> str:
    text = "".join(each.text for each in scenarios)
    return f"{len(scenarios)} scenarios ({sha256(text.encode()).hexdigest()[:12]})"


if __name__ == "__main__":
    # the entry point of the specification; the command line is a higher layer, so it is imported by name
    import_module("impossible_moments.cli.evaluator_flags").main()
