"""Command declaration of `im resume`."""

from __future__ import annotations

from typing import Annotated

import typer

from impossible_moments.cli.options import (
    SCENARIOS,
    AsJson,
    Blueprints,
    Config,
    Models,
    Output,
    Prices,
    SpendingLimit,
    parse_spending_limit,
)


def resume_scenarios(  # noqa: PLR0913 - options of a command
    scenario: Annotated[
        list[str] | None,
        typer.Argument(help="Failed scenarios to retry. Default: all failed scenarios.", show_default=False),
    ] = None,
    *,
    model: Models = None,
    spending_limit: SpendingLimit = None,
    prices: Prices = None,
    blueprints: Blueprints = None,
    output: Output = SCENARIOS,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Continue scenarios that were interrupted, that failed, or that a human has decided on.

    Recorded answers are read from the ledger. They are not requested or paid for again.
    """
    from impossible_moments.cli.actions.resume import resume_scenarios as work
    from impossible_moments.cli.cast_options import CastOptions

    cast = CastOptions(tuple(model or ()), parse_spending_limit(spending_limit), prices)
    raise typer.Exit(
        work(
            scenario or (),
            cast=cast,
            output=output,
            config=config,
            as_json=as_json,
            blueprints=blueprints,
        )
    )
