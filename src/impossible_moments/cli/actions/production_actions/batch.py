"""Implementation of `im batch`: plan, produce, and report what was made."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from impossible_moments.agents.adapters import NAME as BUILTIN
from impossible_moments.agents.builtin import UnreachableBrief, load_builtin_cast
from impossible_moments.agents.orchestrator import load_configuration
from impossible_moments.cli.agent_names import reject_misspelt_roles
from impossible_moments.cli.cast_options import CastOptions
from impossible_moments.cli.exit_status import AWAITING_HUMAN, DONE, FAILED, FOUND_ERRORS
from impossible_moments.cli.interruptions import explain_interruption, format_resume_command, report_waiting
from impossible_moments.cli.output.formatting import escape_for_terminal, print_json
from impossible_moments.cli.output.production import (
    describe_plan,
    describe_production,
    print_milestone,
    print_plan,
    print_production,
)
from impossible_moments.cli.output.terminal import Console
from impossible_moments.domain.vocabulary import ATHENA
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import DatabaseUrl, ScenarioState
from impossible_moments.library import load_everyday_library
from impossible_moments.pipeline import (
    GenerationResult,
    ModelResources,
    Pipeline,
    build_cast,
    select_models,
)
from impossible_moments.production import (
    BatchManager,
    CoverageTargets,
    NodeSettings,
    ProductionOutcome,
    RayPlacement,
    ScenarioSupply,
    load_coverage_targets,
)


@dataclass(frozen=True)
class BatchWanted:
    """The options of a production run."""

    count: int | None = None
    batch_size: int | None = None
    targets: Path | None = None
    parallel_pipelines: int = 5
    seed: int = 0
    database_url: str | None = None
    ray: str | None = None

    def load_targets(self) -> CoverageTargets:
        """Load the targets, scaled to the wanted count and batch size."""
        targets = load_coverage_targets(self.targets)
        if self.count is not None and self.count != targets.total:
            targets = targets.scale(self.count)
        return (
            targets if self.batch_size is None else targets.model_copy(update={"batch_size": self.batch_size})
        )


def produce_batches(
    wanted: BatchWanted, *, cast: CastOptions, output: Path, config: Path | None, as_json: bool
) -> int:
    """Produce scenarios to the targets, or print the plan of a dry run. Return the exit status."""
    targets = wanted.load_targets()
    settings = load_configuration(config)
    reject_misspelt_roles(cast.models, settings)
    names = select_models(cast.models, settings)
    means = ModelResources(spending_limit=cast.spending_limit, prices=cast.prices)
    supply = (
        ScenarioSupply(load_builtin_cast().catalogue, wanted.seed)
        if names[ATHENA] == BUILTIN
        else ScenarioSupply.create_unlimited(targets.total, wanted.seed)
    )
    pipeline = Pipeline(
        config,
        performer=build_cast(names, settings, load_everyday_library(), means),
        parallel_pipelines=wanted.parallel_pipelines,
        output=output,
        cast=names,
        on_wait=report_waiting,
        database_url=wanted.database_url,
    )
    progress = _ProductionProgress(targets.total, as_json=as_json)
    placement = None if cast.dry_run else _connect_cluster(wanted, cast, config, pipeline)
    manager = BatchManager(
        pipeline,
        targets,
        supply,
        progress.report_result,
        None if placement is None else placement.advance_all,
    )
    if cast.dry_run:
        plan = manager.plan()
        if as_json:
            print_json(describe_plan(plan))
        else:
            print_plan(plan)
        return DONE
    with explain_interruption(format_resume_command(output, config=config, cast=cast)), progress.bar:
        outcome = manager.run(progress.start_batch, print_milestone)
    if as_json:
        print_json(describe_production(outcome) | {"cost": str(means.budget.spent)})
    else:
        print_production(outcome, output)
        if means.budget.requests:
            Console().print(f"model usage: {means.budget}", highlight=False)
    return _choose_exit_status(outcome)


def _connect_cluster(
    wanted: BatchWanted, cast: CastOptions, config: Path | None, pipeline: Pipeline
) -> RayPlacement | None:
    """Return the Ray cluster that was named. Raise `ConfigurationError` if its nodes could not share the ledger."""
    if wanted.ray is None:
        return None
    if not isinstance(pipeline.ledger, DatabaseUrl):
        raise ConfigurationError(
            "--ray needs --database-url: the nodes of a cluster share the ledger in a database."
        )
    if cast.spending_limit is not None or cast.prices is not None:
        raise ConfigurationError(
            "--ray takes neither --spending-limit nor --prices: no node knows what the others spend. Set a limit at the provider."
        )
    configuration = None if config is None else config.read_bytes()
    return RayPlacement(wanted.ray, NodeSettings(pipeline.ledger.secret, cast.models, configuration))


class _ProductionProgress:
    """The progress bar of a production run, on standard error."""

    def __init__(self, total: int, *, as_json: bool) -> None:
        self._console = Console(stderr=True)
        self.bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[rate]}"),
            console=self._console,
            transient=True,
            disable=as_json or not self._console.is_terminal,
        )
        self._task = self.bar.add_task("accepted", total=total, rate="")
        self._states: Counter[ScenarioState] = Counter()
        self._started = monotonic()

    def start_batch(self, number: int, size: int) -> None:
        """Print a line for a new batch."""
        self._console.print(f"batch {number}: {size} scenarios", style="dim", highlight=False)

    def report_result(self, result: GenerationResult) -> None:
        """Advance the bar, and print scenarios that failed or wait."""
        self._states[result.state] += 1
        if result.state in {ScenarioState.FAILED, ScenarioState.AWAITING_HUMAN}:
            reason = escape_for_terminal(result.reason)
            self._console.print(f"{result.scenario_id} {result.state}: {reason}", highlight=False)
        minutes = max(monotonic() - self._started, 1e-9) / 60
        lost = sum(self._states.values()) - self._states[ScenarioState.ACCEPTED]
        rate = f"{self._states[ScenarioState.ACCEPTED] / minutes:.0f} a minute, {lost} not accepted"
        self.bar.update(self._task, completed=self._states[ScenarioState.ACCEPTED], rate=rate)


def _choose_exit_status(outcome: ProductionOutcome) -> int:
    results = [each for batch in outcome.batches for each in batch.results]
    states = Counter(each.state for each in results)
    # A design that turns out not to be possible is a loss like any other, and is replaced.
    if any(
        each.state is ScenarioState.FAILED and not isinstance(each.error, UnreachableBrief)
        for each in results
    ):
        return FAILED
    if outcome.missing:
        return AWAITING_HUMAN if states[ScenarioState.AWAITING_HUMAN] else FOUND_ERRORS
    return DONE
