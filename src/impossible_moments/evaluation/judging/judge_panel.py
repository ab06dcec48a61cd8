"""A panel of judges: models that independently score an answer by its rubric, with quotes.

Two judges are asked. A third is asked if one of them gives no verdict, if they differ, or if all their
verdicts together agree too little. An answer on which no agreement is reached is unscored, with the reason,
and never a 0.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from impossible_moments.domain.evaluation_protocol import LEAST_KAPPA
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import ParsedAnswer
from impossible_moments.evaluation.judging.judge_agreement import (
    Rating,
    compute_cohen_kappa,
    compute_judge_leniency,
    compute_krippendorff_alpha,
)
from impossible_moments.evaluation.judging.judge_prompts import SYSTEM, render_judge_prompt
from impossible_moments.evaluation.judging.judge_verdicts import JudgeQuestion, Verdict
from impossible_moments.evaluation.judging.judgement_aggregation import (
    NEEDED_OPINIONS,
    Judgement,
    JudgeOpinion,
    build_judge_question,
    collect_counted_verdicts,
    combine_opinions,
    describe_dispute,
    make_judgement_of_empty_answer,
)
from impossible_moments.evaluation.judging.judgement_cache import CacheableRequest, JudgementCache
from impossible_moments.llm import (
    ConnectionPool,
    ConsultationTask,
    FailureKind,
    ModelFailure,
    ModelReference,
    SpendingBudget,
)
from impossible_moments.scenarios import Scenario

MOST_TOKENS: Final = 6_000
"""The token limit of a verdict."""


class JudgeableAnswer(Protocol):
    """An answer to be judged, by any kind of key."""

    @property
    def text(self) -> str:
        """The answer."""
        ...

    @property
    def question(self) -> JudgeQuestion:
        """The question to the judges."""
        ...

    @property
    def task(self) -> ConsultationTask[Verdict]:
        """The task sent to each judge."""
        ...

    def combine_opinions(self, opinions: Sequence[JudgeOpinion]) -> Judgement:
        """Combine all opinions into one judgement."""
        ...


@dataclass(frozen=True)
class RecordCase:
    """An answer to be judged by the record of its scenario."""

    scenario: Scenario
    key: AnswerKey
    text: str
    document: str = ""
    """The evaluation document with the criteria, or an empty string if only the record is available."""
    design: ParsedAnswer | None = None
    """The figures of a design for an open question, if a translator read them."""

    @property
    def question(self) -> JudgeQuestion:
        """The question to the judges."""
        return build_judge_question(self.key, self.text)

    @property
    def task(self) -> ConsultationTask[Verdict]:
        """The task sent to each judge."""
        question = self.question
        words = render_judge_prompt(self.scenario, self.key, question, self.document)
        return ConsultationTask(SYSTEM, words, Verdict, review=question.review_verdict)

    def combine_opinions(self, opinions: Sequence[JudgeOpinion]) -> Judgement:
        """Combine all opinions into one judgement."""
        return combine_opinions(self.question, self.key, opinions, self.design)


@dataclass(frozen=True)
class JudgeAgreement:
    """The agreement of the judges of a batch. Values are None if there is too little data."""

    kappa: float | None
    """Of the first two judges, with quadratic weights, before any judge was asked again."""
    alpha: float | None
    """Of all judges, for ordered ratings."""
    leniency: Mapping[str, float | None]
    """How much more than the panel each judge gives, as a share of the maximum."""
    note: str = ""


@dataclass(frozen=True)
class JudgePanel:
    """A panel of judges. The first two are always asked, the others only if needed, in order."""

    models: tuple[ModelReference, ...]
    connections: ConnectionPool
    budget: SpendingBudget
    cache: JudgementCache = field(default_factory=JudgementCache)
    """The stored verdicts, so that no judge is asked twice for the same one."""

    def __post_init__(self) -> None:
        require_valid_panel(self.models)

    async def judge_answer(
        self, scenario: Scenario, key: AnswerKey, answer_text: str, *, document: str = ""
    ) -> Judgement:
        """Return the judgement of the panel on one answer."""
        return await self._judge_case(RecordCase(scenario, key, answer_text, document))

    async def judge_batch(
        self, cases: Sequence[JudgeableAnswer]
    ) -> tuple[tuple[Judgement, ...], JudgeAgreement]:
        """Judge many answers. A third judge reads all of them if the first two agree too little."""
        found = await asyncio.gather(*(self._judge_case(case) for case in cases))
        kappa = self._compute_kappa_of_first_two_judges(cases, found)
        note = ""
        if kappa is not None and kappa < LEAST_KAPPA:
            note = f"the first two judges agree with a kappa of {kappa:.2f}, which is below {LEAST_KAPPA}"
            if len(self.models) == NEEDED_OPINIONS:
                note += "; name a third judge"
            else:
                found = await asyncio.gather(*map(self._add_third_opinion, cases, found))
                short = self.cache.stopped is not None
                note += (
                    "; the budget was too small for a third" if short else "; a third judge read all answers"
                )
        ratings = _collect_ratings_by_judge(self.models, cases, found)
        agreement = JudgeAgreement(
            kappa,
            compute_krippendorff_alpha(list(ratings.values())),
            compute_judge_leniency(ratings),
            note and f"{note}.",
        )
        return tuple(found), agreement

    async def _judge_case(self, case: JudgeableAnswer) -> Judgement:
        if not case.text.strip():
            return make_judgement_of_empty_answer()
        question = case.question
        opinions = await asyncio.gather(
            *(self._request_opinion(model, case) for model in self.models[:NEEDED_OPINIONS])
        )
        standing_by = iter(self.models[NEEDED_OPINIONS:])
        while (
            len(collect_counted_verdicts(opinions)) < NEEDED_OPINIONS or describe_dispute(question, opinions)
        ) and ((model := next(standing_by, None)) is not None):
            opinions = [*opinions, await self._request_opinion(model, case)]
        return case.combine_opinions(opinions)

    async def _add_third_opinion(self, case: JudgeableAnswer, judgement: Judgement) -> Judgement:
        """Return the judgement with a third opinion, if two judges agreed and no other was asked."""
        if (
            len(judgement.opinions) != NEEDED_OPINIONS
            or len(collect_counted_verdicts(judgement.opinions)) < NEEDED_OPINIONS
        ):
            return judgement
        third = await self._request_opinion(self.models[NEEDED_OPINIONS], case)
        return case.combine_opinions((*judgement.opinions, third))

    async def _request_opinion(self, model: ModelReference, case: JudgeableAnswer) -> JudgeOpinion:
        question = case.question
        request = CacheableRequest(
            model,
            case.task,
            MOST_TOKENS,
            usable=lambda found: not _list_rubric_lines_without_points(question, found.deliverable),
            asked=_list_requested_judgements(question),
        )
        try:
            consultation = await self.cache.fetch_or_request(request, self.connections, self.budget)
        except ModelFailure as failure:
            is_unpaid = failure.kind is FailureKind.SPENDING
            return JudgeOpinion(str(model), failure=str(failure), unpaid=is_unpaid)
        if missing := _list_rubric_lines_without_points(question, consultation.deliverable):
            return JudgeOpinion(str(model), failure=f"its verdict gives no points for {', '.join(missing)}")
        return JudgeOpinion(str(model), question.count_quoted_points(consultation.deliverable))

    def _compute_kappa_of_first_two_judges(
        self, cases: Sequence[JudgeableAnswer], judgements: Sequence[Judgement]
    ) -> float | None:
        first, second = (
            _collect_ratings_by_judge(self.models[:NEEDED_OPINIONS], cases, judgements)[str(each)]
            for each in self.models[:NEEDED_OPINIONS]
        )
        return compute_cohen_kappa(first, second)


def require_valid_panel(models: Sequence[ModelReference]) -> None:
    """Raise `ConfigurationError` if there are too few models for a panel, or if two are the same."""
    if len(set(models)) < NEEDED_OPINIONS or len(set(models)) < len(models):
        named = ", ".join(map(str, models)) or "none"
        raise ConfigurationError(
            f"the judges are {named}; a panel needs at least {NEEDED_OPINIONS} models, all different. Name another model."
        )


def _list_rubric_lines_without_points(question: JudgeQuestion, verdict: Verdict) -> list[str]:
    """Return the rubric lines for which a verdict gives no points."""
    points = question.count_quoted_points(verdict).points
    return [each.name for each in question.asked if each.name not in points]


def _list_requested_judgements(question: JudgeQuestion) -> tuple[Any, ...]:
    """Return what a question asks for, as plain values.

    The number of insights needed is not part of it, because it only affects the count.
    """
    lines = [(each.name, each.most, each.graded) for each in question.asked]
    return (lines, question.insights, question.distractors)


def _collect_ratings_by_judge(
    models: Sequence[ModelReference], cases: Sequence[JudgeableAnswer], judgements: Sequence[Judgement]
) -> dict[str, list[Rating]]:
    """Return the points of each judge for each rubric line of each answer, as shares of the maximum."""
    rows: dict[str, list[Rating]] = {str(model): [] for model in models}
    for case, judgement in zip(cases, judgements, strict=True):
        if not judgement.opinions:
            continue
        verdicts = {each.judge: each.counted for each in judgement.opinions}
        for rubric_line in case.question.asked:
            for name, row in rows.items():
                verdict = verdicts.get(name)
                row.append(None if verdict is None else verdict.points[rubric_line.name] / rubric_line.most)
    return rows
