"""Orchestration: what an ask costs beside its answer, and how fast a recorded run is replayed.

The flow is invented: thirty asks for one scenario, replies of the usual eight kilobytes, views of the last of them.
`python -m benchmarks.orchestration` prints it alone.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from benchmarks.measuring import cpu
from impossible_moments.agents.adapters.performer import PerformedAsk
from impossible_moments.agents.orchestrator.flow import Ask, Assignment, Flow, request_answer
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.vocabulary import ATHENA, Phase
from impossible_moments.ledger.leases import ScenarioClosing, ScenarioState
from impossible_moments.ledger.store import LedgerStore
from impossible_moments.pipeline.clock import SystemClock
from impossible_moments.pipeline.concurrency import run_concurrently_with_limit
from impossible_moments.pipeline.driver import Driver, ScenarioJob, drive_flow
from impossible_moments.pipeline.replay import replay_flow

ASKS, SCENARIOS, PARALLEL = 30, 60, 20


class Part(LabelledModel):
    """A claim with what was found of it."""

    name: Annotated[str, ContentLabel.PHYSICS]
    value: Annotated[float, ContentLabel.PHYSICS]
    text: Annotated[str, ContentLabel.PHYSICS]


class Report(LabelledModel):
    """A deliverable of the usual size."""

    parts: tuple[Part, ...]


REPLY = Report(
    parts=tuple(
        Part(
            name=f"claim {number}",
            value=number / 7,
            text=f"{number} newtons of {number * 37} are enough. " * 4,
        )
        for number in range(45)
    )
)


def thirty_asks(scenario: str = "IM-9001") -> Flow[int]:
    """One ask after the other, each shown the reply before it."""
    said = 0
    shown: dict[str, object] = {}
    for number in range(ASKS):
        assignment = Assignment(ATHENA, Phase.SEED, scenario, "Report.", shown, "Report", 8_000)
        reply = yield from request_answer(Ask(f"SEED/ATHENA/report/{number}", assignment, Report), Report)
        shown = {"report": reply.to_visible_data({ContentLabel.PHYSICS})}
        said += len(reply.parts)
    return said


class Prompt:
    """Answers at once."""

    @property
    def reader(self) -> None:
        """No reader."""

    def require_feasible_brief(self, brief: GenerationBrief) -> None:
        """Every brief is feasible."""

    async def close(self) -> None:
        """Nothing is open."""

    async def perform(self, ask: Ask) -> PerformedAsk:
        """The same reply to every ask."""
        assert ask.returns is Report
        return PerformedAsk(REPLY)


def overheads() -> Iterator[tuple[str, str, str]]:
    """What is measured, the measure and its goal, all in CPU time."""
    asks = ASKS * SCENARIOS
    own = cpu(lambda: [_unasked(thirty_asks()) for _ in range(SCENARIOS)], 5)
    bare = cpu(lambda: asyncio.run(_without_ledger()), 5) - own
    yield "driver's share of an ask, no ledger", f"{bare / asks * 1e3:.3f} ms", "< 0.3 ms"
    with TemporaryDirectory() as folder, LedgerStore(Path(folder) / "ledger.db") as store:
        wall = time.perf_counter()
        durable = cpu(lambda: asyncio.run(_with_ledger(store))) - own
        wall = time.perf_counter() - wall
        yield (
            f"driver's share of an ask, ledger, {PARALLEL} side by side",
            f"{durable / asks * 1e3:.3f} ms",
            "< 1.5 ms",
        )
        yield "asks a second through the ledger, by the wall clock", f"{asks / wall:,.0f} /s", ""
        again = cpu(
            lambda: [replay_flow(store, f"IM-{number}", thirty_asks()) for number in range(SCENARIOS)], 5
        )
        yield "replay from the ledger, the flow's own work included", f"{asks / again:,.0f} /s", "> 5,000 /s"


async def _without_ledger() -> None:
    prompt = Prompt()

    async def replies(asks: tuple[Ask, ...]) -> tuple[LabelledModel, ...]:
        performed = await asyncio.gather(*map(prompt.perform, asks))
        return tuple(each.reply for each in performed)

    for _ in range(SCENARIOS):
        await drive_flow(thirty_asks(), replies)


async def _with_ledger(store: LedgerStore) -> None:
    driver: Driver[int] = Driver(store, Prompt(), SystemClock(), "benchmark", "0")
    jobs = [ScenarioJob(f"IM-{number}", thirty_asks) for number in range(SCENARIOS)]
    await run_concurrently_with_limit(
        (partial(_run_and_close, driver, job) for job in jobs), at_once=PARALLEL
    )


async def _run_and_close(driver: Driver[int], job: ScenarioJob[int]) -> None:
    await driver.run_scenario(job)
    await driver.close_scenario(job.scenario, ScenarioClosing(ScenarioState.ACCEPTED))


def _unasked(flow: Flow[int]) -> int:
    """Run a flow without a driver: what it costs by itself."""
    next(flow)
    for asked in itertools.count(1):
        try:
            flow.send((REPLY,))
        except StopIteration:
            return asked
    raise AssertionError("a flow ends")


def main() -> None:
    """Print a line for each measure."""
    for what, measured, goal in overheads():
        print(f"{what:<58}{measured:>16}{goal:>18}", flush=True)


if __name__ == "__main__":
    main()
