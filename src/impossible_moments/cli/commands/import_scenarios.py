"""Command declaration of `im import`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import AsJson

FOREIGN = Path("foreign")


def import_scenarios(
    paths: Annotated[
        list[Path],
        typer.Argument(
            help="Markdown files, folders that contain them, or JSONL files with a `markdown` field.",
            show_default=False,
        ),
    ],
    *,
    output: Annotated[
        Path,
        typer.Option(
            help="Folder for the blind documents and their keys. Not the folder of created scenarios."
        ),
    ] = FOREIGN,
    as_json: AsJson = False,
) -> None:
    """Import scenarios without mechanics.

    Text that may be shown and answers stated by the authors are stored separately.
    """
    from impossible_moments.cli.actions.import_scenarios import import_scenario_files as work

    raise typer.Exit(work(paths, output, as_json=as_json))
