"""Command declaration of `im score`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import (
    RESULTS,
    Answer,
    AsJson,
    ByOutcome,
    Judges,
    Prices,
    Restarts,
    ResultsFile,
    Rubrics,
    Scenarios,
    SpendingLimit,
    TranslatorModel,
    parse_spending_limit,
)
from impossible_moments.errors import ConfigurationError


def score_answers(  # noqa: PLR0913 - options of a command
    answers: Annotated[
        Path | None,
        typer.Argument(
            help='JSONL: {"scenario_id": "IM-0001", "answer": "..."} on each line. With --explain: a result file.',
            show_default=False,
        ),
    ] = None,
    *,
    scenarios: Scenarios = None,
    rubrics: Rubrics = None,
    output: ResultsFile = RESULTS,
    model: Annotated[str, typer.Option(help="Name of the model that gave the answers.")] = "unknown",
    answer: Answer = None,
    judge: Judges = None,
    translator: TranslatorModel = None,
    by_outcome: ByOutcome = False,
    restarts: Restarts = 0,
    spending_limit: SpendingLimit = None,
    prices: Prices = None,
    attack: Annotated[
        bool,
        typer.Option(
            "--attack", help="Test the scorer with answers that must not be accepted, and print how many are."
        ),
    ] = False,
    explain: Annotated[
        str | None,
        typer.Option(
            "--explain",
            help="Explain the scores of a scenario in the result file: how each step was read, executed and credited.",
            metavar="ID",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score answers from a file, or explain scores."""
    from impossible_moments.cli.actions.evaluate import EvaluationOptions
    from impossible_moments.cli.actions.score import report_scorer_attack
    from impossible_moments.cli.actions.score import score_answer_file as work
    from impossible_moments.scenarios import resolve_scenario_folder

    folder = resolve_scenario_folder(scenarios)
    if attack:
        raise typer.Exit(report_scorer_attack(folder, rubrics, as_json=as_json))
    if explain is not None:
        from impossible_moments.cli.actions.score_explanation import print_score_explanations

        raise typer.Exit(print_score_explanations(explain, answers or output, folder, rubrics))
    if answers is None:
        raise ConfigurationError("Name a file of answers, or use --attack to test the scorer.")
    trial = EvaluationOptions(
        model, folder, rubrics, output, answer=answer, spending_limit=parse_spending_limit(spending_limit),
        prices=prices, judges=tuple(judge or ()), translator=translator, by_outcome=by_outcome,
        restarts=restarts,
    )  # fmt: skip
    raise typer.Exit(work(answers, trial, as_json=as_json))
