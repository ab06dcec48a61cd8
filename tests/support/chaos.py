"""Chaos: workers of one ledger are killed and frozen and its server is restarted, and everything is compared afterwards.

`python -m support.chaos worker` is such a worker: the built-in cast, each of whose answers takes a while, as one of a
model would. `python -m support.chaos run` prints the figures of a whole run.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, product
from pathlib import Path

from impossible_moments.agents.adapters import BuiltinAdapter, PerformedAsk
from impossible_moments.agents.orchestrator import Ask
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import CATEGORIES, STATUSES, Phase, Tier
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.ledger import DatabaseUrl, LedgerLocation, LedgerStore, leases, publications
from impossible_moments.pipeline.ledger_places import LEDGER
from impossible_moments.pipeline.pipeline import Pipeline
from impossible_moments.scenarios import ScenarioRegistry
from impossible_moments.scenarios.documents import remove_clock_values
from support.postgres_server import find_postgres_binaries, run_postgres_server

TESTS = Path(__file__).parents[1]
LEASE_SECONDS = 3.0
EASY_TIERS: tuple[Tier, ...] = ("SPARK", "FRACTURE")


class SlowPerformer(BuiltinAdapter):
    """The built-in cast with the latency of a model. Every answer is one line in a log, as if it were paid for."""

    def __init__(self, latency: float, log: Path) -> None:
        super().__init__()
        self._latency, self._log = latency, log

    async def perform(self, ask: Ask) -> PerformedAsk:
        performed = await super().perform(ask)
        await asyncio.sleep(self._latency)
        with self._log.open("a", encoding="utf-8") as file:
            file.write(f"{ask.assignment.scenario_id} {ask.key}\n")
        return performed


class BeginningPerformer(BuiltinAdapter):
    """The built-in cast, interrupted when each of so many scenarios has its first answer.

    A scenario knows what was published when it was begun, and its documents state how near that is. Begun together,
    scenarios have the same documents in whatever order they are finished.
    """

    def __init__(self, scenarios: int) -> None:
        super().__init__()
        self._begun: set[str] = set()
        self._scenarios = scenarios

    async def perform(self, ask: Ask) -> PerformedAsk:
        if ask.assignment.phase == Phase.SEED:
            return await super().perform(ask)
        self._begun.add(ask.assignment.scenario_id)
        if len(self._begun) == self._scenarios:
            raise KeyboardInterrupt
        return await asyncio.Future[PerformedAsk]()


@dataclass(frozen=True)
class ChaosPlan:
    """How many scenarios and workers there are, and what happens to the workers."""

    scenarios: int
    workers: int = 3
    kills: int = 20
    freezes: int = 1
    restarts: int = 1
    latency: float = 0.05
    pause: tuple[float, float] = (3.0, 8.0)
    """Seconds between two events, from and to."""
    seed: int = 1


@dataclass
class ChaosOutcome:
    """What is left after a run."""

    states: Counter[str]
    published: tuple[str, ...]
    documents: dict[str, dict[str, str]]
    """The documents of each scenario without clock values, by path."""
    asked: Counter[str]
    """How often each ask was answered by an agent."""
    events: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def repeated(self) -> int:
        """How many answers were given again, because they were in flight when a worker was killed."""
        return sum(number - 1 for number in self.asked.values())


@dataclass
class Site:
    """The ledger of a run, and the folder of each worker."""

    folder: Path
    location: LedgerLocation

    @classmethod
    def make_local(cls, folder: Path) -> Site:
        """Return a place whose workers share a folder."""
        return cls(folder, folder / "shared" / LEDGER)

    @property
    def options(self) -> list[str]:
        return ["--database-url", self.location.secret] if isinstance(self.location, DatabaseUrl) else []

    def get_output(self, worker: int) -> Path:
        return self.folder / (f"worker{worker}" if isinstance(self.location, DatabaseUrl) else "shared")

    def make_pipeline(self, worker: int, latency: float = 0.0) -> Pipeline:
        url = self.location.secret if isinstance(self.location, DatabaseUrl) else None
        return Pipeline(
            output=self.get_output(worker),
            performer=SlowPerformer(latency, self.folder / "asks.log"),
            database_url=url,
            lease_seconds=LEASE_SECONDS,
        )


def make_briefs(number: int) -> list[GenerationBrief]:
    """Return different briefs that the built-in cast can meet."""
    wanted = (
        GenerationBrief(category=category, difficulty_tier=tier, solution_status=status, seed=7_000 + place)
        for place, (tier, status, category) in enumerate(product(EASY_TIERS, STATUSES, CATEGORIES))
    )
    return list(islice(filter(_is_feasible, wanted), number))


def _is_feasible(brief: GenerationBrief) -> bool:
    try:
        BuiltinAdapter().require_feasible_brief(brief)
    except ImpossibleMomentsError:
        return False
    return True


def begin_scenarios(site: Site, plan: ChaosPlan) -> None:
    """Enrol all scenarios and begin each, as a process that is interrupted in its second ask."""
    (site.folder / "asks.log").touch()
    url = site.location.secret if isinstance(site.location, DatabaseUrl) else None
    pipeline = Pipeline(
        output=site.get_output(0),
        performer=BeginningPerformer(plan.scenarios),
        database_url=url,
        parallel_pipelines=plan.scenarios,
    )
    pipeline.enrol_all(make_briefs(plan.scenarios))
    with suppress(KeyboardInterrupt):
        pipeline.work(ends_when_done=True)


def run_undisturbed(site: Site, plan: ChaosPlan) -> ChaosOutcome:
    """Produce the scenarios in this process, one after the other."""
    begin_scenarios(site, plan)
    pipeline = site.make_pipeline(0)
    pipeline.parallel_pipelines = 1
    pipeline.work(ends_when_done=True, pause_seconds=0.1)
    return collect_outcome(site)


def run_with_chaos(site: Site, plan: ChaosPlan, restart: Callable[[], None] | None = None) -> ChaosOutcome:
    """Produce the scenarios by several workers that are disturbed, until all are finished."""
    chance, events, started = random.Random(plan.seed), list[str](), time.monotonic()
    begin_scenarios(site, plan)
    workers = {number: start_worker(site, number, plan) for number in range(plan.workers)}
    todo = ["kill"] * plan.kills + ["freeze"] * plan.freezes + ["restart"] * (plan.restarts if restart else 0)
    chance.shuffle(todo)
    frozen: list[subprocess.Popen[bytes]] = []
    while todo and any(each.poll() is None for each in workers.values()):
        time.sleep(chance.uniform(*plan.pause))
        event, number = todo.pop(), chance.randrange(plan.workers)
        process = workers[number]
        events.append(f"{event} {number}")
        if event == "restart" and restart is not None:
            restart()
        elif event == "freeze":
            process.send_signal(signal.SIGSTOP)
            frozen.append(process)
            number += plan.workers  # thawed later; another one takes its place
            workers[number] = start_worker(site, number, plan)
            time.sleep(LEASE_SECONDS * 2)
            process.send_signal(signal.SIGCONT)
        else:
            process.kill()
            process.wait()
            workers[number] = start_worker(site, number, plan)
    for process in workers.values():
        process.wait(timeout=600)
    outcome = collect_outcome(site)
    outcome.events, outcome.seconds = events, time.monotonic() - started
    return outcome


def start_worker(site: Site, number: int, plan: ChaosPlan) -> subprocess.Popen[bytes]:
    """Start a worker. What it prints goes to a file beside its folder."""
    with (site.folder / f"worker{number}.log").open("ab") as log:
        return subprocess.Popen(
            [
                sys.executable, "-m", "support.chaos", "worker", str(site.folder), str(number),
                "--latency", str(plan.latency), *site.options,
            ],
            cwd=TESTS, stdout=log, stderr=log,
        )  # fmt: skip


def collect_outcome(site: Site) -> ChaosOutcome:
    """Bring a folder up to the ledger and read everything."""
    pipeline = site.make_pipeline(0)
    pipeline.copy_publications()
    with LedgerStore(site.location) as store:
        rows = store.read_and_wait(leases.list_scenario_rows)
        published = tuple(store.read_and_wait(publications.list_publication_numbers))
    registry = ScenarioRegistry(site.get_output(0))
    assert sorted(registry.entries) == sorted(published)
    log = site.folder / "asks.log"
    return ChaosOutcome(
        Counter(str(row.state) for row in rows),
        published,
        {name: _read_documents(registry, name) for name in sorted(published)},
        Counter(log.read_text(encoding="utf-8").splitlines()),
    )


def _read_documents(registry: ScenarioRegistry, name: str) -> dict[str, str]:
    documents = registry.read_documents(name)
    assert documents is not None, f"{name} has no documents"
    return {path: remove_clock_values(text) for path, text in documents.list_files_by_path().items()}


def _work(options: argparse.Namespace) -> None:
    folder = Path(options.folder)
    site = (
        Site(folder, DatabaseUrl(options.database_url)) if options.database_url else Site.make_local(folder)
    )
    pipeline = site.make_pipeline(options.number, options.latency)
    pipeline.work(ends_when_done=True, pause_seconds=0.2)


def _run(options: argparse.Namespace) -> None:
    plan = ChaosPlan(
        options.scenarios, options.workers, options.kills, latency=options.latency, seed=options.seed
    )
    with tempfile.TemporaryDirectory(prefix="im-chaos-") as name:
        folder = Path(name)
        (folder / "calm").mkdir()
        calm = run_undisturbed(Site.make_local(folder / "calm"), plan)
        print(f"undisturbed: {dict(calm.states)}, {len(calm.published)} published", flush=True)
        if options.database == "sqlite":
            (folder / "wild").mkdir()
            report(calm, run_with_chaos(Site.make_local(folder / "wild"), plan))
            return
        binaries = find_postgres_binaries()
        assert binaries is not None, "no Postgres binaries"
        with run_postgres_server(binaries) as server:
            (folder / "wild").mkdir()
            site = Site(folder / "wild", DatabaseUrl(server.create_database()))
            report(calm, run_with_chaos(site, plan, server.restart))


def report(calm: ChaosOutcome, wild: ChaosOutcome) -> None:
    """Print how a disturbed run differs from an undisturbed one."""
    differing = [name for name, texts in calm.documents.items() if wild.documents.get(name) != texts]
    print(f"{wild.seconds:.0f} s, {len(wild.events)} events: {' '.join(wild.events)}")
    print(f"disturbed: {dict(wild.states)}, {len(wild.published)} published")
    print(
        f"answers: {sum(wild.asked.values())} given, {wild.repeated} of them again; {sum(calm.asked.values())} undisturbed"
    )
    print(f"documents that differ: {differing or 'none'}")


def main() -> None:
    """Be a worker, or run all of it and print the figures."""
    parser = argparse.ArgumentParser(prog="support.chaos")
    commands = parser.add_subparsers(required=True)
    worker = commands.add_parser("worker")
    worker.add_argument("folder")
    worker.add_argument("number", type=int)
    worker.add_argument("--latency", type=float, default=0.0)
    worker.add_argument("--database-url", default="")
    worker.set_defaults(call=_work)
    run = commands.add_parser("run")
    run.add_argument("--database", choices=["sqlite", "postgres"], default="postgres")
    run.add_argument("--scenarios", type=int, default=60)
    run.add_argument("--workers", type=int, default=3)
    run.add_argument("--kills", type=int, default=20)
    run.add_argument("--latency", type=float, default=0.05)
    run.add_argument("--seed", type=int, default=1)
    run.set_defaults(call=_run)
    options = parser.parse_args()
    options.call(options)


if __name__ == "__main__":
    main()
