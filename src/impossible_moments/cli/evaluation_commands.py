"""`im eval`, `im score` and `im report`: names and options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import SCENARIOS, AsJson, Prices, SpendingLimit, dollars
from impossible_moments.errors import ConfigurationError

Scenarios = Annotated[
    Path, typer.Option(help="The folder of the scenarios: public documents, with `evaluation` beside them.")
]
Rubrics = Annotated[
    Path | None,
    typer.Option(
        help="The folder of the answer keys, if it is not beside the documents.", show_default=False
    ),
]
ResultsFile = Annotated[Path, typer.Option(help="Where the results are written; answers are kept beside it.")]
Judges = Annotated[
    list[str] | None,
    typer.Option(
        "--judge",
        help="A model that settles what cannot be executed; name two or more, and a third for disputes.",
        show_default=False,
    ),
]
TranslatorModel = Annotated[
    str | None,
    typer.Option(
        "--translator",
        help="A model that puts answers in plain words into the form of a plan, which is then executed.",
        show_default=False,
    ),
]
Answer = Annotated[
    str | None,
    typer.Option(
        help="How answers are asked for. plan: executed; free: judged. plan if not named, free for imported scenarios.",
        show_default=False,
    ),
]
ByOutcome = Annotated[
    bool,
    typer.Option(
        "--by-outcome",
        help="Imported scenarios only: compare the last line with the stated outcome; needs no judge, and is weak.",
    ),
]
RESULTS = Path("results.json")


def evaluate(  # noqa: PLR0913 - options of a command
    *,
    model: Annotated[
        str,
        typer.Option(
            help="Who is evaluated: openai:gpt-4o, local:NAME@URL, builtin:solver, builtin:canonical, builtin:quitter ..."
        ),
    ] = "builtin:solver",
    scenarios: Scenarios = SCENARIOS,
    rubrics: Rubrics = None,
    output: ResultsFile = RESULTS,
    runs: Annotated[int, typer.Option(help="Answers to each scenario.", min=1, max=100)] = 3,
    temperature: Annotated[float | None, typer.Option(help="Asked of the model.", min=0, max=2)] = 0.7,
    presentation: Annotated[
        str, typer.Option(help="blind: the situation alone; full: all that is public.")
    ] = "blind",
    answer: Answer = None,
    judge: Judges = None,
    translator: TranslatorModel = None,
    by_outcome: ByOutcome = False,
    limit: Annotated[int | None, typer.Option(help="Only the first so many scenarios.", min=1)] = None,
    spending_limit: SpendingLimit = None,
    prices: Prices = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print calls, tokens and cost; nobody is asked.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run a model on scenarios and score its answers by executing them. Running again asks for what is missing."""
    from impossible_moments.cli.evaluate import Trial
    from impossible_moments.cli.evaluate import evaluate as work

    trial = Trial(
        model, scenarios, rubrics, output, runs, temperature, presentation, answer, limit,
        dollars(spending_limit), prices, tuple(judge or ()), translator, by_outcome,
    )  # fmt: skip
    raise typer.Exit(work(trial, dry_run=dry_run, as_json=as_json))


def score(  # noqa: PLR0913 - options of a command
    answers: Annotated[
        Path | None,
        typer.Argument(
            help='JSONL: {"scenario_id": "IM-0001", "answer": "..."} in each line.', show_default=False
        ),
    ] = None,
    *,
    scenarios: Scenarios = SCENARIOS,
    rubrics: Rubrics = None,
    output: ResultsFile = RESULTS,
    model: Annotated[str, typer.Option(help="Who gave the answers.")] = "unknown",
    answer: Answer = None,
    judge: Judges = None,
    translator: TranslatorModel = None,
    by_outcome: ByOutcome = False,
    spending_limit: SpendingLimit = None,
    prices: Prices = None,
    attack: Annotated[
        bool,
        typer.Option(
            "--attack", help="Attack the scorer with answers that must not win, and print how many do."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Score answers that were made elsewhere."""
    from impossible_moments.cli.evaluate import Trial, attacked
    from impossible_moments.cli.evaluate import score as work

    if attack:
        raise typer.Exit(attacked(scenarios, rubrics, as_json=as_json))
    if answers is None:
        raise ConfigurationError("name a file of answers, or --attack to try the scorer itself.")
    trial = Trial(
        model, scenarios, rubrics, output, answer=answer, spending_limit=dollars(spending_limit),
        prices=prices, judges=tuple(judge or ()), translator=translator, by_outcome=by_outcome,
    )  # fmt: skip
    raise typer.Exit(work(answers, trial, as_json=as_json))


def report(
    results: Annotated[
        list[Path], typer.Argument(help="Result files; several make a leaderboard.", show_default=False)
    ],
    *,
    html: Annotated[Path | None, typer.Option(help="Also write one self-contained page.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Also write Markdown.")] = None,
    as_json: AsJson = False,
) -> None:
    """Report on results: card, tiers, categories with radar, components, notable runs; several files are compared."""
    from impossible_moments.cli.report import report as work

    raise typer.Exit(work(results, html=html, markdown=markdown, as_json=as_json))


def export(
    kind: Annotated[str, typer.Argument(help="hf, inspect, lm-eval or jsonl.", show_default=False)],
    *,
    scenarios: Scenarios = SCENARIOS,
    output: Annotated[Path | None, typer.Option(help="Where to; exports/KIND if not named.")] = None,
    status: Annotated[
        bool, typer.Option("--status", help="Let rows say whether a scenario can be solved.")
    ] = False,
    keys: Annotated[
        bool, typer.Option("--keys", help="Also write the answer keys, into a file of their own.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write scenarios for the tools of others; statuses and answers are withheld unless asked for."""
    from impossible_moments.cli.export import export as work
    from impossible_moments.evaluation.exporting.exports import Options

    raise typer.Exit(
        work(kind, scenarios, output, options=Options(status=status, keys=keys), as_json=as_json)
    )
