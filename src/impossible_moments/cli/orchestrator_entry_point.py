"""Command line of `python -m impossible_moments.agents.orchestrator.orchestrator`.

It takes the flags of specification 8.2 and does the same as `im create`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import typer

from impossible_moments.cli.actions.create import create_scenario
from impossible_moments.cli.cast_options import CastOptions
from impossible_moments.cli.exit_status import BAD_INPUT
from impossible_moments.errors import ConfigurationError, ImpossibleMomentsError


def main(arguments: list[str] | None = None) -> None:
    """Parse the flags, create a scenario, and exit with the status of `im create`."""
    flags = _build_parser().parse_args(arguments)
    try:
        if flags.mode == "batch":
            raise ConfigurationError(
                "--mode batch is not supported yet. Use `--mode single` to create one scenario."
            )
        wanted = {
            "category": flags.category,
            "difficulty_tier": flags.difficulty_tier,
            "solution_status": flags.solution_status,
        }
        status = create_scenario(
            wanted,
            cast=CastOptions(models=tuple(flags.model or ())),
            output=flags.output,
            config=flags.config,
            as_json=flags.json,
        )
    except ImpossibleMomentsError as problem:
        typer.echo(f"orchestrator: {problem}", err=True)
        status = BAD_INPUT
    raise SystemExit(status)


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="orchestrator", description="Create a scenario. See also `im create`."
    )
    parser.add_argument("--mode", choices=("single", "batch"), default="single")
    parser.add_argument("--category")
    parser.add_argument("--difficulty-tier")
    parser.add_argument("--solution-status")
    parser.add_argument(
        "--model",
        action="append",
        help="model for all roles or for one role, such as ATHENA=openai:gpt-4o; default: builtin",
    )
    parser.add_argument("--output", type=Path, default=Path("scenarios"))
    parser.add_argument("--config", type=Path)
    parser.add_argument("--json", action="store_true")
    return parser
