"""Command declaration of `im eval`."""

from __future__ import annotations

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
    ThinkingBudgets,
    TranslatorModel,
    parse_spending_limit,
)
from impossible_moments.domain.evaluation_protocol import RUNS, TEMPERATURE


def evaluate_scenarios(  # noqa: PLR0913 - options of a command
    *,
    model: Annotated[
        str,
        typer.Option(
            help="Model to evaluate: openai:gpt-4o, local:NAME@URL, builtin:solver, builtin:canonical, builtin:quitter ..."
        ),
    ] = "builtin:solver",
    scenarios: Scenarios = None,
    rubrics: Rubrics = None,
    output: ResultsFile = RESULTS,
    runs: Annotated[int, typer.Option(help="Number of answers to each scenario.", min=1, max=100)] = RUNS,
    temperature: Annotated[
        float | None, typer.Option(help="Sampling temperature of the model.", min=0, max=2)
    ] = TEMPERATURE,
    presentation: Annotated[
        str, typer.Option(help="blind: only the situation, full: the whole public document.")
    ] = "blind",
    answer: Answer = None,
    judge: Judges = None,
    translator: TranslatorModel = None,
    by_outcome: ByOutcome = False,
    restarts: Restarts = 0,
    worlds: Annotated[
        int,
        typer.Option(
            help="Number of seeded worlds that are played of each uncertain scenario.", min=1, max=10000
        ),
    ] = 20,
    thinking_budget: ThinkingBudgets = None,
    reach: Annotated[
        bool,
        typer.Option(
            "--reach",
            help="Measure IM-Reach instead: the level at which the model solves half of fresh composed scenarios.",
        ),
    ] = False,
    items: Annotated[
        int, typer.Option(help="Number of items for each budget, with --reach.", min=4, max=200)
    ] = 20,
    seed: Annotated[int, typer.Option(help="Seed of the fresh draws, with --reach.", min=0)] = 0,
    limit: Annotated[int | None, typer.Option(help="Use only the first N scenarios.", min=1)] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help="Use only the quick set of the benchmark, five scenarios of each category. `im release quick` chooses it.",
        ),
    ] = False,
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
    from impossible_moments.cli.actions.evaluate import EvaluationOptions, require_single_budget
    from impossible_moments.cli.actions.evaluate import evaluate_model as work
    from impossible_moments.scenarios import resolve_scenario_folder

    budgets = tuple(thinking_budget or ())
    if reach:
        from impossible_moments.cli.actions.measurements.reach import ReachOptions, measure_reach

        options = ReachOptions(
            model,
            output,
            budgets,
            seed,
            items,
            answer,
            temperature,
            parse_spending_limit(spending_limit),
            prices,
        )
        raise typer.Exit(measure_reach(options, as_json=as_json))
    trial = EvaluationOptions(
        model, resolve_scenario_folder(scenarios), rubrics, output, runs, temperature, presentation, answer, limit,
        parse_spending_limit(spending_limit), prices, tuple(judge or ()), translator, by_outcome, restarts,
        quick=quick, worlds=worlds, thinking=require_single_budget(budgets),
    )  # fmt: skip
    raise typer.Exit(work(trial, dry_run=dry_run, as_json=as_json))
