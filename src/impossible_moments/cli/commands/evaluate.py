"""Command declarations of `im eval`, `im score`, `im report` and `im export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import SCENARIOS, AsJson, Prices, SpendingLimit, parse_spending_limit
from impossible_moments.errors import ConfigurationError

Scenarios = Annotated[
    Path, typer.Option(help="Folder of the scenarios: public documents with `evaluation` beside them.")
]
Rubrics = Annotated[
    Path | None,
    typer.Option(
        help="Folder of the answer keys, if it is not beside the public documents.", show_default=False
    ),
]
ResultsFile = Annotated[Path, typer.Option(help="Result file to write. Answers are stored beside it.")]
Judges = Annotated[
    list[str] | None,
    typer.Option(
        "--judge",
        help="Model that judges answers that cannot be executed. Name at least two, and a third for disputes.",
        show_default=False,
    ),
]
TranslatorModel = Annotated[
    str | None,
    typer.Option(
        "--translator",
        help="Model that translates free-form answers into plans, which are then executed.",
        show_default=False,
    ),
]
Answer = Annotated[
    str | None,
    typer.Option(
        help="Answer form. plan: executed, free: judged. Default: plan, or free for imported scenarios.",
        show_default=False,
    ),
]
ByOutcome = Annotated[
    bool,
    typer.Option(
        "--by-outcome",
        help="Imported scenarios only: compare the last line with the stated outcome. Needs no judge but is a weak check.",
    ),
]
RESULTS = Path("results.json")


def evaluate_scenarios(  # noqa: PLR0913 - options of a command
    *,
    model: Annotated[
        str,
        typer.Option(
            help="Model to evaluate: openai:gpt-4o, local:NAME@URL, builtin:solver, builtin:canonical, builtin:quitter ..."
        ),
    ] = "builtin:solver",
    scenarios: Scenarios = SCENARIOS,
    rubrics: Rubrics = None,
    output: ResultsFile = RESULTS,
    runs: Annotated[int, typer.Option(help="Number of answers to each scenario.", min=1, max=100)] = 3,
    temperature: Annotated[
        float | None, typer.Option(help="Sampling temperature of the model.", min=0, max=2)
    ] = 0.7,
    presentation: Annotated[
        str, typer.Option(help="blind: only the situation, full: the whole public document.")
    ] = "blind",
    answer: Answer = None,
    judge: Judges = None,
    translator: TranslatorModel = None,
    by_outcome: ByOutcome = False,
    limit: Annotated[int | None, typer.Option(help="Use only the first N scenarios.", min=1)] = None,
    spending_limit: SpendingLimit = None,
    prices: Prices = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print expected calls, tokens and cost. No model is called.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run a model on scenarios and score its answers by executing them.

    Running again requests only missing answers.
    """
    from impossible_moments.cli.actions.evaluate import EvaluationOptions
    from impossible_moments.cli.actions.evaluate import evaluate_model as work

    trial = EvaluationOptions(
        model, scenarios, rubrics, output, runs, temperature, presentation, answer, limit,
        parse_spending_limit(spending_limit), prices, tuple(judge or ()), translator, by_outcome,
    )  # fmt: skip
    raise typer.Exit(work(trial, dry_run=dry_run, as_json=as_json))


def score_answers(  # noqa: PLR0913 - options of a command
    answers: Annotated[
        Path | None,
        typer.Argument(
            help='JSONL: {"scenario_id": "IM-0001", "answer": "..."} on each line.', show_default=False
        ),
    ] = None,
    *,
    scenarios: Scenarios = SCENARIOS,
    rubrics: Rubrics = None,
    output: ResultsFile = RESULTS,
    model: Annotated[str, typer.Option(help="Name of the model that gave the answers.")] = "unknown",
    answer: Answer = None,
    judge: Judges = None,
    translator: TranslatorModel = None,
    by_outcome: ByOutcome = False,
    spending_limit: SpendingLimit = None,
    prices: Prices = None,
    attack: Annotated[
        bool,
        typer.Option(
            "--attack", help="Test the scorer with answers that must not be accepted, and print how many are."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Score answers from a file."""
    from impossible_moments.cli.actions.evaluate import EvaluationOptions, report_scorer_attack
    from impossible_moments.cli.actions.evaluate import score_answer_file as work

    if attack:
        raise typer.Exit(report_scorer_attack(scenarios, rubrics, as_json=as_json))
    if answers is None:
        raise ConfigurationError("Name a file of answers, or use --attack to test the scorer.")
    trial = EvaluationOptions(
        model, scenarios, rubrics, output, answer=answer, spending_limit=parse_spending_limit(spending_limit),
        prices=prices, judges=tuple(judge or ()), translator=translator, by_outcome=by_outcome,
    )  # fmt: skip
    raise typer.Exit(work(answers, trial, as_json=as_json))


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


def export_scenarios(
    kind: Annotated[str, typer.Argument(help="hf, inspect, lm-eval or jsonl.", show_default=False)],
    *,
    scenarios: Scenarios = SCENARIOS,
    output: Annotated[Path | None, typer.Option(help="Folder to write to. Default: exports/KIND.")] = None,
    status: Annotated[
        bool, typer.Option("--status", help="Include the solution status in the rows.")
    ] = False,
    keys: Annotated[
        bool, typer.Option("--keys", help="Also write the answer keys to a separate file.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Export scenarios for other tools. Statuses and answers are left out unless requested."""
    from impossible_moments.cli.actions.export import export_scenario_folder as work
    from impossible_moments.evaluation.exports import ExportOptions

    raise typer.Exit(
        work(kind, scenarios, output, options=ExportOptions(status=status, keys=keys), as_json=as_json)
    )
