"""Command declaration of `im export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import AsJson, Scenarios


def export_scenarios(
    kind: Annotated[str, typer.Argument(help="hf, inspect, lm-eval or jsonl.", show_default=False)],
    *,
    scenarios: Scenarios = None,
    output: Annotated[Path | None, typer.Option(help="Folder to write to. Default: exports/KIND.")] = None,
    status: Annotated[
        bool, typer.Option("--status", help="Include the solution status in the rows.")
    ] = False,
    keys: Annotated[
        bool, typer.Option("--keys", help="Also write the answer keys to a separate file.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Export scenarios for other tools. Statuses and answers are left out unless requested."""
    from impossible_moments.cli.actions.export import export_scenario_folder as work
    from impossible_moments.evaluation.exports import ExportOptions
    from impossible_moments.scenarios import resolve_scenario_folder

    raise typer.Exit(
        work(
            kind,
            resolve_scenario_folder(scenarios),
            output,
            options=ExportOptions(status=status, keys=keys),
            as_json=as_json,
        )
    )
