"""Implementation of `im worker`: produce the unfinished scenarios of a ledger as they appear."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from impossible_moments.agents.orchestrator import load_configuration
from impossible_moments.cli.agent_names import reject_misspelt_roles
from impossible_moments.cli.cast_options import CastOptions
from impossible_moments.cli.exit_status import DONE, FAILED
from impossible_moments.cli.output.formatting import escape_for_terminal, print_json
from impossible_moments.cli.output.terminal import Console
from impossible_moments.ledger import ScenarioState
from impossible_moments.library import load_everyday_library
from impossible_moments.pipeline import GenerationResult, ModelResources, Pipeline, build_cast, select_models


@dataclass(frozen=True)
class WorkerOptions:
    """Where a worker finds its work, and how much of it."""

    output: Path
    config: Path | None
    database_url: str | None
    parallel_pipelines: int
    until_done: bool


def run_worker(options: WorkerOptions, *, cast: CastOptions, as_json: bool) -> int:
    """Produce scenarios until all are finished, or until the worker is stopped. Return the exit status.

    A signal to end gives the leases back, so that other workers go on at once.
    """
    settings = load_configuration(options.config)
    reject_misspelt_roles(cast.models, settings)
    names = select_models(cast.models, settings)
    means = ModelResources(spending_limit=cast.spending_limit, prices=cast.prices)
    pipeline = Pipeline(
        options.config,
        performer=build_cast(names, settings, load_everyday_library(), means),
        parallel_pipelines=options.parallel_pipelines,
        output=options.output,
        cast=names,
        database_url=options.database_url,
    )
    console, states = Console(stderr=True), Counter[ScenarioState]()

    def report_result(result: GenerationResult) -> None:
        states[result.state] += 1
        reason = f": {escape_for_terminal(result.reason)}" if result.reason else ""
        console.print(f"{result.scenario_id} is {result.state}{reason}", highlight=False)

    with _end_on_signal():
        pipeline.work(ends_when_done=options.until_done, on_result=report_result)
    if as_json:
        counts = {str(state): number for state, number in states.items()}
        print_json({"states": counts, "cost": str(means.budget.spent)})
    return FAILED if states[ScenarioState.FAILED] else DONE


@contextmanager
def _end_on_signal() -> Iterator[None]:
    """Let SIGTERM end the worker as Ctrl-C does, which cancels the work and gives its leases back."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        signal.raise_signal(signal.SIGINT)

    earlier = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, earlier)
