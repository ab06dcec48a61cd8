"""Command declaration of `im difficulty`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import AsJson, Scenarios


def measure_difficulty(
    results: Annotated[
        list[Path] | None,
        typer.Argument(help="Result files of `im eval`, one for each model.", show_default=False),
    ] = None,
    *,
    scenarios: Scenarios = None,
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Also run built-in solvers of growing effort on the answer keys.")
    ] = False,
    write: Annotated[
        bool, typer.Option("--write", help="State measured tiers in the registry and the documents.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure how hard scenarios are from the results of models and of built-in solvers.

    Prints success with 95 % intervals by tier, the difficulty of each scenario, and tiers that results contradict.
    Exit status 5 if a measured tier is two or more from the predicted one, so that the scenario needs a redesign.
    """
    from impossible_moments.cli.actions.measurements.difficulty import DifficultyOptions
    from impossible_moments.cli.actions.measurements.difficulty import report_difficulty as work
    from impossible_moments.scenarios import resolve_scenario_folder

    raise typer.Exit(
        work(
            DifficultyOptions(
                tuple(results or ()), resolve_scenario_folder(scenarios), ladder=ladder, write=write
            ),
            as_json=as_json,
        )
    )
