"""Command declarations of `im blueprint`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import AsJson, Blueprints

blueprint_app = typer.Typer(
    help="Blueprints (families of scenarios): list and show them, start a skin, check files, preview a draw.",
    no_args_is_help=True,
)


@blueprint_app.command("list")
def list_blueprint_families(*, as_json: AsJson = False) -> None:
    """List every blueprint with its skins, statuses and tiers."""
    from impossible_moments.cli.actions.catalogue_actions.blueprint import list_blueprints

    raise typer.Exit(list_blueprints(as_json=as_json))


Name = Annotated[
    str, typer.Argument(help="Name of a blueprint. `im blueprint list` shows them.", show_default=False)
]


@blueprint_app.command("show")
def show_blueprint_outline(name: Name, *, blueprints: Blueprints = None, as_json: AsJson = False) -> None:
    """Print what a blueprint holds and what a skin of it must supply.

    Draws, things with their properties, roles, quantities, calls with their slots, approaches with their ends, insights,
    variants with their status, and the texts that are left to a skin.
    """
    from impossible_moments.cli.actions.catalogue_actions.skin_start import show_blueprint

    raise typer.Exit(show_blueprint(name, folder=blueprints, as_json=as_json))


@blueprint_app.command("new-skin")
def start_new_skin(
    name: Name,
    *,
    skin: Annotated[str, typer.Option(help="Name of the new skin.")] = "my_skin",
    blueprints: Blueprints = None,
) -> None:
    """Print the template of a new skin: `im blueprint new-skin NAME > skin.yaml`.

    Every text that is left to write is marked TODO. `im blueprint check skin.yaml` lists them, and draws nothing
    until they are written.
    """
    from impossible_moments.cli.actions.catalogue_actions.skin_start import print_skin_template

    raise typer.Exit(print_skin_template(name, skin=skin, folder=blueprints))


@blueprint_app.command("check")
def check_blueprint_files(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Blueprint or skin files, or folders that contain them. Default: all packaged blueprints.",
            show_default=False,
        ),
    ] = None,
    *,
    seeds: Annotated[int, typer.Option(min=1, help="Number of draws for each offer.")] = 10,
    as_json: AsJson = False,
) -> None:
    """Draw from files with many seeds and print acceptance, tiers, reasons for rejection and warnings.

    For a few offers every warning is printed: about the text, about the answer key, and everyday ideas that the
    text does not close. For many offers they are counted.
    Exit status: 0 if every offer was accepted at least once, 5 otherwise. Warnings do not change it.
    """
    from impossible_moments.cli.actions.catalogue_actions.blueprint import check_blueprints

    raise typer.Exit(check_blueprints(paths or [], seeds=seeds, as_json=as_json))


@blueprint_app.command("preview")
def preview_blueprint(
    path: Annotated[Path, typer.Argument(help="A blueprint or skin file.", show_default=False)],
    *,
    seed: Annotated[int, typer.Option(help="Seed of the draw.")] = 0,
    variant: Annotated[str | None, typer.Option(help="Show only this variant.")] = None,
) -> None:
    """Print the public text of a draw and the reasons why it was rejected, if any."""
    from impossible_moments.cli.actions.catalogue_actions.blueprint import preview_blueprint_draw

    raise typer.Exit(preview_blueprint_draw(path, seed=seed, variant=variant))
