"""`im import`: its name and options."""

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
            help="Markdown files, folders of them, or JSONL with the document in `markdown`.",
            show_default=False,
        ),
    ],
    *,
    output: Annotated[
        Path,
        typer.Option(
            help="The folder for the blind documents and their keys; its own, not that of made scenarios."
        ),
    ] = FOREIGN,
    as_json: AsJson = False,
) -> None:
    """Import scenarios of others, which carry no mechanics: what may be shown, and apart from it what their authors state."""
    from impossible_moments.cli.foreign import import_scenarios as work

    raise typer.Exit(work(paths, output, as_json=as_json))
