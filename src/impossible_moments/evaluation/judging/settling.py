"""Resolution of runs that execution leaves open, by translation or by judges, within the spending limit."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from impossible_moments.evaluation.judges import Case, Panel, refuse_no_panel
from impossible_moments.evaluation.judging.docket import Docket, docket_in
from impossible_moments.evaluation.judging.judgements import needs_judges
from impossible_moments.evaluation.judging.translation import Translation, Translator
from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.reading.answers import Answer
from impossible_moments.evaluation.results import Results, Run, State
from impossible_moments.evaluation.scoring import Scored
from impossible_moments.models.exchange import Exchange
from impossible_moments.models.failures import FailureKind, ModelFailure
from impossible_moments.models.references import ModelReference
from impossible_moments.models.spending import Purse
from impossible_moments.scenarios.scenario import Scenario

FOR_JUDGES: Final = "for judges"
"""Flag of an answer that a program cannot score."""
Place = tuple[str, int]
"""A run, identified by its scenario and number."""


@dataclass(frozen=True)
class Settlement:
    """Results after resolving open runs, and the spending-limit failure if it stopped the rest."""

    results: Results
    stopped: ModelFailure | None = None


@dataclass(frozen=True)
class Settler:
    """Resolves open runs with a translator, judges, both, or neither."""

    judges: tuple[ModelReference, ...]
    translator: ModelReference | None
    exchange: Exchange
    purse: Purse
    ledger: Path
    """The folder that stores answers and verdicts."""
    rubrics: Path
    """The folder of the evaluation documents."""

    @property
    def models(self) -> tuple[ModelReference, ...]:
        """All models that may be asked."""
        return (*self.judges, *([self.translator] if self.translator is not None else []))

    def refuse_unfit(self) -> None:
        """Raise early for too few judges, a missing key, or an unknown price with a spending limit."""
        if self.judges:
            refuse_no_panel(self.judges)
        self.exchange.refuse_unreachable(self.models)
        for each in self.models if self.purse.limit is not None else ():
            if self.exchange.prices.cost(each, 1, 1) is None:
                detail = "its price is not known, so the spending limit cannot be enforced; give the price with --prices"
                raise ModelFailure(FailureKind.SPENDING, str(each), detail)

    async def settled(
        self, results: Results, scenarios: Sequence[Scenario], keys: Mapping[str, AnswerKey]
    ) -> Settlement:
        """Return the results after translating and judging open runs, as far as possible."""
        if not self.models:
            return Settlement(results)
        shown = {each.scenario_id: each for each in scenarios}
        plans: Mapping[Place, Answer] = {}
        async with docket_in(self.ledger) as docket:
            if self.translator is not None:
                results, plans = await self._translated(results, shown, keys, docket)
            if self.judges:
                results = await self._judged(results, shown, keys, plans, docket)
        return Settlement(results, docket.stopped)

    async def _translated(
        self,
        results: Results,
        shown: Mapping[str, Scenario],
        keys: Mapping[str, AnswerKey],
        docket: Docket,
    ) -> tuple[Results, Mapping[Place, Answer]]:
        """Execute the free answers that can be translated; return the results and translated plans."""
        assert self.translator is not None
        translator = Translator(self.translator, self.exchange, self.purse, docket)
        runs = {
            place: run
            for place, run in _runs(results)
            # execution decides nothing about an open question, so it is not translated
            if run.components is None and FOR_JUDGES in run.flags and keys[place[0]].status != "OF"
        }
        meter = _Meter.of(self.purse, docket)
        found = await asyncio.gather(
            *(translator.translated(shown[name], run.answer) for (name, _), run in runs.items())
        )
        translations = dict(zip(runs, found, strict=True))
        changed = {
            place: _executed(runs[place], each, keys[place[0]]) for place, each in translations.items()
        }
        update = {"translator": str(self.translator), "translator_cost": meter.told(self.purse, docket)}
        plans = {place: each.answer for place, each in translations.items() if each.answer and not each.open}
        return _with_runs(results, changed).model_copy(update=update), plans

    async def _judged(
        self,
        results: Results,
        shown: Mapping[str, Scenario],
        keys: Mapping[str, AnswerKey],
        plans: Mapping[Place, Answer],
        docket: Docket,
    ) -> Results:
        """Return the results with the runs that are still open scored by a panel."""
        panel = Panel(self.judges, self.exchange, self.purse, docket)
        runs = {place: run for place, run in _runs(results) if needs_judges(run)}
        cases = [
            Case(
                shown[place[0]],
                keys[place[0]],
                run.answer,
                document_of(self.rubrics, place[0]),
                plans.get(place),
            )
            for place, run in runs.items()
        ]
        meter = _Meter.of(self.purse, docket)
        judgements, agreement = await panel.batch(cases)
        changed = {
            place: _settled(runs[place], each.scored) for place, each in zip(runs, judgements, strict=True)
        }
        notes = [agreement.note, _stop(changed.values(), docket)]
        return _with_runs(results, changed).model_copy(
            update={
                "judges": tuple(map(str, self.judges)),
                "judge_kappa": agreement.kappa,
                "judge_alpha": agreement.alpha,
                "judge_leniency": dict(agreement.leniency),
                "judge_note": " ".join(filter(None, notes)),
                "judge_cost": meter.told(self.purse, docket),
            }
        )


def document_of(rubrics: Path, scenario: str) -> str:
    """Return the evaluation document of a scenario; empty if there is none."""
    path = rubrics / f"{scenario}_eval.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _runs(results: Results) -> Iterator[tuple[Place, Run]]:
    for each in results.scenarios:
        for run in each.runs:
            yield (each.scenario_id, run.number), run


def _with_runs(results: Results, changed: Mapping[Place, Run]) -> Results:
    scenarios = tuple(
        each.model_copy(
            update={"runs": tuple(changed.get((each.scenario_id, run.number), run) for run in each.runs)}
        )
        for each in results.scenarios
    )
    return results.model_copy(update={"scenarios": scenarios})


def _executed(run: Run, translation: Translation, key: AnswerKey) -> Run:
    """Return a run scored by its translation, or with the reason in its note if that decides nothing."""
    if translation.open:
        return run.model_copy(update={"note": f"{run.note}; {translation.open}"})
    found = translation.scored(key)
    kept = [flag for flag in run.flags if flag != FOR_JUDGES]
    return run.model_copy(
        update={
            "state": found.state,
            "score": found.score,
            "components": found.components,
            "note": found.note,
            "executed": found.calls,
            "flags": (*kept, *found.flags),
        }
    )


def _settled(run: Run, found: Scored) -> Run:
    """Return a run with the score of the panel; if the panel gave none, only state, note and flags change."""
    flags = tuple(dict.fromkeys((*run.flags, *found.flags)))
    if found.state is not State.SCORED:
        return run.model_copy(update={"state": found.state, "note": found.note, "flags": flags})
    return run.model_copy(
        update={
            "state": found.state,
            "score": found.score,
            "components": found.components,
            "note": found.note,
            "flags": tuple(dict.fromkeys((*flags, "judged"))),
        }
    )


def _stop(runs: Iterable[Run], docket: Docket) -> str:
    """Return a sentence on the runs that the spending limit left open; empty if the limit was not reached."""
    if docket.stopped is None:
        return ""
    left = sum(run.score is None for run in runs)
    return f"The spending limit was reached: {left} answers could not be scored. Raise it and run again; stored verdicts are reused."


@dataclass(frozen=True)
class _Meter:
    """Spending at the start of a stage, to compute the cost of that stage."""

    spent: Decimal
    priced: int
    recalled: int

    @classmethod
    def of(cls, purse: Purse, docket: Docket) -> _Meter:
        return cls(purse.spent, purse.requests - purse.unpriced, len(docket.recalled))

    def told(self, purse: Purse, docket: Docket) -> str | None:
        """Return the dollars spent since the start, including reused replies; None without a price."""
        recalled = docket.recalled[self.recalled :]
        if not recalled and purse.requests - purse.unpriced == self.priced:
            return None
        whole = purse.spent - self.spent + sum(recalled, Decimal(0))
        # normalized, so that interrupted and whole runs print the same amount
        return f"{whole.normalize():f}"
