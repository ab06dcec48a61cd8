"""Runs with hostile models in the real pipeline, with the real ledger and gates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from impossible_moments.agents.adapters.llm_adapter import LanguageModelAdapter
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.disputes import HumanDecision, Option
from impossible_moments.ledger.leases import ScenarioState
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.llm.api_keys import ApiKeys
from impossible_moments.llm.call_pacing import RetryPolicy
from impossible_moments.llm.connection_pool import ConnectionPool
from impossible_moments.llm.model_references import ModelReference
from impossible_moments.pipeline.clock import SystemClock
from impossible_moments.pipeline.pipeline import Pipeline
from impossible_moments.pipeline.publishing.generation_results import GenerationResult
from impossible_moments.pipeline.review_desk import ReviewDesk
from impossible_moments.scenarios.similarity.embedding import TfidfEmbedder
from support.nonsense.questions import Question, parse_question

KEY: Final = "sk-fake-5b1f0c9d7e3a"
"""A key that no output may contain."""
REFERENCE: Final = ModelReference("openai", "nonsense")
MOST_DECISIONS: Final = 12
"""Rounds of human decisions after which a scenario is left waiting."""

Mind: TypeAlias = Callable[[Question], ModelResponse | Exception]
"""Function that returns the response to a question; a returned exception is raised."""


@dataclass(init=False)
class HostileModel(Model):
    """A model in this process that returns the response of its mind, unchecked."""

    mind: Mind
    seen: list[Question]
    slips: list[Exception]
    """Errors of a mind itself, which would otherwise look like those of a provider."""

    def __init__(self, mind: Mind, seen: list[Question], slips: list[Exception]) -> None:
        super().__init__()
        self.mind, self.seen, self.slips = mind, seen, slips

    @property
    def model_name(self) -> str:
        """The name of the model."""
        return REFERENCE.name

    @property
    def system(self) -> str:
        """The provider it claims to be."""
        return REFERENCE.provider

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,  # noqa: ARG002 - it does as it likes
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Return the response of the mind."""
        try:
            question = parse_question(messages, model_request_parameters)
            self.seen.append(question)
            said = self.mind(question)
        except Exception as slip:
            self.slips.append(slip)
            raise
        if isinstance(said, Exception):
            raise said
        return said


@dataclass(frozen=True)
class HostileRun:
    """The results of briefs run with a hostile model."""

    results: tuple[GenerationResult, ...]
    folder: Path
    seen: tuple[Question, ...] = field(repr=False)

    @property
    def counts_by_state(self) -> dict[ScenarioState, int]:
        """The number of scenarios in each state."""
        counts: dict[ScenarioState, int] = defaultdict(int)
        for result in self.results:
            counts[result.state] += 1
        return dict(counts)


def choose_mind_by_scenario(minds: Mapping[str, Mind]) -> Mind:
    """Return a mind that depends on the scenario, so that different ones run in parallel."""

    def mind(question: Question) -> ModelResponse | Exception:
        return minds[question.scenario](question)

    return mind


def run_briefs(
    mind: Mind, briefs: Sequence[GenerationBrief], folder: Path, *, options: Sequence[Option] = ()
) -> HostileRun:
    """Run briefs in parallel; open reviews are decided by `options` in turn, then left open."""
    seen: list[Question] = []
    slips: list[Exception] = []
    pipeline = Pipeline(
        output=folder, performer=_build_adapter(mind, seen, slips), embedder=_build_embedder()
    )
    results = {each.scenario_id: each for each in pipeline.generate_all(briefs)}
    for at in range(MOST_DECISIONS if options else 0):
        if not _decide_open_questions(pipeline, options[at % len(options)]):
            break
        results |= {each.scenario_id: each for each in pipeline.resume()}
    if slips:
        raise ExceptionGroup("the double is wrong", slips)
    return HostileRun(tuple(results.values()), folder, tuple(seen))


def _build_adapter(mind: Mind, seen: list[Question], slips: list[Exception]) -> LanguageModelAdapter:
    settings = load_configuration(None)
    exchange = ConnectionPool(
        ApiKeys({REFERENCE.provider: KEY}),
        retry_policy=RetryPolicy(tries=2, first_wait=0.0),
        make=lambda _reference, _keys: HostileModel(mind, seen, slips),
    )
    roles = dict.fromkeys(settings.roster, REFERENCE)
    return LanguageModelAdapter(roles, settings, load_everyday_library(), exchange)


@cache
def _build_embedder() -> TfidfEmbedder:
    return TfidfEmbedder()


def _decide_open_questions(pipeline: Pipeline, option: Option) -> bool:
    """Decide all open reviews, and return whether there were any."""
    with pipeline.open_ledger() as store:
        desk = ReviewDesk(store, SystemClock(), "test")
        waiting = desk.list_pending_reviews()
        for each in waiting:
            decision = HumanDecision(option=option, justification="so be it", reviewer="a tired reader")
            desk.record_decision(each.scenario, decision, key=each.key)
    return bool(waiting)
