"""Command declaration of `im batch`."""

from __future__ import annotations

from pathlib import Path
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


def produce_batches(  # noqa: PLR0913 - options of a command
    *,
    count: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="How many scenarios the folder shall hold, in the proportions of the targets. Default: their total.",
            show_default=False,
        ),
    ] = None,
    batch_size: Annotated[
        int | None,
        typer.Option(
            min=1, help="Scenarios in a batch. Default: that of the targets, 50.", show_default=False
        ),
    ] = None,
    coverage_targets: Annotated[
        Path | None,
        typer.Option(
            help="YAML file with the wanted counts of categories, tiers and statuses. Default: the 500 scenarios of the specification.",
            show_default=False,
        ),
    ] = None,
    parallel_pipelines: Annotated[
        int, typer.Option(min=1, max=64, help="Scenarios that are produced at the same time.")
    ] = 5,
    seed: Annotated[
        int, typer.Option(min=0, help="Seed of the production. The same seed gives the same scenarios.")
    ] = 0,
    model: Models = None,
    spending_limit: SpendingLimit = None,
    prices: Prices = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Print the plan, what cannot be met, and the expected effort. Nothing is made."
        ),
    ] = False,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Address of a Ray cluster that produces the scenarios, or auto. Needs --database-url and the extra [ray].",
            show_default=False,
        ),
    ] = None,
    output: Output = SCENARIOS,
    config: Config = None,
    database_url: DatabaseUrl = None,
    as_json: AsJson = False,
) -> None:
    """Produce many scenarios that meet coverage targets, in batches.

    Running again continues: what is unfinished is completed, and what is missing is planned again.
    """
    from impossible_moments.cli.actions.production_actions.batch import BatchWanted
    from impossible_moments.cli.actions.production_actions.batch import produce_batches as work
    from impossible_moments.cli.cast_options import CastOptions

    wanted = BatchWanted(count, batch_size, coverage_targets, parallel_pipelines, seed, database_url, ray)
    cast = CastOptions(tuple(model or ()), parse_spending_limit(spending_limit), prices, dry_run)
    raise typer.Exit(work(wanted, cast=cast, output=output, config=config, as_json=as_json))
