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

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.baselines import PREFIX
from impossible_moments.evaluation.engine import Conditions, Engine, Reply
from impossible_moments.evaluation.foreign.judging import FOREIGN, ForeignCase
from impossible_moments.evaluation.foreign.results import BY_JUDGES, BY_OUTCOME, ForeignResults
from impossible_moments.evaluation.foreign.shown import ForeignFolder, ForeignScenario, chosen
from impossible_moments.evaluation.foreign.stating import Found, compared
from impossible_moments.evaluation.judges import Agreement, Panel, refuse_no_panel
from impossible_moments.evaluation.judging.docket import docket_in
from impossible_moments.evaluation.judging.judgements import Judgement
from impossible_moments.evaluation.presentation import Form
from impossible_moments.evaluation.respondents import Model
from impossible_moments.evaluation.results import Run, ScenarioResult, State
from impossible_moments.evaluation.scoring import Scored
from impossible_moments.models.exchange import Exchange
from impossible_moments.models.failures import ModelFailure
from impossible_moments.models.keys import found_keys
from impossible_moments.models.prices import price_table
from impossible_moments.models.references import reference
from impossible_moments.models.spending import Purse

_SCORES: Final = {Found.SAME: 100.0, Found.OTHER: 0.0}
Replies = Mapping[tuple[str, int], Reply]


@dataclass
class ForeignEvaluator:
    """Runs a model on imported scenarios and scores its answers by the statements of their authors."""

    output: Path
    """The folder that stores answers and verdicts, so that a run can be resumed."""
    judges: Sequence[str] = ()
    by_outcome: bool = False
    runs: int = 3
    temperature: float | None = 0.7
    api_key: str | None = None
    spending_limit: Decimal | None = None
    prices: Path | None = None
    at_once: int = 8
    told: Callable[[int, int], None] = lambda _done, _all: None
    purse: Purse = field(default_factory=Purse)
    stopped: ModelFailure | None = field(default=None, init=False)
    """The spending-limit failure, if the limit was reached during judging; results are then incomplete."""

    judged_for: str | None = field(default=None, init=False)
    """Dollars spent on judges, including earlier runs."""

    def evaluate(self, model: str, folder: ForeignFolder) -> ForeignResults:
        """Run a model on a folder of imported scenarios and return its scored results."""
        self.refuse_unfit(model)
        conditions = Conditions(
            str(reference(model)), form=Form.FREE, runs=self.runs, temperature=self.temperature
        )
        return asyncio.run(self._run(folder.scenarios, folder, conditions, None))

    def score(self, replies: Replies, folder: ForeignFolder, model: str) -> ForeignResults:
        """Score answers that were produced outside this program."""
        self.refuse_unfit(None)
        runs = max((number for _, number in replies), default=1)
        conditions = Conditions(model, form=Form.FREE, runs=runs, temperature=None)
        scenarios = chosen(folder, [name for name, _ in replies])
        return asyncio.run(self._run(scenarios, folder, conditions, replies))

    def refuse_unfit(self, model: str | None) -> None:
        """Raise `ConfigurationError` early: not exactly one measure, too few judges, or a built-in model."""
        if bool(self.judges) == self.by_outcome:
            raise ConfigurationError(
                "imported scenarios have no mechanics, so no plan can be executed; score them either by --judge MODEL, "
                "given at least twice, or by --by-outcome."
            )
        if self.judges:
            refuse_no_panel(tuple(map(reference, self.judges)))
        if model is not None and model.startswith(PREFIX):
            raise ConfigurationError(
                f"{model[:60]} answers only scenarios with mechanics, which imported ones do not have; name a language model."
            )

    async def _run(
        self,
        scenarios: Sequence[ForeignScenario],
        folder: ForeignFolder,
        conditions: Conditions,
        replies: Replies | None,
    ) -> ForeignResults:
        self.purse.limit = self.spending_limit
        exchange = Exchange(found_keys(self.api_key), price_table(self.prices), at_once=self.at_once)
        try:
            exchange.refuse_unreachable(list(map(reference, self.judges)))
            if replies is None:
                asked = reference(conditions.model)
                exchange.refuse_unreachable([asked])
                respondent = Model(asked, exchange, self.purse, conditions)
                engine = Engine(conditions, respondent, self.output, at_once=self.at_once, told=self.told)
                replies = await engine.answers(scenarios)
            if self.by_outcome:
                runs = {place: _compared(place, reply, folder) for place, reply in replies.items()}
                return _summed_up(scenarios, runs, conditions, {"measure": "outcome", "said": BY_OUTCOME})
            runs, agreement = await self._judged(scenarios, folder, replies, exchange)
            summary = {
                "measure": "judges",
                "said": BY_JUDGES,
                "judges": tuple(self.judges),
                "judge_kappa": agreement.kappa,
                "judge_alpha": agreement.alpha,
                "judge_leniency": dict(agreement.leniency),
                "judge_note": agreement.note,
                "judge_cost": self.judged_for,
            }
            return _summed_up(scenarios, runs, conditions, summary)
        finally:
            await exchange.close()

    async def _judged(
        self,
        scenarios: Sequence[ForeignScenario],
        folder: ForeignFolder,
        replies: Replies,
        exchange: Exchange,
    ) -> tuple[dict[tuple[str, int], Run], Agreement]:
        shown = {each.scenario_id: each for each in scenarios}
        places = [place for place, reply in replies.items() if not reply.failure]
        cases = [
            ForeignCase(shown[name], folder.keys[name], replies[name, number].text) for name, number in places
        ]
        async with docket_in(self.output) as docket:
            panel = Panel(tuple(map(reference, self.judges)), exchange, self.purse, docket)
            before = self.purse.spent
            judgements, agreement = await panel.batch(cases)
            self.stopped = docket.stopped
            spent = self.purse.spent - before + sum(docket.recalled, Decimal(0))
            self.judged_for = f"{spent.normalize():f}" if spent else None
        found = dict(zip(places, judgements, strict=True))
        return {
            place: _run(place[1], reply, _scored(found.get(place))) for place, reply in replies.items()
        }, agreement


def _scored(judgement: Judgement | None) -> Scored:
    return Scored(State.UNSCORED) if judgement is None else judgement.scored


def _compared(place: tuple[str, int], reply: Reply, folder: ForeignFolder) -> Run:
    """Return a run scored by its last line alone, with a score but no components."""
    if reply.failure:
        return _run(place[1], reply, Scored(State.UNSCORED))
    found = compared(reply.text, folder.keys[place[0]])
    state = State.REVIEW if found.found is Found.REVIEW else State.SCORED
    run = _run(place[1], reply, Scored(state, None, found.why, (), (str(found.found),)))
    return run.model_copy(update={"score": _SCORES.get(found.found)})


def _run(number: int, reply: Reply, found: Scored) -> Run:
    return Run(
        number=number,
        state=found.state,
        score=found.score,
        components=found.components,
        note=reply.failure or found.note,
        flags=tuple(dict.fromkeys((FOREIGN, *reply.flags, *found.flags))),
        # models may write lone surrogates, which cannot be encoded
        answer=reply.text.encode("utf-8", "replace").decode("utf-8"),
        input_tokens=reply.input_tokens,
        output_tokens=reply.output_tokens,
        cost=reply.cost,
    )


def _summed_up(
    scenarios: Sequence[ForeignScenario],
    runs: Mapping[tuple[str, int], Run],
    conditions: Conditions,
    summary: Mapping[str, Any],
) -> ForeignResults:
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
    return ForeignResults(
        model=conditions.model,
        runs_per_scenario=conditions.runs,
        temperature_asked=conditions.temperature,
        benchmark=f"{len(scenarios)} foreign scenarios ({sha256(text.encode()).hexdigest()[:12]})",
        created=datetime.now(tz=UTC).isoformat(timespec="seconds"),
        scenarios=found,
        cost=str(sum(costs, Decimal(0))) if costs else None,
        **summary,
    )
