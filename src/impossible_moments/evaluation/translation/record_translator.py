"""A model that reads answers in terms of the record, in two passes, with its connection, budget and cache."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation import InterpretedAnswer, score_interpreted_answer
from impossible_moments.evaluation.judging.answer_quotes import QuotableAnswer
from impossible_moments.evaluation.judging.judgement_cache import CacheableRequest, JudgementCache
from impossible_moments.evaluation.results import ReadingEntry, RunState
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.evaluation.translation.interpretation_building import ReadingInterpreter
from impossible_moments.evaluation.translation.mapping_review import (
    build_mapping_task,
    find_unfaithful_places,
    list_mapped_items,
)
from impossible_moments.evaluation.translation.reading_forms import AnswerReading
from impossible_moments.evaluation.translation.reading_problems import (
    Place,
    ReadingProblem,
    find_reading_problems,
)
from impossible_moments.evaluation.translation.reading_request import build_reading_task
from impossible_moments.evaluation.translation.record_codes import CodedRecord, build_coded_record
from impossible_moments.llm import ConnectionPool, ModelFailure, ModelReference, SpendingBudget
from impossible_moments.scenarios import Scenario

TRANSLATED: Final = "translated"
"""Flag of every score that depends on a translation."""
MOST_READING_TOKENS: Final = 8_000
MOST_REVIEW_TOKENS: Final = 4_000


@dataclass(frozen=True)
class AnswerInterpretation:
    """An answer in terms of the record with the lines that explain it, or the reason why there is none."""

    answer: InterpretedAnswer | None = None
    entries: tuple[ReadingEntry, ...] = ()
    failure: str = ""

    def compute_score(self, key: AnswerKey) -> ScoredAnswer:
        """Score the answer and flag the score. A failed translation leaves the answer unscored."""
        if self.answer is None:
            return ScoredAnswer(RunState.UNSCORED, None, self.failure, (), (TRANSLATED,))
        found = score_interpreted_answer(self.answer, key)
        return replace(found, flags=(*found.flags, TRANSLATED))


@dataclass(frozen=True)
class RecordTranslator:
    """Reads answers with a model: the first pass maps them to codes, the second confirms the mapping."""

    model: ModelReference
    connections: ConnectionPool
    budget: SpendingBudget
    cache: JudgementCache = field(default_factory=JudgementCache)
    """Cache of both passes, so that none is paid for twice."""

    async def interpret_answer(self, scenario: Scenario, key: AnswerKey, text: str) -> AnswerInterpretation:
        """Return an answer in terms of the record; a failed interpretation if the model fails."""
        if key.unscorable_reason:
            return AnswerInterpretation(failure=key.unscorable_reason)
        record = build_coded_record(key)
        try:
            form = await self._request_reading(scenario, text, record)
            problems = find_reading_problems(form, QuotableAnswer(text), record, scenario.blind)
            problems = {**problems, **await self._request_review(form, record, problems)}
        except ModelFailure as failure:
            return AnswerInterpretation(failure=f"it was not translated: {failure}")
        interpreter = ReadingInterpreter(form, record, key, problems, scenario.blind)
        answer = interpreter.interpret(text)
        return AnswerInterpretation(answer, tuple(interpreter.entries))

    async def _request_reading(self, scenario: Scenario, text: str, record: CodedRecord) -> AnswerReading:
        request = CacheableRequest(
            self.model, build_reading_task(scenario, text, record), MOST_READING_TOKENS
        )
        return (await self.cache.fetch_or_request(request, self.connections, self.budget)).deliverable

    async def _request_review(
        self, form: AnswerReading, record: CodedRecord, problems: Mapping[Place, ReadingProblem]
    ) -> Mapping[Place, ReadingProblem]:
        items = list_mapped_items(form, record, problems)
        if not items:
            return {}
        request = CacheableRequest(self.model, build_mapping_task(items), MOST_REVIEW_TOKENS)
        found = await self.cache.fetch_or_request(request, self.connections, self.budget)
        return find_unfaithful_places(found.deliverable, items)
