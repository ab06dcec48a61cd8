"""Panels of judges behind a provider on this machine: each judge a function, each record a golden one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, TypeVar

from impossible_moments.domain.vocabulary import Status
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.judging.judge_panel import JudgeAgreement, JudgePanel, RecordCase
from impossible_moments.evaluation.judging.judge_verdicts import ASKED, AskedRubricLine
from impossible_moments.evaluation.judging.judgement_aggregation import Judgement
from impossible_moments.evaluation.results import RunState, ScoreComponents
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.llm.api_keys import ApiKeys
from impossible_moments.llm.connection_pool import ConnectionPool
from impossible_moments.llm.consultation_tasks import HAND_IN
from impossible_moments.llm.model_references import ModelReference
from impossible_moments.llm.spending_limits import SpendingBudget
from impossible_moments.scenarios.scenario import BLIND, SECTIONS, Scenario
from support.golden_records import load_golden_record
from support.model_conversations import PRICES, QUICK, SECRET, build_reference, run_in_loop
from support.providers.conversation import Call, Question, Reply
from support.providers.faults import Fault
from support.providers.server import serve_provider

T = TypeVar("T")
Judge = Callable[[Question], Reply | Mapping[str, Any]]
"""The reply of a judge to a question, or the verdict it hands in."""
EMPTY: Final[Mapping[str, Any]] = {
    "statements": [],
    "insights": [],
    "distractors": [],
    "steps": [],
    "figures": [],
}


@cache
def build_key(record: str) -> AnswerKey:
    return AnswerKey.from_record("IM-0001", load_golden_record(record), load_everyday_library())


def build_scenario(record: str) -> Scenario:
    """Build a scenario for a record; its hidden sections contain words that no judge may see."""
    text = load_golden_record(record)["prose"]["narrative"]
    sections = {name: f"{name} of it." if name in BLIND else f"UNSEEN {name}." for name in SECTIONS}
    return Scenario(
        scenario_id="IM-0001",
        title="UNSEEN title",
        category="UNSEEN category",
        tier="UNSEEN tier",
        profile="UNSEEN profile",
        status="UNSEEN status",
        correct_outcome="It comes out well",
        sections={**sections, "Scenario": text},
        canary="UNSEEN canary",
        text="UNSEEN text",
    )


def build_point(asked: AskedRubricLine, points: float, quote: str = "") -> dict[str, Any]:
    return {"line": asked.name, "points": points, "quote": quote, "why": "The record says so."}


def build_lines(status: Status, given: Sequence[float], quote: str) -> list[dict[str, Any]]:
    """Return points for the lines of a status in order, all with one quote; with fewer points, for the last lines."""
    asked = ASKED[status][-len(given) :]
    return [build_point(each, points, quote) for each, points in zip(asked, given, strict=True)]


def build_verdict(status: Status, given: Sequence[float], quote: str, **more: Any) -> dict[str, Any]:
    """Build a verdict on a whole answer."""
    return {"lines": build_lines(status, given, quote), **EMPTY, **more}


def make_judge(handed_in: Reply | Mapping[str, Any]) -> Judge:
    """Make a judge that always hands in the same verdict."""
    return lambda _question: handed_in


@dataclass
class ScriptedPanel:
    """Judges by model name, in order, with all their requests."""

    judges: Mapping[str, Judge]
    faults: Mapping[str, Fault] = field(default_factory=dict)
    protocol: str = "openai"
    budget: SpendingBudget = field(default_factory=SpendingBudget)
    heard: list[Question] = field(default_factory=list)

    def judge_answer(self, record: str, text: str, *, document: str = "") -> Judgement:
        """Return the panel's judgement of one answer."""
        (found,), _ = self.judge_answers([(record, text)], document=document)
        return found

    def judge_answers(
        self, answers: Sequence[tuple[str, str]], *, document: str = ""
    ) -> tuple[tuple[Judgement, ...], JudgeAgreement]:
        """Return the panel's judgements of several answers."""
        cases = [
            RecordCase(build_scenario(record), build_key(record), text, document) for record, text in answers
        ]

        async def work(exchange: ConnectionPool, models: tuple[ModelReference, ...]) -> Any:
            return await JudgePanel(models, exchange, self.budget).judge_batch(cases)

        found: tuple[tuple[Judgement, ...], JudgeAgreement] = self.run_with_server(work)
        return found

    def run_with_server(self, work: Callable[[ConnectionPool, tuple[ModelReference, ...]], Any]) -> Any:
        """Run some work with the judges' models behind a server."""
        with serve_provider(
            self._answer_question, faults=lambda _number, asked: self.faults.get(asked.model)
        ) as server:
            models = tuple(build_reference(server, self.protocol, name) for name in self.judges)

            async def guarded() -> Any:
                exchange = ConnectionPool(ApiKeys(for_all=SECRET), PRICES, retry_policy=QUICK)
                try:
                    return await work(exchange, models)
                finally:
                    await exchange.close()

            return run_in_loop(guarded())

    def _answer_question(self, question: Question) -> Reply:
        self.heard.append(question)
        said = self.judges[question.model](question)
        return said if isinstance(said, Reply) else Reply(calls=(Call(HAND_IN, said),))

    def count_requests(self, name: str) -> int:
        """Return how often a model was asked."""
        return sum(each.model == name for each in self.heard)


BLOW = [{"do": "start", "with": ["the floor fan"]}, {"do": "empty", "with": ["the sweep auger"]}]
SAID = "Experts disagree about how much the air feeds the nest, and I cannot know who is right."
CONTESTED = json.dumps({"verdict": "contested", "plan": BLOW, "uncertain": [SAID]})
QUOTE = "how much the air feeds the nest"
PLAN_OF_ICE = json.dumps({"verdict": "open", "claims": {"white": "0.99"}})
FREE = "I step off the sill. A small body weighs little for its surface, so the air holds me up."


def build_judges(*given: Judge | dict[str, Any]) -> dict[str, Judge]:
    return {
        f"judge-{at}": each if callable(each) else make_judge(each) for at, each in enumerate(given, start=1)
    }


def build_contested_verdict(points: tuple[float, ...], quote: str = QUOTE) -> dict[str, Any]:
    """Build a verdict on awareness, crux and honesty, which gives no points for the plan."""
    return build_verdict("CT", (0, *points), quote)


def build_known_verdict(points: float, quote: str = "I step off the sill", **more: Any) -> dict[str, Any]:
    return build_verdict("KS", (points,), quote, **more)


def require_components(judgement: Judgement) -> ScoreComponents:
    assert judgement.scored.components is not None, judgement.scored.note
    assert judgement.scored.state is RunState.SCORED
    assert judgement.scored.score is not None
    return judgement.scored.components
