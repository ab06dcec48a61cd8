"""Implementation of `im resume`: continue interrupted and failed scenarios, each with its own cast."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from impossible_moments.agents.builtin import load_extended_cast
from impossible_moments.agents.orchestrator import identify_settings, load_configuration
from impossible_moments.cli.actions.recording import REPLAY
from impossible_moments.cli.agent_names import reject_misspelt_roles
from impossible_moments.cli.cast_options import CastOptions, PhaseProgressPrinter, get_exit_status
from impossible_moments.cli.exit_status import DONE
from impossible_moments.cli.interruptions import explain_interruption, format_resume_command
from impossible_moments.cli.output.formatting import escape_for_terminal, print_json
from impossible_moments.cli.output.terminal import Console
from impossible_moments.cli.scenario_folder import open_ledger
from impossible_moments.domain.vocabulary import ATHENA
from impossible_moments.errors import ConfigurationError, ImpossibleMomentsError
from impossible_moments.ledger import ScenarioRow, ScenarioState, leases
from impossible_moments.library import load_everyday_library
from impossible_moments.pipeline import (
    CONTRIBUTED,
    CastRecord,
    GenerationResult,
    ModelResources,
    Pipeline,
    build_cast,
    parse_cast_record,
    select_models,
)


@dataclass(frozen=True)
class _Resumption:
    """The options of a run of `im resume`, and the failed scenarios that it tries again."""

    cast: CastOptions
    means: ModelResources
    output: Path
    config: Path | None
    blueprints: Path | None
    failed: frozenset[str]

    def resume_cast(self, performers: str) -> tuple[GenerationResult, ...]:
        """Continue the scenarios of one cast as the ledger records it."""
        recorded = parse_cast_record(performers)
        settings = load_configuration(self.config)
        if recorded is not None:
            self._require_same_settings(recorded)
            settings = settings.enable_agents(recorded.further_agents)
        reject_misspelt_roles(self.cast.models, settings)
        models = select_models(_combine_models(recorded, self.cast.models), settings)
        performer = build_cast(
            models,
            settings,
            load_everyday_library(),
            self.means,
            programs=None if self.blueprints is None else load_extended_cast(self.blueprints),
        )
        pipeline = Pipeline(
            self.config,
            performer=performer,
            output=self.output,
            further_agents=() if recorded is None else recorded.further_agents,
            cast=models,
            on_ask=PhaseProgressPrinter().report_ask,
        )
        _record_cast(pipeline, performers)
        return pipeline.resume(failed=self.failed, performers=pipeline.cast.format())

    def _require_same_settings(self, recorded: CastRecord) -> None:
        if identify_settings(self.config) != recorded.settings:
            raise ConfigurationError(
                "It was begun with other settings. Name the settings file that it was begun with: --config FILE."
                if recorded.settings
                else "It was begun with the packaged settings. Leave out --config."
            )


def resume_scenarios(
    names: Collection[str],
    *,
    cast: CastOptions,
    output: Path,
    config: Path | None,
    as_json: bool,
    blueprints: Path | None = None,
) -> int:
    """Continue unfinished scenarios and print one line for each result. Return the worst exit status.

    Every scenario keeps the cast it was begun with, apart from models that are named now. One that was begun with other
    `blueprints` fails with the name of those that it needs.
    """
    rows = _list_rows(output)
    failed = _select_failed_scenarios(names, rows, output)
    means = ModelResources(spending_limit=cast.spending_limit, prices=cast.prices)
    wanted = _Resumption(cast, means, output, config, blueprints, failed)
    unfinished = [row for row in rows if row.state is ScenarioState.RUNNING or row.scenario in failed]
    casts = sorted({row.performers for row in unfinished})
    results: list[GenerationResult] = []
    with explain_interruption(format_resume_command(output, config=config, blueprints=blueprints, cast=cast)):
        for performers in casts:
            try:
                results += wanted.resume_cast(performers)
            except ImpossibleMomentsError as problem:
                if len(casts) == 1:
                    raise
                results += [
                    GenerationResult(row.scenario, row.state, reason=str(problem), error=problem)
                    for row in unfinished
                    if row.performers == performers
                ]
    _print_results(sorted(results, key=lambda each: each.scenario_id), means, output, as_json=as_json)
    return max((get_exit_status(each) for each in results), default=DONE)


def _print_results(
    results: Sequence[GenerationResult], means: ModelResources, output: Path, *, as_json: bool
) -> None:
    if as_json:
        rows = [
            {"scenario_id": each.scenario_id, "state": str(each.state), "reason": each.reason}
            for each in results
        ]
        print_json({"scenarios": rows, "cost": str(means.budget.spent)})
        return
    console = Console()
    for each in results:
        why = f": {escape_for_terminal(each.reason)}" if each.reason else "."
        console.print(f"{each.scenario_id} is {each.state}{why}", highlight=False)
    if not results:
        shown = escape_for_terminal(output)
        console.print(
            f"{shown} has no unfinished scenarios. `im status --output {shown}` lists all scenarios."
        )
    if means.budget.requests:
        console.print(f"  model usage: {means.budget}", highlight=False)


def _combine_models(recorded: CastRecord | None, flags: Sequence[str]) -> tuple[str, ...]:
    """Return the models of a cast with those that are named now. A model for all roles replaces the cast.

    Raise `ConfigurationError` if the cast cannot be played by models.
    """
    if recorded is None or any("=" not in flag.partition(":")[0] for flag in flags):
        return tuple(flags)
    designer = recorded.models.get(ATHENA, "")
    if designer.startswith(REPLAY):
        raise ConfigurationError(f"It replays a recording. Continue it with `im create --model {designer}`.")
    if designer.startswith(CONTRIBUTED):
        file = designer.removeprefix(CONTRIBUTED)
        raise ConfigurationError(f"It was begun from a file. Continue it with `im publish {file}`.")
    return (*(f"{role}={model}" for role, model in recorded.models.items()), *flags)


def _record_cast(pipeline: Pipeline, performers: str) -> None:
    """Record the present cast for the unfinished scenarios of an earlier one, if it is another."""
    present = pipeline.cast.format()
    if present == performers:
        return
    with pipeline.open_ledger() as store:
        for row in store.read_and_wait(leases.list_scenario_rows):
            if row.performers == performers and row.state in {ScenarioState.RUNNING, ScenarioState.FAILED}:
                change = partial(leases.change_performers, scenario=row.scenario, performers=present)
                store.commit_and_wait(change)


def _list_rows(output: Path) -> tuple[ScenarioRow, ...]:
    with open_ledger(output) as store:
        return store.read_and_wait(leases.list_scenario_rows)


def _select_failed_scenarios(
    names: Collection[str], rows: Sequence[ScenarioRow], output: Path
) -> frozenset[str]:
    """Return the failed scenarios, or the named ones.

    Raise a ConfigurationError if a named one has not failed.
    """
    failed = {row.scenario for row in rows if row.state is ScenarioState.FAILED}
    for name in names:
        if name not in failed:
            raise ConfigurationError(
                f"{name} is not a failed scenario of {output}. Failed scenarios: {', '.join(sorted(failed)) or 'none'}. "
                "Interrupted scenarios are always continued."
            )
    return frozenset(names or failed)
