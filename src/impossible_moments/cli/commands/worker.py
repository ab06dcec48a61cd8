"""Command declaration of `im worker`."""

from __future__ import annotations

from typing import Annotated

import typer

from impossible_moments.cli.options import (
    SCENARIOS,
    AsJson,
    Config,
    DatabaseUrl,
    Models,
    Output,
    Prices,
    SpendingLimit,
    parse_spending_limit,
)


def run_worker(  # noqa: PLR0913 - options of a command
    *,
    model: Models = None,
    spending_limit: SpendingLimit = None,
    prices: Prices = None,
    parallel_pipelines: Annotated[
        int, typer.Option(min=1, max=64, help="Scenarios that are produced at the same time.")
    ] = 5,
    until_done: Annotated[
        bool,
        typer.Option(
            "--until-done",
            help="End when no scenario of this cast is unfinished, instead of waiting for new ones.",
        ),
    ] = False,
    database_url: DatabaseUrl = None,
    output: Output = SCENARIOS,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Take unfinished scenarios of a ledger and produce them, beside any number of other workers.

    A worker takes the scenarios that were begun with its own cast. One worker at a time advances a scenario, and the
    work of a worker that died is taken over. `im batch` enrols the scenarios and produces some of them itself.
    """
    from impossible_moments.cli.actions.production_actions.worker import WorkerOptions
    from impossible_moments.cli.actions.production_actions.worker import run_worker as work
    from impossible_moments.cli.cast_options import CastOptions

    cast = CastOptions(tuple(model or ()), parse_spending_limit(spending_limit), prices)
    options = WorkerOptions(output, config, database_url, parallel_pipelines, until_done)
    raise typer.Exit(work(options, cast=cast, as_json=as_json))
