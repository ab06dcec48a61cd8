"""What is printed when a user interrupts a run: that nothing is lost, and how to go on with the same cast."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import typer

from impossible_moments.cli.cast_options import CastOptions
from impossible_moments.cli.output.formatting import escape_control_characters


@contextmanager
def explain_interruption(resume: str) -> Iterator[None]:
    """Print after Ctrl-C that the same command goes on, and which other one does."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(
            f"\nInterrupted. All answers so far are kept. Run the same command again to continue, or `{resume}`: "
            "it continues every unfinished scenario of the folder with the cast it was begun with.",
            err=True,
        )
        raise


def format_resume_command(
    output: Path,
    *,
    config: Path | None = None,
    blueprints: Path | None = None,
    cast: CastOptions | None = None,
) -> str:
    """Return the command that resumes the scenarios of a folder. Models are in the ledger, and keys nowhere."""
    given: Mapping[str, object | None] = {
        "--output": output,
        "--config": config,
        "--blueprints": blueprints,
        "--prices": None if cast is None else cast.prices,
        "--spending-limit": None if cast is None else cast.spending_limit,
    }
    words = [word for name, value in given.items() if value is not None for word in (name, str(value))]
    return escape_control_characters(shlex.join(["im", "resume", *words]))


def report_waiting(scenario: str, runner: str) -> None:
    """Print that another process is working on a scenario whose result is awaited."""
    shown = escape_control_characters(runner)
    typer.echo(f"{scenario} is being created by another process ({shown}). Waiting for its result.", err=True)
