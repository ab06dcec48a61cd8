"""Command declaration of `im audit`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import AsJson


def audit_documents(
    paths: Annotated[
        list[Path],
        typer.Argument(
            help="Markdown files, folders that contain them, or JSONL files with a `markdown` field.",
            show_default=False,
        ),
    ],
    *,
    as_json: AsJson = False,
    blind: Annotated[
        bool,
        typer.Option(
            "--blind",
            help="Check leaks in the blind presentation, which shows only the text of the scenario.",
        ),
    ] = False,
    duplicates: Annotated[bool, typer.Option(help="Search for near duplicates among the documents.")] = True,
    errors_only: Annotated[
        bool, typer.Option("--errors-only", help="Show errors only, without warnings and notes.")
    ] = False,
    notes: Annotated[
        bool, typer.Option("--notes", help="Also show notes, such as lines that resemble the answer.")
    ] = False,
) -> None:
    """Check scenario texts: numbers, times, densities, leaks, left-over thinking, structure, duplicates.

    The texts need no mechanics record and may come from any source.

    Exit status: 0 if there are no errors, 5 if errors were found, 2 if a file cannot be read.
    """
    from impossible_moments.cli.actions.audit import audit_documents as work

    raise typer.Exit(
        work(paths, as_json=as_json, blind=blind, duplicates=duplicates, errors_only=errors_only, notes=notes)
    )
