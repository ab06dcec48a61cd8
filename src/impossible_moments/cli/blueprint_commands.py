"""The commands of `im blueprint`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import AsJson

blueprint_app = typer.Typer(
    help="Families of scenarios: what there is, and whether a file of yours works.", no_args_is_help=True
)


@blueprint_app.command("list")
def list_command(*, as_json: AsJson = False) -> None:
    """List every blueprint with its skins, statuses and tiers."""
    from impossible_moments.cli.blueprint import list_blueprints

    raise typer.Exit(list_blueprints(as_json=as_json))


@blueprint_app.command("check")
def check_command(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Blueprint or skin files, or folders of them; all that ship if none is named.",
            show_default=False,
        ),
    ] = None,
    *,
    seeds: Annotated[int, typer.Option(min=1, help="How many draws of each are tried.")] = 10,
    as_json: AsJson = False,
) -> None:
    """Draw from files with many seeds and say what was accepted, at which tier, and why the rest was not.

    Exit status 0 if every offer was accepted at least once, else 5.
    """
    from impossible_moments.cli.blueprint import check_blueprints

    raise typer.Exit(check_blueprints(paths or [], seeds=seeds, as_json=as_json))


@blueprint_app.command("preview")
def preview_command(
    path: Annotated[Path, typer.Argument(help="A blueprint or skin file.", show_default=False)],
    *,
    seed: Annotated[int, typer.Option(help="Which draw.")] = 0,
    variant: Annotated[str | None, typer.Option(help="Only this variant.")] = None,
) -> None:
    """Print the public text of a draw, and what speaks against it."""
    from impossible_moments.cli.blueprint import preview

    raise typer.Exit(preview(path, seed=seed, variant=variant))
