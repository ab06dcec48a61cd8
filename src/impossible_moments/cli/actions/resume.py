"""Implementation of `im resume`: continue interrupted and failed scenarios."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from rich.console import Console

from impossible_moments.agents.builtin import load_extended_cast
from impossible_moments.agents.orchestrator import load_configuration
from impossible_moments.cli.agent_names import reject_misspelt_roles
from impossible_moments.cli.cast_options import CastOptions, PhaseProgressPrinter, get_exit_status
from impossible_moments.cli.exit_status import DONE
from impossible_moments.cli.output.formatting import escape_for_terminal, print_json
from impossible_moments.cli.scenario_folder import open_ledger
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import ScenarioState, leases
from impossible_moments.library import load_everyday_library
from impossible_moments.pipeline import ModelResources, Pipeline, build_cast, select_models


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

    A scenario that was begun with other `blueprints` fails with the name of those that it needs.
    """
    failed = _select_failed_scenarios(names, output)
    settings = load_configuration(config)
    reject_misspelt_roles(cast.models, settings)
    means = ModelResources(spending_limit=cast.spending_limit, prices=cast.prices)
    performer = build_cast(
        select_models(cast.models, settings),
        settings,
        load_everyday_library(),
        means,
        programs=None if blueprints is None else load_extended_cast(blueprints),
    )
    pipeline = Pipeline(config, performer=performer, output=output, on_ask=PhaseProgressPrinter().report_ask)
    results = pipeline.resume(failed=failed)
    if as_json:
        rows = [
            {"scenario_id": each.scenario_id, "state": str(each.state), "reason": each.reason}
            for each in results
        ]
        print_json({"scenarios": rows, "cost": str(means.budget.spent)})
    else:
        console = Console()
        for each in results:
            why = f": {escape_for_terminal(each.reason)}" if each.reason else "."
            console.print(f"{each.scenario_id} is {each.state}{why}", highlight=False)
        if not results:
            console.print(
                f"{output} has no unfinished scenarios. `im status --output {output}` lists all scenarios."
            )
        if means.budget.requests:
            console.print(f"  model usage: {means.budget}", highlight=False)
    return max((get_exit_status(each) for each in results), default=DONE)


def _select_failed_scenarios(names: Collection[str], output: Path) -> frozenset[str]:
    """Return the failed scenarios, or the named ones.

    Raise a ConfigurationError if a named one has not failed.
    """
    with open_ledger(output) as store:
        failed = {
            row.scenario
            for row in store.read_and_wait(leases.list_scenario_rows)
            if row.state is ScenarioState.FAILED
        }
    for name in names:
        if name not in failed:
            raise ConfigurationError(
                f"{name} is not a failed scenario of {output}. Failed scenarios: {', '.join(sorted(failed)) or 'none'}. "
                "Interrupted scenarios are always continued."
            )
    return frozenset(names or failed)
