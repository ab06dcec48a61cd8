"""The `im` command line: commands and options.

Each command imports its implementation when it is called, so that `im --help` is fast.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.commands import evaluate
from impossible_moments.cli.commands.blueprint import blueprint_app
from impossible_moments.cli.commands.breakthroughs import breakthroughs_app
from impossible_moments.cli.commands.import_scenarios import import_scenarios
from impossible_moments.cli.commands.prompts import prompts_app
from impossible_moments.cli.commands.review import review_app
from impossible_moments.cli.commands.show import show_app
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
    parse_spending_limit,
)
from impossible_moments.errors import ImpossibleMomentsError

app = typer.Typer(
    name="im",
    help="Create, verify, publish and run a benchmark of situations that look impossible.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
schema_app = typer.Typer(
    help="JSON Schemas of the mechanics record and of the agents' deliverables.", no_args_is_help=True
)
app.add_typer(schema_app, name="schema")
app.add_typer(show_app, name="show")
app.add_typer(review_app, name="review")
app.add_typer(blueprint_app, name="blueprint")
app.add_typer(prompts_app, name="prompts")
app.add_typer(breakthroughs_app, name="breakthroughs")
agent_app = typer.Typer(help="Run one agent without the pipeline.", no_args_is_help=True)
app.add_typer(agent_app, name="agent")


@app.command("create")
def create_scenario(  # noqa: PLR0913 - the fields of a brief, each an option
    *,
    category: Annotated[
        str | None, typer.Option(help="One of the twelve categories, such as The Locked Room.")
    ] = None,
    difficulty_tier: Annotated[
        str | None, typer.Option(help="SPARK, FRACTURE, RUPTURE, SINGULARITY or IMPOSSIBLE.")
    ] = None,
    solution_status: Annotated[str | None, typer.Option(help="KS, CT, OF, PX, MT or DG.")] = None,
    seed: Annotated[
        int | None, typer.Option(help="Random seed. The same seed gives identical files.")
    ] = None,
    constraint: Annotated[
        list[str] | None, typer.Option(help="A constraint that the scenario must satisfy. May be repeated.")
    ] = None,
    inspiration_seed: Annotated[str | None, typer.Option(help="A concept to start the design from.")] = None,
    twin_of: Annotated[
        str | None,
        typer.Option(
            help="A scenario published in the output folder, such as IM-0007. Creates the same situation with the opposite outcome."
        ),
    ] = None,
    model: Models = None,
    spending_limit: SpendingLimit = None,
    prices: Prices = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Print the expected calls, tokens and cost. No model is called."),
    ] = False,
    further: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            help="An additional agent to enable: DARWIN, TURING, HYPATIA or CASSANDRA. May be repeated.",
        ),
    ] = None,
    output: Output = SCENARIOS,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Create a scenario in six phases, from SEED to DOCUMENT, and write its three documents.

    Exit status: 0 accepted, 2 bad input, 3 awaiting human review, 4 discarded.
    Running the command again continues where it stopped.
    """
    from impossible_moments.cli.actions.create import create_scenario as work
    from impossible_moments.cli.cast_options import CastOptions

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
            cast=CastOptions(tuple(model or ()), parse_spending_limit(spending_limit), prices, dry_run),
            output=output,
            config=config,
            as_json=as_json,
            further=tuple(further or ()),
        )
    )


app.command("eval")(evaluate.evaluate_scenarios)
app.command("score")(evaluate.score_answers)
app.command("report")(evaluate.report_results)
app.command("export")(evaluate.export_scenarios)
app.command("import")(import_scenarios)


@app.command("resume")
def resume_scenarios(  # noqa: PLR0913 - options of a command
    scenario: Annotated[
        list[str] | None,
        typer.Argument(help="Failed scenarios to retry. Default: all failed scenarios.", show_default=False),
    ] = None,
    *,
    model: Models = None,
    spending_limit: SpendingLimit = None,
    prices: Prices = None,
    output: Output = SCENARIOS,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Continue scenarios that were interrupted, that failed, or that a human has decided on.

    Recorded answers are read from the ledger. They are not requested or paid for again.
    """
    from impossible_moments.cli.actions.resume import resume_scenarios as work
    from impossible_moments.cli.cast_options import CastOptions

    cast = CastOptions(tuple(model or ()), parse_spending_limit(spending_limit), prices)
    raise typer.Exit(work(scenario or (), cast=cast, output=output, config=config, as_json=as_json))


@app.command("verify")
def verify_records(
    paths: Annotated[
        list[Path],
        typer.Argument(
            help="Mechanics records (YAML or JSON), or folders that contain them.", show_default=False
        ),
    ],
    *,
    as_json: AsJson = False,
    library: Annotated[
        Path | None, typer.Option(help="Library to use instead of the everyday library.")
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            help="Limit of processor seconds for searching one record. A search that hits the limit is reported.",
            min=0.1,
        ),
    ] = 60.0,
    deep: Annotated[
        bool,
        typer.Option(
            "--deep", help="Also compute variants: which change of which quantity flips the outcome."
        ),
    ] = False,
) -> None:
    """Recompute the mechanics of scenarios: execute, search, prove, and compare with the claims.

    Exit status: 0 if every record is accepted, 5 if a check found errors, 2 if a file cannot be read.
    """
    from impossible_moments.cli.actions.verify import verify_records as work

    raise typer.Exit(work(paths, as_json=as_json, library=library, seconds=seconds, deep=deep))


@app.command("audit")
def audit_documents(
    paths: Annotated[
        list[Path],
        typer.Argument(
            help="Markdown files, folders that contain them, or JSONL files with a `markdown` field.",
            show_default=False,
        ),
    ],
    *,
    as_json: AsJson = False,
    blind: Annotated[
        bool,
        typer.Option(
            "--blind",
            help="Check leaks in the blind presentation, which shows only the text of the scenario.",
        ),
    ] = False,
    duplicates: Annotated[bool, typer.Option(help="Search for near duplicates among the documents.")] = True,
    errors_only: Annotated[
        bool, typer.Option("--errors-only", help="Show errors only, without warnings and notes.")
    ] = False,
    notes: Annotated[
        bool, typer.Option("--notes", help="Also show notes, such as lines that resemble the answer.")
    ] = False,
) -> None:
    """Check scenario texts: numbers, times, densities, leaks, left-over thinking, structure, duplicates.

    The texts need no mechanics record and may come from any source.

    Exit status: 0 if there are no errors, 5 if errors were found, 2 if a file cannot be read.
    """
    from impossible_moments.cli.actions.audit import audit_documents as work

    raise typer.Exit(
        work(paths, as_json=as_json, blind=blind, duplicates=duplicates, errors_only=errors_only, notes=notes)
    )


@app.command("status")
def show_status(
    *,
    output: Output = SCENARIOS,
    metrics: Annotated[
        bool,
        typer.Option(
            "--metrics",
            help="Also compute metrics of finished scenarios. Each one is replayed, which takes time.",
        ),
    ] = False,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Show state, phase, reason and open questions of every scenario, and the losses of each phase."""
    from impossible_moments.cli.actions.status import show_status as work

    raise typer.Exit(work(output, as_json=as_json, metrics=metrics, config=config))


@agent_app.command("run")
def run_agent(  # noqa: PLR0913 - options of a command
    agent: Agent,
    *,
    phase: Annotated[str, typer.Option(help="A phase, such as VALIDATE.", show_default=False)],
    context: Annotated[
        Path,
        typer.Option(
            help="YAML or JSON file with a brief, complete deliverables as sections, and notes.",
            show_default=False,
        ),
    ],
    topic: Topic = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="Model that answers: builtin, openai:gpt-4o, local:NAME@URL. Without it no model is called."
        ),
    ] = None,
    spending_limit: SpendingLimit = None,
    prices: Prices = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Print the prompt of one agent for a context, restricted to what it may read.

    With --model, print the deliverable of the model instead.
    """
    from impossible_moments.cli.actions import agent as work
    from impossible_moments.cli.cast_options import CastOptions

    cast = CastOptions((model,) if model else (), parse_spending_limit(spending_limit), prices)
    asked = work.AgentRunRequest(agent, phase, context, topic)
    raise typer.Exit(work.run_agent(asked, cast=cast, config=config, as_json=as_json))


@schema_app.command("export")
def export_schemas(
    folder: Annotated[Path, typer.Argument(help="Folder to write to. Created if it does not exist.")],
) -> None:
    """Write the JSON Schemas of the record, of its strict form for models, and of each deliverable."""
    from impossible_moments.cli.actions.schema import write_schema_files as work

    work(folder)


@app.callback(invoke_without_command=True)
def apply_root_options(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Create, verify, publish and run a benchmark of situations that look impossible."""
    if version:
        from importlib.metadata import version as installed_version

        typer.echo(f"im {installed_version('impossible-moments')}")
        raise typer.Exit


def main() -> None:
    """Run `im`. Print an error that the user can fix as one sentence and exit with status 2."""
    try:
        app()
    except ImpossibleMomentsError as problem:
        typer.echo(f"im: {problem}", err=True)
        raise SystemExit(2) from None
