"""Command declarations of `im place`."""

from __future__ import annotations

from typing import Annotated

import typer

from impossible_moments.cli.options import AsJson

place_app = typer.Typer(
    help="Places (composed scenarios with levels 1 to 10): list them, check a file, preview a draw.",
    no_args_is_help=True,
)
Level = Annotated[int | None, typer.Option(min=1, max=10, help="Only this level.")]


@place_app.command("list")
def list_places(*, as_json: AsJson = False) -> None:
    """List every packaged place with its categories, stages and jobs."""
    from impossible_moments.cli.actions.catalogue_actions.place import list_places as work

    raise typer.Exit(work(as_json=as_json))


@place_app.command("check")
def check_place(
    path: Annotated[
        str, typer.Argument(help="A place file, or the name of a packaged place.", show_default=False)
    ],
    *,
    level: Level = None,
    seeds: Annotated[int, typer.Option(min=1, help="Number of draws for each level.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Draw every level and print whether a draw was accepted, its states, winning orders, success of chance and greed.

    Exit status: 0 if every level was drawn, 5 otherwise.
    """
    from impossible_moments.cli.actions.catalogue_actions.place import check_place as work

    raise typer.Exit(work(path, level=level, seeds=seeds, as_json=as_json))


@place_app.command("preview")
def preview_place(
    path: Annotated[
        str, typer.Argument(help="A place file, or the name of a packaged place.", show_default=False)
    ],
    *,
    level: Annotated[int, typer.Option(min=1, max=10, help="The level.")] = 3,
    seed: Annotated[int, typer.Option(help="Seed of the draw.")] = 0,
    status: Annotated[str, typer.Option(help="KS (one way) or PX (no way).")] = "KS",
    key: Annotated[bool, typer.Option("--key", help="Print the way and the wrong plans as well.")] = False,
) -> None:
    """Print the public text of a draw and its measured facts."""
    from impossible_moments.cli.actions.catalogue_actions.place import preview_place as work

    raise typer.Exit(work(path, level=level, seed=seed, status=status, with_key=key))
