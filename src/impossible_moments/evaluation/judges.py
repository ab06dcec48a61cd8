"""A panel of judges: models that read an answer beside its rubric, each by itself, and hand in quoted verdicts.

Two are asked. A third is asked where one of them gives no verdict, where they differ, or where all their verdicts
together agree too little. What cannot be settled is unscored, with the reason; it is never a 0.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.judging.agreement import Rating, cohen_kappa, krippendorff_alpha, leniency
from impossible_moments.evaluation.judging.docket import Docket, Matter
from impossible_moments.evaluation.judging.judgements import (
    ENOUGH,
    Judgement,
    Opinion,
    dispute,
    question_of,
    settled,
    silent,
    usable,
)
from impossible_moments.evaluation.judging.prompts import SYSTEM, told
from impossible_moments.evaluation.judging.verdicts import Question, Verdict
from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.reading.answers import Answer
from impossible_moments.models.consultation import Task
from impossible_moments.models.exchange import Exchange
from impossible_moments.models.failures import FailureKind, ModelFailure
from impossible_moments.models.references import ModelReference
from impossible_moments.models.spending import Purse
from impossible_moments.scenarios.scenario import Scenario

LEAST_KAPPA: Final = 0.7
"""The agreement of two judges under which a third reads everything."""
MOST_TOKENS: Final = 6_000
"""What a judge may write at once."""


class Judgeable(Protocol):
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
class Case:
    """An answer to be judged against the record of its scenario."""

    scenario: Scenario
    key: AnswerKey
    text: str
    document: str = ""
    """The evaluation document, whose criteria judges read; the record alone where it is not at hand."""
    plan: Answer | None = None
    """The answer in the plan form, where a translator read it out of plain words."""

    @property
    def question(self) -> Question:
        """What judges are asked about it."""
        return question_of(self.key, self.text, self.plan)

    @property
    def task(self) -> Task[Verdict]:
        """What each of them is told."""
        question = self.question
        words = told(self.scenario, self.key, question, self.document)
        return Task(SYSTEM, words, question.form, review=question.reviewed)

    def settled(self, opinions: Sequence[Opinion]) -> Judgement:
        """One judgement of all opinions."""
        return settled(self.question, self.key, opinions, self.plan)


@dataclass(frozen=True)
class Agreement:
    """How far the judges of a batch agree; None where there is too little to tell."""

    kappa: float | None
    """Of the first two, with quadratic weights, before anybody was asked again."""
    alpha: float | None
    """Of all judges, for ordered ratings."""
    leniency: Mapping[str, float | None]
    """How much more than the panel each gives, as a share of what can be given."""
    note: str = ""


@dataclass(frozen=True)
class Panel:
    """Judges: the first two are always asked, the others stand by in their order."""

    models: tuple[ModelReference, ...]
    exchange: Exchange
    purse: Purse
    docket: Docket = field(default_factory=Docket)
    """Where verdicts are kept, so that nobody is asked twice for the same."""

    def __post_init__(self) -> None:
        refuse_no_panel(self.models)

    async def judged(
        self, scenario: Scenario, key: AnswerKey, answer_text: str, *, document: str = ""
    ) -> Judgement:
        """What the panel makes of an answer."""
        return await self._judged(Case(scenario, key, answer_text, document))

    async def batch(self, cases: Sequence[Judgeable]) -> tuple[tuple[Judgement, ...], Agreement]:
        """What the panel makes of many answers; a third judge reads all of them where two agree too little."""
        found = await asyncio.gather(*(self._judged(case) for case in cases))
        kappa = self._kappa(cases, found)
        note = ""
        if kappa is not None and kappa < LEAST_KAPPA:
            note = f"the first two judges agree by a kappa of {kappa:.2f}, which is under {LEAST_KAPPA}"
            if len(self.models) == ENOUGH:
                note += "; name a third judge"
            else:
                found = await asyncio.gather(*map(self._with_a_third, cases, found))
                short = self.docket.stopped is not None
                note += (
                    "; the money did not suffice for a third" if short else "; a third has read everything"
                )
        ratings = _ratings(self.models, cases, found)
        agreement = Agreement(
            kappa, krippendorff_alpha(list(ratings.values())), leniency(ratings), note and f"{note}."
        )
        return tuple(found), agreement

    async def _judged(self, case: Judgeable) -> Judgement:
        if not case.text.strip():
            return silent()
        question = case.question
        opinions = await asyncio.gather(*(self._opinion(model, case) for model in self.models[:ENOUGH]))
        standing_by = iter(self.models[ENOUGH:])
        while (len(usable(opinions)) < ENOUGH or dispute(question, opinions)) and (
            (model := next(standing_by, None)) is not None
        ):
            opinions = [*opinions, await self._opinion(model, case)]
        return case.settled(opinions)

    async def _with_a_third(self, case: Judgeable, judgement: Judgement) -> Judgement:
        """The judgement with one more opinion, where two agreed and nobody else was asked."""
        if len(judgement.opinions) != ENOUGH or len(usable(judgement.opinions)) < ENOUGH:
            return judgement
        third = await self._opinion(self.models[ENOUGH], case)
        return case.settled((*judgement.opinions, third))

    async def _opinion(self, model: ModelReference, case: Judgeable) -> Opinion:
        question = case.question
        matter = Matter(
            model,
            case.task,
            MOST_TOKENS,
            usable=lambda found: not _left_open(question, found.deliverable),
            asked=_in_plain_values(question),
        )
        try:
            consulted = await self.docket.heard(matter, self.exchange, self.purse)
        except ModelFailure as failure:
            unpaid = failure.kind is FailureKind.SPENDING
            return Opinion(str(model), failure=str(failure), unpaid=unpaid)
        if missing := _left_open(question, consulted.deliverable):
            return Opinion(str(model), failure=f"its verdict leaves open {', '.join(missing)}")
        return Opinion(str(model), question.counted(consulted.deliverable))

    def _kappa(self, cases: Sequence[Judgeable], found: Sequence[Judgement]) -> float | None:
        first, second = (
            _ratings(self.models[:ENOUGH], cases, found)[str(each)] for each in self.models[:ENOUGH]
        )
        return cohen_kappa(first, second)


def refuse_no_panel(models: Sequence[ModelReference]) -> None:
    """Raise where models are too few to be a panel, or not all different."""
    if len(set(models)) < ENOUGH or len(set(models)) < len(models):
        named = ", ".join(map(str, models)) or "none"
        raise ConfigurationError(
            f"the judges are {named}; a panel has at least {ENOUGH}, all of them different. Name another model."
        )


def _left_open(question: Question, verdict: Verdict) -> list[str]:
    """The lines that a verdict gives no points for that can be given."""
    points = question.counted(verdict).points
    return [each.name for each in question.asked if each.name not in points]


def _in_plain_values(question: Question) -> tuple[Any, ...]:
    """What a question asks for. How many insights are enough is no part of it: that is a matter of counting."""
    lines = [(each.name, each.most, each.graded) for each in question.asked]
    return (lines, question.whole, question.insights, question.distractors)


def _ratings(
    models: Sequence[ModelReference], cases: Sequence[Judgeable], found: Sequence[Judgement]
) -> dict[str, list[Rating]]:
    """What each judge gave for each line of each answer, as a share of what can be given."""
    rows: dict[str, list[Rating]] = {str(model): [] for model in models}
    for case, judgement in zip(cases, found, strict=True):
        if not judgement.opinions:
            continue
        given = {each.judge: each.counted for each in judgement.opinions}
        for asked in case.question.asked:
            for name, row in rows.items():
                counted = given.get(name)
                row.append(None if counted is None else counted.points[asked.name] / asked.most)
    return rows
