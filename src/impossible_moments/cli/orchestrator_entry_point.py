"""Command line of `python -m impossible_moments.agents.orchestrator.orchestrator`.

It takes the flags of specification 8.2 and does the same as `im create`.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import typer

from impossible_moments.cli.actions.create import create_scenario
from impossible_moments.cli.cast_options import CastOptions
from impossible_moments.cli.exit_status import BAD_INPUT
from impossible_moments.errors import ConfigurationError, ImpossibleMomentsError

_BATCH_HELP: Final = (
    "--mode batch is not available yet. Until `im batch` exists, run `im create` once for each scenario (several processes "
    "may share one --output folder), or call Pipeline.generate_all with a list of briefs in Python. `im status` counts "
    "the scenarios by category, tier and status."
)


def main(arguments: list[str] | None = None) -> None:
    """Parse the flags, create a scenario, and exit with the status of `im create`."""
    flags = _build_parser().parse_args(arguments)
    try:
        if flags.mode == "batch":
            raise ConfigurationError(_BATCH_HELP)
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
    for flag in ("--batch-size", "--coverage-targets", "--parallel-pipelines"):
        parser.add_argument(flag, help="for --mode batch, which is not available yet")
    parser.add_argument("--output", type=Path, default=Path("scenarios"))
    parser.add_argument("--config", type=Path)
    parser.add_argument("--json", action="store_true")
    return parser
