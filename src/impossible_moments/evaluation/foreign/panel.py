"""A panel for answers that no record can settle: two judges are asked, a third where they differ; verdicts are kept.

It asks as `judges.Panel` does, of any case that knows its question, its task and how opinions on it are settled.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from impossible_moments.evaluation.judges import LEAST_KAPPA, MOST_TOKENS, Agreement, refuse_no_panel
from impossible_moments.evaluation.judging.agreement import Rating, cohen_kappa, krippendorff_alpha, leniency
from impossible_moments.evaluation.judging.docket import Docket, Matter
from impossible_moments.evaluation.judging.judgements import (
    ENOUGH,
    Judgement,
    Opinion,
    dispute,
    silent,
    usable,
)
from impossible_moments.evaluation.judging.verdicts import Question, Verdict
from impossible_moments.models.consultation import Task
from impossible_moments.models.exchange import Exchange
from impossible_moments.models.failures import FailureKind, ModelFailure
from impossible_moments.models.references import ModelReference
from impossible_moments.models.spending import Purse


class Case(Protocol):
    """An answer to be judged, whatever it is held against."""

    @property
    def text(self) -> str:
        """The answer."""
        ...

    @property
    def question(self) -> Question:
        """What judges are asked."""
        ...

    @property
    def task(self) -> Task[Verdict]:
        """What each judge is told."""
        ...

    def settled(self, opinions: Sequence[Opinion]) -> Judgement:
        """One judgement of all opinions."""
        ...


@dataclass(frozen=True)
class StatedPanel:
    """Judges: the first two are always asked, the others stand by in their order."""

    models: tuple[ModelReference, ...]
    exchange: Exchange
    purse: Purse
    docket: Docket = field(default_factory=Docket)

    def __post_init__(self) -> None:
        refuse_no_panel(self.models)

    async def batch(self, cases: Sequence[Case]) -> tuple[tuple[Judgement, ...], Agreement]:
        """What the panel makes of answers, and how far its members agree."""
        found = await asyncio.gather(*(self._judged(each) for each in cases))
        first, second = self._ratings(cases, found, self.models[:ENOUGH])
        kappa = cohen_kappa(first, second)
        note = ""
        if kappa is not None and kappa < LEAST_KAPPA:
            note = f"The first two judges agree by a kappa of {kappa:.2f}, which is under {LEAST_KAPPA}"
            if len(self.models) > ENOUGH:
                found = await asyncio.gather(*map(self._with_a_third, cases, found))
                note += "; a third has read everything."
            else:
                note += "; name a third judge."
        rows = self._ratings(cases, found, self.models)
        lenient = leniency({str(model): row for model, row in zip(self.models, rows, strict=True)})
        return tuple(found), Agreement(kappa, krippendorff_alpha(rows), lenient, note)

    async def _judged(self, case: Case) -> Judgement:
        if not case.text.strip():
            return silent()
        opinions = list(await asyncio.gather(*(self._opinion(each, case) for each in self.models[:ENOUGH])))
        for model in self.models[ENOUGH:]:
            if any(each.unpaid for each in opinions):
                break
            if len(usable(opinions)) >= ENOUGH and not dispute(case.question, opinions):
                break
            opinions.append(await self._opinion(model, case))
        return case.settled(opinions)

    async def _with_a_third(self, case: Case, judgement: Judgement) -> Judgement:
        if len(judgement.opinions) != ENOUGH or len(usable(judgement.opinions)) < ENOUGH:
            return judgement
        return case.settled((*judgement.opinions, await self._opinion(self.models[ENOUGH], case)))

    async def _opinion(self, model: ModelReference, case: Case) -> Opinion:
        question = case.question

        def left_open(verdict: Verdict) -> list[str]:
            points = question.counted(verdict).points
            return [each.name for each in question.asked if each.name not in points]

        matter = Matter(
            model,
            case.task,
            MOST_TOKENS,
            usable=lambda heard: not left_open(heard.deliverable),
            asked=tuple((each.name, each.most, each.graded) for each in question.asked),
        )
        try:
            consulted = await self.docket.heard(matter, self.exchange, self.purse)
        except ModelFailure as failure:
            return Opinion(str(model), failure=str(failure), unpaid=failure.kind is FailureKind.SPENDING)
        if missing := left_open(consulted.deliverable):
            return Opinion(str(model), failure=f"its verdict leaves open {', '.join(missing)}")
        return Opinion(str(model), question.counted(consulted.deliverable))

    @staticmethod
    def _ratings(
        cases: Sequence[Case], found: Sequence[Judgement], models: Sequence[ModelReference]
    ) -> list[list[Rating]]:
        """What each judge gave for each line of each answer, as a share of what can be given."""
        rows: list[list[Rating]] = [[] for _ in models]
        for case, judgement in zip(cases, found, strict=True):
            given = {each.judge: each.counted for each in judgement.opinions}
            for asked in case.question.asked if judgement.opinions else ():
                for model, row in zip(models, rows, strict=True):
                    counted = given.get(str(model))
                    row.append(None if counted is None else counted.points[asked.name] / asked.most)
        return rows
