"""Command declarations of `im registry`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import SCENARIOS, AsJson

registry_app = typer.Typer(help="The registry of published scenarios, `registry.json`.", no_args_is_help=True)


@registry_app.command("rebuild")
def rebuild_registry(
    folder: Annotated[Path, typer.Argument(help="Folder of the scenarios and their ledger.")] = SCENARIOS,
    *,
    as_json: AsJson = False,
) -> None:
    """Write a lost or damaged registry again, from the ledger beside it.

    If the ledger is in a database, scenarios that other machines published are written to the folder first.

    Exit status: 0 if every published document is registered, 5 if the ledger does not know one.
    """
    from impossible_moments.cli.actions.production_actions.registry import rebuild_registry as work

    raise typer.Exit(work(folder, as_json=as_json))
