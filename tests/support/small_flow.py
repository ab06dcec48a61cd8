"""A small flow with everything that a driver must handle. As a program it is a runner that can be killed.

`python -m support.small_flow LEDGER LOG [--kill-in KEY] [--voice NAME] [--human] [--lease SECONDS]
[--owner NAME] [--ahead SECONDS] [--meet RUNNERS]` prints the result or what is awaited, and appends the key of every ask
it performs to LOG. A clock that is ahead must change nothing; runners that meet do so in their first ask.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated

from impossible_moments.agents.adapters.performer import PerformedAsk
from impossible_moments.agents.orchestrator.flow import Ask, Assignment, Flow, request_answer, request_answers
from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, HUMAN, NEWTON, SOCRATES, Phase
from impossible_moments.ledger.answered_asks import list_answers
from impossible_moments.ledger.leases import FINISHED, ScenarioClosing, ScenarioState
from impossible_moments.ledger.store import LedgerStore
from impossible_moments.pipeline.clock import SystemClock
from impossible_moments.pipeline.driver import Driver, RunOutcome, ScenarioJob
from support.performer_doubles import PlainPerformer

SCENARIO = "IM-9001"
KEYS = (
    "SEED/ATHENA/idea",
    "VALIDATE/NEWTON/report",
    "VALIDATE/EULER/report",
    "GROUND/GALILEO/report",
    "CLASSIFY/SOCRATES/report",
)
HUMAN_KEY = "CLASSIFY/HUMAN/escalation"


class Idea(LabelledModel):
    text: Annotated[str, ContentLabel.NARRATIVE]
    confidence: Annotated[float, ContentLabel.ATHENA_CONFIDENCE] = 0.9


class Report(LabelledModel):
    verdict: Annotated[str, ContentLabel.PHYSICS]
    margins: Annotated[tuple[float, ...], ContentLabel.PHYSICS] = ()
    confidence: Annotated[float, ContentLabel.VALIDATOR_CONFIDENCE] = 0.8


class Ruling(LabelledModel):
    text: Annotated[str, ContentLabel.REVISION]


def build_ask(agent: str, phase: Phase, topic: str, context: list[str], returns: type[LabelledModel]) -> Ask:
    assignment = Assignment(
        agent=agent,
        phase=phase,
        scenario_id=SCENARIO,
        task=f"say something of {topic}",
        context={"said": context},
        returns=returns.__name__,
        token_budget=1_000,
    )
    return Ask(f"{phase}/{agent}/{topic}", assignment, returns)


def create_small_flow(*, human: bool = False, validation: str = "report") -> Flow[str]:
    """Create a flow of one ask, two at once, another, optionally a human, and a last one; the result contains every reply."""
    idea = yield from request_answer(build_ask(ATHENA, Phase.SEED, "idea", [], Idea), Idea)
    said = [idea.text]
    both = tuple(build_ask(agent, Phase.VALIDATE, validation, said, Report) for agent in (NEWTON, EULER))
    reports = yield from request_answers(both, Report)
    said = [*said, *(f"{report.verdict} {report.margins}" for report in reports)]
    grounded = yield from request_answer(build_ask(GALILEO, Phase.GROUND, "report", said, Report), Report)
    said = [*said, grounded.verdict]
    if human:
        ruling = yield from request_answer(
            build_ask(HUMAN, Phase.CLASSIFY, "escalation", said, Ruling), Ruling
        )
        said = [*said, ruling.text]
    last = yield from request_answer(build_ask(SOCRATES, Phase.CLASSIFY, "report", said, Report), Report)
    return "\n".join([*said, last.verdict])


@dataclass
class WordyPerformer(PlainPerformer):
    """Answers every ask in its own words, and records the asks."""

    name: str = "one"
    performed: list[str] = field(default_factory=list)
    before: Callable[[Ask], None] = lambda _ask: None

    async def perform(self, ask: Ask) -> PerformedAsk:
        self.performed.append(ask.key)
        self.before(ask)
        await asyncio.sleep(0)
        reply: LabelledModel = Idea(text=f"{ask.key} by {self.name}")
        if ask.returns is Report:
            reply = Report(verdict=f"{ask.key} by {self.name}", margins=(0.1, 1e-7, 1 / 3))
        return PerformedAsk(reply, {"tokens": 7}, model=self.name, prompt_hash="p")


@dataclass
class FastClock:
    """The system time plus some seconds."""

    seconds: float

    def now(self) -> float:
        return SystemClock().now() + self.seconds


@dataclass
class SelfKillingPerformer(PlainPerformer):
    """Logs every ask and kills the process inside one of them, once the others of its round are committed."""

    store: LedgerStore
    log: Path
    voice: WordyPerformer
    kill_in: str | None
    meet: int = 1

    async def perform(self, ask: Ask) -> PerformedAsk:
        with self.log.open("a") as log:
            log.write(f"{ask.key}\n")
        while ask.key == KEYS[0] and len(self.log.read_text(encoding="utf-8").split()) < self.meet:  # noqa: ASYNC110 - of another process
            await asyncio.sleep(0.001)
        if ask.key == self.kill_in:
            answers = partial(list_answers, scenario=SCENARIO)
            while len(await self.store.read(answers)) < self._count_expected_answers(ask):  # noqa: ASYNC110 - of the ledger's thread
                await asyncio.sleep(0.002)
            os.kill(os.getpid(), signal.SIGKILL)
        return await self.voice.perform(ask)

    @staticmethod
    def _count_expected_answers(ask: Ask) -> int:
        """Return how many asks are answered once all but this one and those after its round are."""
        return 2 if ask.assignment.phase is Phase.VALIDATE else KEYS.index(ask.key)


async def run_and_accept(driver: Driver[str], job: ScenarioJob[str]) -> RunOutcome[str]:
    """Run a scenario and, if its flow ends, close it as accepted."""
    outcome = await driver.run_scenario(job)
    if outcome.result is None or outcome.state in FINISHED:
        return outcome
    await driver.close_scenario(job.scenario, ScenarioClosing(ScenarioState.ACCEPTED))
    return replace(outcome, state=ScenarioState.ACCEPTED)


async def run_flow(store: LedgerStore, options: argparse.Namespace) -> RunOutcome[str]:
    driver: Driver[str] = Driver(
        store=store,
        performer=SelfKillingPerformer(
            store, options.log, WordyPerformer(options.voice), options.kill_in, options.meet
        ),
        clock=FastClock(options.ahead),
        owner=options.owner or f"process {os.getpid()}",
        code_version="test",
        lease_seconds=options.lease,
    )
    return await run_and_accept(
        driver, ScenarioJob(SCENARIO, partial(create_small_flow, human=options.human))
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("ledger", type=Path)
    parser.add_argument("log", type=Path)
    parser.add_argument("--kill-in")
    parser.add_argument("--voice", default="one")
    parser.add_argument("--human", action="store_true")
    parser.add_argument("--lease", type=float, default=0.3)
    parser.add_argument("--owner")
    parser.add_argument("--ahead", type=float, default=0.0)
    parser.add_argument("--meet", type=int, default=1)
    options = parser.parse_args()
    with LedgerStore(options.ledger) as store:
        outcome = asyncio.run(run_flow(store, options))
    print(outcome.result or f"awaits {' '.join(outcome.awaited)}")  # noqa: T201 - the tests read it


if __name__ == "__main__":
    main()
