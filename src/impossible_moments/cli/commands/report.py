"""Command declaration of `im report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import AsJson, Rubrics


def report_results(
    results: Annotated[
        list[Path], typer.Argument(help="Result files. Several files give a leaderboard.", show_default=False)
    ],
    *,
    html: Annotated[Path | None, typer.Option(help="Also write a self-contained HTML page.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Also write a Markdown file.")] = None,
    scenarios: Annotated[
        Path | None,
        typer.Option(
            help="Folder of the scenarios. With it the HTML page shows prompts, executed steps and keys.",
            show_default="scenarios, if it exists",
        ),
    ] = None,
    rubrics: Rubrics = None,
    as_json: AsJson = False,
) -> None:
    """Report results by tier, category and component, with notable runs. Several files are compared."""
    from impossible_moments.cli.actions.report import report_results as work

    raise typer.Exit(
        work(results, html=html, markdown=markdown, sources=(scenarios, rubrics), as_json=as_json)
    )
