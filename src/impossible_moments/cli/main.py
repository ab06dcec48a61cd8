"""The `im` command: names and options; each command loads its work when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli import evaluation_commands
from impossible_moments.cli.blueprint_commands import blueprint_app
from impossible_moments.cli.breakthrough_commands import breakthroughs_app
from impossible_moments.cli.foreign_commands import import_scenarios
from impossible_moments.cli.options import (
    SCENARIOS,
    Agent,
    AsJson,
    Config,
    Models,
    Output,
    Prices,
    SpendingLimit,
    Topic,
    dollars,
)
from impossible_moments.cli.prompts_commands import prompts_app
from impossible_moments.cli.review_commands import review_app
from impossible_moments.cli.show_commands import show_app
from impossible_moments.errors import ImpossibleMomentsError

app = typer.Typer(
    name="im",
    help="Create, verify, publish and run a benchmark of situations that look impossible.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
schema_app = typer.Typer(
    help="The JSON Schemas of the mechanics record and of what agents hand in.", no_args_is_help=True
)
app.add_typer(schema_app, name="schema")
app.add_typer(show_app, name="show")
app.add_typer(review_app, name="review")
app.add_typer(blueprint_app, name="blueprint")
app.add_typer(prompts_app, name="prompts")
app.add_typer(breakthroughs_app, name="breakthroughs")
agent_app = typer.Typer(help="One agent without the pipeline.", no_args_is_help=True)
app.add_typer(agent_app, name="agent")


@app.command()
def create(  # noqa: PLR0913 - the fields of a brief, each an option
    *,
    category: Annotated[str | None, typer.Option(help="One of the twelve, such as The Locked Room.")] = None,
    difficulty_tier: Annotated[
        str | None, typer.Option(help="SPARK, FRACTURE, RUPTURE, SINGULARITY or IMPOSSIBLE.")
    ] = None,
    solution_status: Annotated[str | None, typer.Option(help="KS, CT, OF, PX, MT or DG.")] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same bytes.")] = None,
    constraint: Annotated[
        list[str] | None, typer.Option(help="Something the scenario must keep to; may be repeated.")
    ] = None,
    inspiration_seed: Annotated[str | None, typer.Option(help="A concept to start from.")] = None,
    twin_of: Annotated[
        str | None,
        typer.Option(
            help="A scenario published in the output folder, such as IM-0007: the same situation is made to end the other way."
        ),
    ] = None,
    model: Models = None,
    spending_limit: SpendingLimit = None,
    prices: Prices = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Print the calls, tokens and cost to expect; nobody is asked."),
    ] = False,
    further: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            help="A further agent to switch on: DARWIN, TURING, HYPATIA or CASSANDRA; may be repeated.",
        ),
    ] = None,
    output: Output = SCENARIOS,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Create a scenario: six phases from SEED to DOCUMENT, and three documents.

    Exit status 0 accepted, 3 awaiting a human, 4 discarded, 2 bad input. Running again goes on where it stopped.
    """
    from impossible_moments.cli.casts import Cast
    from impossible_moments.cli.create import create as work

    wanted = {
        "category": category,
        "difficulty_tier": difficulty_tier,
        "solution_status": solution_status,
        "seed": seed,
        "constraints": tuple(constraint or ()),
        "inspiration_seed": inspiration_seed,
        "twin_of": twin_of,
    }
    raise typer.Exit(
        work(
            wanted,
            cast=Cast(tuple(model or ()), dollars(spending_limit), prices, dry_run),
            output=output,
            config=config,
            as_json=as_json,
            further=tuple(further or ()),
        )
    )


app.command("eval")(evaluation_commands.evaluate)
app.command()(evaluation_commands.score)
app.command()(evaluation_commands.report)
app.command()(evaluation_commands.export)
app.command("import")(import_scenarios)


@app.command()
def resume(  # noqa: PLR0913 - options of a command
    scenario: Annotated[
        list[str] | None,
        typer.Argument(
            help="Failed scenarios to try again; all of them if none is named.", show_default=False
        ),
    ] = None,
    *,
    model: Models = None,
    spending_limit: SpendingLimit = None,
    prices: Prices = None,
    output: Output = SCENARIOS,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Go on with scenarios that were interrupted, failed, or that a human has decided on.

    What was answered is in the ledger and is not asked or paid again.
    """
    from impossible_moments.cli.casts import Cast
    from impossible_moments.cli.resume import resume as work

    cast = Cast(tuple(model or ()), dollars(spending_limit), prices)
    raise typer.Exit(work(scenario or (), cast=cast, output=output, config=config, as_json=as_json))


@app.command()
def verify(
    paths: Annotated[
        list[Path],
        typer.Argument(help="Mechanics records (YAML or JSON), or folders of them.", show_default=False),
    ],
    *,
    as_json: AsJson = False,
    library: Annotated[
        Path | None, typer.Option(help="Judge within this library instead of the everyday one.")
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(help="Processor seconds that searching one record may take; then it says so.", min=0.1),
    ] = 60.0,
    deep: Annotated[
        bool,
        typer.Option(
            "--deep", help="Also compute the variants: which change of which quantity flips the outcome."
        ),
    ] = False,
) -> None:
    """Recompute the mechanics of scenarios: execute, search, prove, and compare with what they claim.

    Exit status 0 if every record holds, 5 if a check found errors, 2 if a file cannot be read.
    """
    from impossible_moments.cli.verify import verify as work

    raise typer.Exit(work(paths, as_json=as_json, library=library, seconds=seconds, deep=deep))


@app.command()
def audit(
    paths: Annotated[
        list[Path],
        typer.Argument(
            help="Scenario Markdown, folders of it, or JSONL with a `markdown` field.", show_default=False
        ),
    ],
    *,
    as_json: AsJson = False,
    blind: Annotated[
        bool,
        typer.Option(
            "--blind", help="Judge leaks by the blind presentation: the scenario's own text alone is shown."
        ),
    ] = False,
    duplicates: Annotated[bool, typer.Option(help="Look for near copies among the documents.")] = True,
    errors_only: Annotated[bool, typer.Option("--errors-only", help="Leave warnings and notes out.")] = False,
    notes: Annotated[
        bool, typer.Option("--notes", help="Show notes too: lines that read like the answer.")
    ] = False,
) -> None:
    """Check any scenario text, ours or foreign: numbers, times, densities, leaks, left-over thinking, structure, copies.

    Exit status 0 if nothing is wrong, 5 if errors were found, 2 if a file cannot be read.
    """
    from impossible_moments.cli.audit import audit as work

    raise typer.Exit(
        work(paths, as_json=as_json, blind=blind, duplicates=duplicates, errors_only=errors_only, notes=notes)
    )


@app.command()
def status(
    *,
    output: Output = SCENARIOS,
    metrics: Annotated[
        bool,
        typer.Option("--metrics", help="Also measure the finished ones; each is replayed, which takes time."),
    ] = False,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """How every scenario stands: state, phase, reason, open questions; and what each phase took."""
    from impossible_moments.cli.status import status as work

    raise typer.Exit(work(output, as_json=as_json, metrics=metrics, config=config))


@agent_app.command("run")
def agent_run(  # noqa: PLR0913 - options of a command
    agent: Agent,
    *,
    phase: Annotated[str, typer.Option(help="A phase, such as VALIDATE.", show_default=False)],
    context: Annotated[
        Path,
        typer.Option(
            help="YAML or JSON: a brief, sections that were handed in whole, notes.", show_default=False
        ),
    ],
    topic: Topic = None,
    model: Annotated[
        str | None,
        typer.Option(help="Who answers: builtin, openai:gpt-4o, local:NAME@URL; nobody if none is named."),
    ] = None,
    spending_limit: SpendingLimit = None,
    prices: Prices = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Print the prompt of one agent for a context, cut to what it may read; with --model, what the model hands in."""
    from impossible_moments.cli import agent as work
    from impossible_moments.cli.casts import Cast

    cast = Cast((model,) if model else (), dollars(spending_limit), prices)
    asked = work.Asked(agent, phase, context, topic)
    raise typer.Exit(work.run(asked, cast=cast, config=config, as_json=as_json))


@schema_app.command("export")
def export(
    folder: Annotated[Path, typer.Argument(help="Folder to write to; made if it does not exist.")],
) -> None:
    """Write the JSON Schemas: the record's, its strict form for model providers, and each deliverable's by version."""
    from impossible_moments.cli.schema import export as work

    work(folder)


@app.callback(invoke_without_command=True)
def root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Create, verify, publish and run a benchmark of situations that look impossible."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"im {installed('impossible-moments')}")
        raise typer.Exit


def main() -> None:
    """Run `im`; what a user can mend is one sentence and exit status 2."""
    try:
        app()
    except ImpossibleMomentsError as problem:
        typer.echo(f"im: {problem}", err=True)
        raise SystemExit(2) from None
