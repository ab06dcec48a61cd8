"""Where hostile models play: the real pipeline, ledger and gates, and only what answers is false."""

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
from impossible_moments.pipeline.performers import LanguageModelPerformer
from impossible_moments.pipeline.pipeline import GenerationResult, Pipeline
from impossible_moments.pipeline.review_desk import ReviewDesk
from impossible_moments.scenarios.embedding import TfidfEmbedder
from support.nonsense.questions import Question, question_in

KEY: Final = "sk-fake-5b1f0c9d7e3a"
"""A key that must be found nowhere afterwards."""
REFERENCE: Final = ModelReference("openai", "nonsense")
MOST_DECISIONS: Final = 12
"""Rounds of human decisions after which a scenario is left waiting."""

Mind: TypeAlias = Callable[[Question], ModelResponse | Exception]
"""What is said to a question; an exception is raised in its place."""


@dataclass(init=False)
class Hostile(Model):
    """A model in this process that says what its mind says, unchecked by anybody."""

    mind: Mind
    seen: list[Question]
    slips: list[Exception]
    """Errors of a mind itself, which would pass for a provider's."""

    def __init__(self, mind: Mind, seen: list[Question], slips: list[Exception]) -> None:
        super().__init__()
        self.mind, self.seen, self.slips = mind, seen, slips

    @property
    def model_name(self) -> str:
        """As it is referred to."""
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
        """What the mind says."""
        try:
            question = question_in(messages, model_request_parameters)
            self.seen.append(question)
            said = self.mind(question)
        except Exception as slip:
            self.slips.append(slip)
            raise
        if isinstance(said, Exception):
            raise said
        return said


@dataclass(frozen=True)
class Played:
    """What came of briefs that a hostile model played."""

    results: tuple[GenerationResult, ...]
    folder: Path
    seen: tuple[Question, ...] = field(repr=False)

    @property
    def ends(self) -> dict[ScenarioState, int]:
        """How many came to which end."""
        counts: dict[ScenarioState, int] = defaultdict(int)
        for result in self.results:
            counts[result.state] += 1
        return dict(counts)


def by_scenario(minds: Mapping[str, Mind]) -> Mind:
    """A model that has another mind in each scenario, so that different ones play side by side."""

    def mind(question: Question) -> ModelResponse | Exception:
        return minds[question.scenario](question)

    return mind


def played(
    mind: Mind, briefs: Sequence[GenerationBrief], folder: Path, *, options: Sequence[Option] = ()
) -> Played:
    """Play briefs side by side; what waits for a human is decided by these options in turn, and else left waiting."""
    seen: list[Question] = []
    slips: list[Exception] = []
    pipeline = Pipeline(output=folder, performer=_models(mind, seen, slips), embedder=_embedder())
    results = {each.scenario_id: each for each in pipeline.generate_all(briefs)}
    for at in range(MOST_DECISIONS if options else 0):
        if not _decide(pipeline, options[at % len(options)]):
            break
        results |= {each.scenario_id: each for each in pipeline.resume()}
    if slips:
        raise ExceptionGroup("the double is wrong", slips)
    return Played(tuple(results.values()), folder, tuple(seen))


def _models(mind: Mind, seen: list[Question], slips: list[Exception]) -> LanguageModelPerformer:
    settings = load_configuration(None)
    exchange = ConnectionPool(
        ApiKeys({REFERENCE.provider: KEY}),
        patience=RetryPolicy(tries=2, first_wait=0.0),
        make=lambda _reference, _keys: Hostile(mind, seen, slips),
    )
    roles = dict.fromkeys(settings.roster, REFERENCE)
    return LanguageModelPerformer(LanguageModelAdapter(roles, settings, load_everyday_library(), exchange))


@cache
def _embedder() -> TfidfEmbedder:
    return TfidfEmbedder()


def _decide(pipeline: Pipeline, option: Option) -> bool:
    """Decide all that waits; whether anything did."""
    with pipeline.open_ledger() as store:
        desk = ReviewDesk(store, SystemClock(), "test")
        waiting = desk.list_pending_reviews()
        for each in waiting:
            decision = HumanDecision(option=option, justification="so be it", reviewer="a tired reader")
            desk.record_decision(each.scenario, decision, key=each.key)
    return bool(waiting)
