"""Command declaration of `im report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import AsJson


def report_results(
    results: Annotated[
        list[Path], typer.Argument(help="Result files. Several files give a leaderboard.", show_default=False)
    ],
    *,
    html: Annotated[Path | None, typer.Option(help="Also write a self-contained HTML page.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Also write a Markdown file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Report results by tier, category and component, with notable runs. Several files are compared."""
    from impossible_moments.cli.actions.report import report_results as work

    raise typer.Exit(work(results, html=html, markdown=markdown, as_json=as_json))
