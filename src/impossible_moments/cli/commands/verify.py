"""Command declaration of `im verify`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import AsJson


def verify_records(
    paths: Annotated[
        list[Path],
        typer.Argument(
            help="Mechanics records (YAML or JSON), or folders that contain them.", show_default=False
        ),
    ],
    *,
    as_json: AsJson = False,
    library: Annotated[
        Path | None, typer.Option(help="Library to use instead of the everyday library.")
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            help="Limit of processor seconds for searching one record. A search that hits the limit is reported.",
            min=0.1,
        ),
    ] = 60.0,
    deep: Annotated[
        bool,
        typer.Option(
            "--deep", help="Also compute variants: which change of which quantity flips the outcome."
        ),
    ] = False,
) -> None:
    """Recompute the mechanics of scenarios: execute, search, prove, and compare with the claims.

    Exit status: 0 if every record is accepted, 5 if a check found errors, 2 if a file cannot be read.
    """
    from impossible_moments.cli.actions.verify import verify_records as work

    raise typer.Exit(work(paths, as_json=as_json, library=library, seconds=seconds, deep=deep))
