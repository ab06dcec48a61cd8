"""The `im` command: names and options; each command loads its work when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.errors import ImpossibleMomentsError

app = typer.Typer(
    name="im",
    help="Create, verify, publish and run a benchmark of situations that look impossible.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
schema_app = typer.Typer(help="The JSON Schema of the mechanics record.", no_args_is_help=True)
app.add_typer(schema_app, name="schema")
show_app = typer.Typer(help="What the library knows: things, operators, formulas.", no_args_is_help=True)
app.add_typer(show_app, name="show")

AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON document on standard output and nothing else there.")
]


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


@show_app.command("library")
def show_library(*, as_json: AsJson = False) -> None:
    """What the library holds, with the hash that every verdict names."""
    from impossible_moments.cli import show

    raise typer.Exit(show.library(as_json=as_json))


@show_app.command("object")
def show_object(
    name: Annotated[str, typer.Argument(help="A thing of the library, such as stepladder.")],
    *,
    as_json: AsJson = False,
) -> None:
    """One thing: its figures with their source, what it can serve as, and what can be done with it."""
    from impossible_moments.cli import show

    raise typer.Exit(show.thing(name, as_json=as_json))


@show_app.command("operators")
def show_operators(
    *,
    for_: Annotated[str | None, typer.Option("--for", help="Only those this thing can take part in.")] = None,
    domain: Annotated[str | None, typer.Option(help="Only those of this domain, such as fluids.")] = None,
    as_json: AsJson = False,
) -> None:
    """What anybody can do: conditions, effects and duration of every operator."""
    from impossible_moments.cli import show

    raise typer.Exit(show.operators(for_, domain, as_json=as_json))


@show_app.command("template")
def show_template(
    name: Annotated[
        str | None, typer.Argument(help="A formula, such as orifice_flow; none lists all.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Formulas that a record calls by name: parameters, where they hold, and an example."""
    from impossible_moments.cli import show

    raise typer.Exit(show.template(name, as_json=as_json))


@schema_app.command("export")
def export(
    folder: Annotated[Path, typer.Argument(help="Folder to write to; made if it does not exist.")],
) -> None:
    """Write the record's JSON Schema, and the strict form that model providers accept as a tool."""
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
