"""Trials of prompts: completed scenarios are played again with one agent's new prompt, and compared.

This is the protocol of the specification's appendix B. All other agents answer from the record, whatever
their context is now. If the new answers lead to an ask without a recorded answer, the built-in cast answers,
and the ask is counted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from impossible_moments.agents.adapters import Performer
from impossible_moments.agents.orchestrator import Ask
from impossible_moments.agents.orchestrator.orchestrator import CreationOutcome
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, HUMAN
from impossible_moments.errors import ConfigurationError, ImpossibleMomentsError
from impossible_moments.ledger import ScenarioState
from impossible_moments.llm import FailureKind, ModelFailure
from impossible_moments.mechanics.checks import StatusVerdict, verify_record
from impossible_moments.mechanics.execution import MinimalPlan
from impossible_moments.mechanics.records import Library
from impossible_moments.pipeline.ask_rounds import AwaitingHumanReview
from impossible_moments.pipeline.completed_scenarios import CompletedScenario
from impossible_moments.pipeline.driver import drive_flow

AT_ONCE: Final = 5
"""Scenarios that are played at the same time."""
OF_THE_PROMPT: Final = frozenset(
    {
        FailureKind.NO_DELIVERABLE,
        FailureKind.TRUNCATED,
        FailureKind.REFUSED,
        FailureKind.BUDGET,
        FailureKind.OVERFLOW,
    }
)
"""Failures that a prompt can cause. Other failures say nothing about it and stop the trial."""


@dataclass(frozen=True)
class RunEnding:
    """The end of a run, as far as the protocol compares it."""

    state: ScenarioState
    classification: str = ""
    solution: tuple[str, ...] = ()
    """The calls of every computed plan, or the sketch if none is computed."""
    tier: str = ""
    reason: str = ""
    """Why there is no scenario, if there is none."""


@dataclass(frozen=True)
class TrialComparison:
    """One scenario as it was recorded and as it came out in the trial."""

    scenario: str
    recorded: RunEnding
    new: RunEnding
    asks: int
    """How often the tested agent was asked."""
    unrecorded: tuple[str, ...] = ()
    """Asks to other agents that the record has no answer to."""

    @property
    def changes(self) -> tuple[str, ...]:
        """The names of what would change."""
        if self.new.state is not ScenarioState.ACCEPTED:
            return (f"{self.new.state}: {self.new.reason}",)
        pairs = {
            "classification": (self.recorded.classification, self.new.classification),
            "solution": (self.recorded.solution, self.new.solution),
            "difficulty tier": (self.recorded.tier, self.new.tier),
        }
        return tuple(name for name, (before, after) in pairs.items() if before != after)


@dataclass(frozen=True)
class PromptTrial:
    """The result of a prompt trial."""

    agent: str
    wanted: int
    comparisons: tuple[TrialComparison, ...]
    stopped: ImpossibleMomentsError | None = None
    """The error that stopped it early, if any."""

    @property
    def changed(self) -> int:
        """The number of scenarios that would change."""
        return sum(1 for each in self.comparisons if each.changes)


class TrialStop(Exception):
    """The tested agent could not be asked, for a reason unrelated to its prompt."""

    def __init__(self, problem: ImpossibleMomentsError) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True)
class TrialCandidate:
    """The agent whose prompt is tested, and the performers of the trial."""

    agent: str
    performer: Performer
    """Answers for the agent, with the new prompt."""
    stand_in: Performer
    """Answers asks that the record has no answer to."""


async def run_prompt_trial(
    candidate: TrialCandidate,
    scenarios: Sequence[CompletedScenario],
    on_comparison: Callable[[TrialComparison], None] = lambda _: None,
) -> PromptTrial:
    """Play completed scenarios again, several at the same time.

    `on_comparison` is called with each comparison as soon as it is made.
    """
    room, stops = asyncio.Semaphore(AT_ONCE), list[ImpossibleMomentsError]()

    async def compare_unless_stopped(completed: CompletedScenario) -> TrialComparison | None:
        async with room:
            if stops:
                return None
            try:
                comparison = await compare_with_record(candidate, completed)
            except TrialStop as stop:
                stops.append(stop.problem)
                return None
            on_comparison(comparison)
            return comparison

    found = await asyncio.gather(*map(compare_unless_stopped, scenarios))
    comparisons = tuple(each for each in found if each is not None)
    return PromptTrial(candidate.agent, len(scenarios), comparisons, stops[0] if stops else None)


async def compare_with_record(candidate: TrialCandidate, completed: CompletedScenario) -> TrialComparison:
    """Play one scenario again and compare it with its record."""
    cast, stage = _TrialCast(completed.answers, candidate), completed.stage
    if candidate.agent == ATHENA:
        # The reader knows only the situations of the built-in designer.
        stage = replace(stage, reader=None)
    try:
        finished = await drive_flow(stage.build_flow(completed.brief), cast.answer_round)
        new = extract_run_ending(finished, stage.library)
    except TrialStop:
        raise
    except AwaitingHumanReview as waiting:
        new = RunEnding(
            ScenarioState.AWAITING_HUMAN, reason=f"a human would have to answer {', '.join(waiting.keys)}"
        )
    except ModelFailure as failure:
        new = RunEnding(ScenarioState.FAILED, reason=str(failure))
    except Exception as problem:  # noqa: BLE001 - unforeseen answers may break anything, and the other trials are paid for
        new = RunEnding(ScenarioState.FAILED, reason=f"{type(problem).__name__}: {problem}")
    recorded = extract_run_ending(completed.finished, stage.library)
    return TrialComparison(completed.scenario, recorded, new, cast.asks, tuple(cast.unrecorded))


def extract_run_ending(finished: CreationOutcome, library: Library) -> RunEnding:
    """Extract from a finished run what the protocol compares."""
    seed = finished.dossier.find_latest_deliverable(SeedDocument)
    if finished.documents is None or seed is None:
        return RunEnding(ScenarioState.DISCARDED, reason=f"in {finished.discarded_in}, {finished.reason}")
    metadata = finished.documents.metadata
    return RunEnding(
        ScenarioState.ACCEPTED, metadata.status, _extract_solution_texts(seed, library), metadata.tier
    )


def _extract_solution_texts(seed: SeedDocument, library: Library) -> tuple[str, ...]:
    verdict = verify_record(seed.mechanics, library).verdict
    ways = tuple(sorted(set(_iterate_working_plan_texts(verdict)))) if verdict is not None else ()
    sketch = seed.solution_sketch
    sketched = tuple(step.action for step in sketch.steps) or sketch.evaluation_criteria
    # If nothing works, the proof of that is the solution.
    return ways or sketched or tuple(filter(None, (sketch.impossibility_proof,)))


def _iterate_working_plan_texts(verdict: StatusVerdict) -> Iterator[str]:
    crux = verdict.crux
    if crux is not None:
        yield from (f"at the low end of {crux.quantity}: {_format_plan_calls(way)}" for way in crux.all_low)
        yield from (f"at the high end of {crux.quantity}: {_format_plan_calls(way)}" for way in crux.all_high)
        return
    yield from map(_format_plan_calls, verdict.ways)
    if verdict.outside is not None:
        yield f"without the premise: {_format_plan_calls(verdict.outside)}"


def _format_plan_calls(way: MinimalPlan) -> str:
    return " then ".join(way.calls)


@dataclass
class _TrialCast:
    """A cast in which one agent is asked and all others answer from the record."""

    record: Mapping[str, LabelledModel]
    candidate: TrialCandidate
    asks: int = 0
    unrecorded: list[str] = field(default_factory=list)

    async def answer_round(self, asks: tuple[Ask, ...]) -> tuple[LabelledModel, ...]:
        """Return the replies to one round. Errors are raised after all performers have finished."""
        found = await asyncio.gather(*map(self._answer_ask, asks), return_exceptions=True)
        for each in found:
            if isinstance(each, BaseException):
                raise each
        return tuple(each for each in found if not isinstance(each, BaseException))

    async def _answer_ask(self, ask: Ask) -> LabelledModel:
        if ask.agent == self.candidate.agent:
            return await self._ask_tested_agent(ask)
        recorded = self.record.get(ask.key)
        if isinstance(recorded, ask.returns):
            return recorded
        if ask.agent == HUMAN:
            raise AwaitingHumanReview((ask.key,))
        self.unrecorded.append(ask.key)
        return (await self.candidate.stand_in.perform(ask)).reply

    async def _ask_tested_agent(self, ask: Ask) -> LabelledModel:
        self.asks += 1
        try:
            return (await self.candidate.performer.perform(ask)).reply
        except ModelFailure as failure:
            if failure.kind in OF_THE_PROMPT:
                raise
            raise TrialStop(failure) from None
        except ConfigurationError as problem:
            raise TrialStop(problem) from None
