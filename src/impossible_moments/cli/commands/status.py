"""Command declaration of `im status`."""

from __future__ import annotations

from typing import Annotated

import typer

from impossible_moments.cli.options import SCENARIOS, AsJson, Config, Output


def show_status(
    *,
    output: Output = SCENARIOS,
    metrics: Annotated[
        bool,
        typer.Option(
            "--metrics",
            help="Also compute metrics of finished scenarios. Each one is replayed, which takes time.",
        ),
    ] = False,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Show state, phase, reason and open questions of every scenario, the losses of each phase, and counts of all.

    Counts are by category, tier and status: published scenarios, and unfinished ones by their briefs.
    """
    from impossible_moments.cli.actions.status.status import show_status as work

    raise typer.Exit(work(output, as_json=as_json, metrics=metrics, config=config))
