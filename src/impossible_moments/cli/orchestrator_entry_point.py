"""Command line of `python -m impossible_moments.agents.orchestrator.orchestrator`.

It takes the flags of specification 8.2 and does the same as `im create` or, with `--mode batch`, as `im batch`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import typer

from impossible_moments.cli.actions.create import create_scenario
from impossible_moments.cli.actions.production_actions.batch import BatchWanted, produce_batches
from impossible_moments.cli.cast_options import CastOptions
from impossible_moments.cli.exit_status import BAD_INPUT
from impossible_moments.errors import ConfigurationError, ImpossibleMomentsError


def main(arguments: list[str] | None = None) -> None:
    """Parse the flags, create scenarios, and exit with the status of `im create` or `im batch`."""
    flags = _build_parser().parse_args(arguments)
    try:
        if flags.mode == "batch":
            raise SystemExit(_run_batch(flags))
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


def _run_batch(flags: argparse.Namespace) -> int:
    """Produce a batch of the given size, or all that the coverage targets ask for. Return the exit status."""
    given = [
        f"--{name.replace('_', '-')}"
        for name in ("category", "difficulty_tier", "solution_status")
        if getattr(flags, name)
    ]
    if given:
        raise ConfigurationError(
            f"--mode batch takes {', '.join(given)} from the coverage targets. Leave the flags out."
        )
    wanted = BatchWanted(
        count=flags.batch_size,
        batch_size=flags.batch_size,
        targets=flags.coverage_targets,
        parallel_pipelines=flags.parallel_pipelines,
    )
    return produce_batches(
        wanted,
        cast=CastOptions(models=tuple(flags.model or ())),
        output=flags.output,
        config=flags.config,
        as_json=flags.json,
    )


def _parse_positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


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
    parser.add_argument("--batch-size", type=_parse_positive, help="with --mode batch: scenarios in a batch")
    parser.add_argument(
        "--coverage-targets", type=Path, help="with --mode batch: YAML file with the wanted counts"
    )
    parser.add_argument(
        "--parallel-pipelines",
        type=_parse_positive,
        default=5,
        help="with --mode batch: scenarios made at the same time",
    )
    parser.add_argument("--output", type=Path, default=Path("scenarios"))
    parser.add_argument("--config", type=Path)
    parser.add_argument("--json", action="store_true")
    return parser
