"""Command line of `python -m impossible_moments.evaluation.evaluator`.

It takes the flags of specification 8.2 and does the same as `im eval`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import typer

from impossible_moments.cli.actions.evaluate import EvaluationOptions, evaluate_model
from impossible_moments.cli.exit_status import BAD_INPUT
from impossible_moments.domain.evaluation_protocol import RUNS
from impossible_moments.errors import ImpossibleMomentsError


def main(arguments: list[str] | None = None) -> None:
    """Parse the flags, run the evaluation, and exit with the status of `im eval`."""
    parser = argparse.ArgumentParser(
        prog="evaluator", description="Run a model on scenarios. See also `im eval`."
    )
    parser.add_argument("--model", required=True)
    parser.add_argument("--scenarios", type=Path, required=True)
    parser.add_argument("--rubrics", type=Path)
    parser.add_argument("--output", type=Path, default=Path("results.json"))
    parser.add_argument("--runs", type=int, default=RUNS)
    flags = parser.parse_args(arguments)
    try:
        trial = EvaluationOptions(flags.model, flags.scenarios, flags.rubrics, flags.output, flags.runs)
        status = evaluate_model(trial, dry_run=False, as_json=False)
    except ImpossibleMomentsError as problem:
        typer.echo(f"evaluator: {problem}", err=True)
        status = BAD_INPUT
    raise SystemExit(status)
