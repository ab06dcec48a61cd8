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
