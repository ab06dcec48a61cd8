"""Settling: what execution leaves open of an evaluation is translated and executed, or judged, as far as money allows."""

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
"""The mark of an answer that says nothing to a program."""
Place = tuple[str, int]
"""A run: its scenario and its number."""


@dataclass(frozen=True)
class Settlement:
    """Results with what could be settled, and the spending limit if it was that which stopped the rest."""

    results: Results
    stopped: ModelFailure | None = None


@dataclass(frozen=True)
class Settler:
    """Whoever settles what is open: a translator, judges, both or nobody."""

    judges: tuple[ModelReference, ...]
    translator: ModelReference | None
    exchange: Exchange
    purse: Purse
    ledger: Path
    """The folder where answers are kept, and what was said about them."""
    rubrics: Path
    """The folder of the evaluation documents."""

    @property
    def models(self) -> tuple[ModelReference, ...]:
        """All that may be asked."""
        return (*self.judges, *([self.translator] if self.translator is not None else []))

    def refuse_unfit(self) -> None:
        """Raise what would stop it later, before anybody is asked: no panel, no key, no price where there is a limit."""
        if self.judges:
            refuse_no_panel(self.judges)
        self.exchange.refuse_unreachable(self.models)
        for each in self.models if self.purse.limit is not None else ():
            if self.exchange.prices.cost(each, 1, 1) is None:
                told = "no price is known for it, so no limit can be kept; give one with --prices"
                raise ModelFailure(FailureKind.SPENDING, str(each), told)

    async def settled(
        self, results: Results, scenarios: Sequence[Scenario], keys: Mapping[str, AnswerKey]
    ) -> Settlement:
        """The results, with nothing open that a translation or a panel could settle."""
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
        """The results with free answers executed that could be translated, and the plans of these."""
        assert self.translator is not None
        translator = Translator(self.translator, self.exchange, self.purse, docket)
        runs = {
            place: run
            for place, run in _runs(results)
            # of an open question nothing is decided by execution, so nothing is gained by a plan
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
        told = {"translator": str(self.translator), "translator_cost": meter.told(self.purse, docket)}
        plans = {place: each.answer for place, each in translations.items() if each.answer and not each.open}
        return _with_runs(results, changed).model_copy(update=told), plans

    async def _judged(
        self,
        results: Results,
        shown: Mapping[str, Scenario],
        keys: Mapping[str, AnswerKey],
        plans: Mapping[Place, Answer],
        docket: Docket,
    ) -> Results:
        """The results with what is still open settled by a panel."""
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
    """The evaluation document of a scenario; nothing where there is none."""
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
    """A run by what its translation comes to; as it was, with the reason, where that decides nothing."""
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
    """A run as the panel scored it; what execution told stays where the panel could not."""
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
    """What the spending limit left unjudged, in a sentence; nothing where it was not reached."""
    if docket.stopped is None:
        return ""
    left = sum(run.score is None for run in runs)
    return f"The spending limit was reached: {left} answers could not be settled; raise it and run again, what was judged is kept."


@dataclass(frozen=True)
class _Meter:
    """What had been spent before somebody was asked."""

    spent: Decimal
    priced: int
    recalled: int

    @classmethod
    def of(cls, purse: Purse, docket: Docket) -> _Meter:
        return cls(purse.spent, purse.requests - purse.unpriced, len(docket.recalled))

    def told(self, purse: Purse, docket: Docket) -> str | None:
        """Dollars since then, with what those cost who were asked in an earlier run; None where no price is known."""
        recalled = docket.recalled[self.recalled :]
        if not recalled and purse.requests - purse.unpriced == self.priced:
            return None
        whole = purse.spent - self.spent + sum(recalled, Decimal(0))
        # the same amount in the same signs, however often it was interrupted
        return f"{whole.normalize():f}"
