"""Command declarations of `im release`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import SCENARIOS, AsJson, Config

release_app = typer.Typer(
    help="Releases: check a whole set, build it with checksums, make a private set, retire scenarios.",
    no_args_is_help=True,
)
Folder = Annotated[Path, typer.Argument(help="Folder of the scenarios.")]
Targets = Annotated[
    Path | None,
    typer.Option(
        help="YAML file with the wanted counts. Default: those of the specification, scaled.",
        show_default=False,
    ),
]
Attacked = Annotated[int, typer.Option(min=0, help="Scenarios on which the scorer is attacked. 0: none.")]


@release_app.command("check")
def check_release(
    folder: Folder = SCENARIOS,
    *,
    coverage_targets: Targets = None,
    attacked: Attacked = 60,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the samples.")] = 0,
    draw_sample: Annotated[
        bool,
        typer.Option(
            "--draw-sample",
            help="Write review_sample.yaml with four questions about a tenth of the scenarios.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check a whole set: documents, claims, counts, texts, tells, duplicates, mechanics, scorer, reviews.

    Exit status: 0 if no check failed, 5 otherwise.
    """
    from impossible_moments.cli.actions.production_actions.release import check_release as work

    raise typer.Exit(
        work(folder, coverage_targets, attacked=attacked, seed=seed, draw_sample=draw_sample, as_json=as_json)
    )


@release_app.command("build")
def build_release(
    version: Annotated[str, typer.Argument(help="Version, such as 1.0.", show_default=False)],
    *,
    scenarios: Annotated[Path, typer.Option(help="Folder of the scenarios.")] = SCENARIOS,
    output: Annotated[Path, typer.Option(help="Folder for the release.")] = Path("releases"),
    coverage_targets: Targets = None,
    attacked: Attacked = 60,
    config: Config = None,
) -> None:
    """Check a set and write its release: documents, registry, card, versions, canaries, checksums, and an archive.

    The same scenarios give the same bytes. Exit status: 5 if a check failed.
    """
    from impossible_moments.cli.actions.production_actions.release import write_release as work

    raise typer.Exit(work(version, scenarios, output, coverage_targets, attacked=attacked, config=config))


@release_app.command("quick")
def choose_quick_set(folder: Folder = SCENARIOS, *, as_json: AsJson = False) -> None:
    """Choose the quick set, five scenarios of each category for `im eval --quick`, and record it in the registry.

    The same scenarios give the same choice.
    """
    from impossible_moments.cli.actions.production_actions.release import record_quick_set as work

    raise typer.Exit(work(folder, as_json=as_json))


@release_app.command("verify")
def verify_release(
    folder: Annotated[Path, typer.Argument(help="Folder of an unpacked release.", show_default=False)],
) -> None:
    """Compare the files of a release with its checksums. Exit status: 5 if one is missing or differs."""
    from impossible_moments.cli.actions.production_actions.release import verify_release as work

    raise typer.Exit(work(folder))


@release_app.command("private")
def produce_private_set(  # noqa: PLR0913 - options of a command
    *,
    seed_file: Annotated[
        Path, typer.Option(help="File with the secret, outside of projects.", show_default=False)
    ],
    output: Annotated[Path, typer.Option(help="Folder of the set, outside of projects.", show_default=False)],
    new_seed: Annotated[
        bool, typer.Option("--new-seed", help="Draw a new secret and write it to the file.")
    ] = False,
    count: Annotated[int | None, typer.Option(min=1, help="Number of scenarios.", show_default=False)] = None,
    coverage_targets: Targets = None,
    parallel_pipelines: Annotated[
        int, typer.Option(min=1, max=64, help="Scenarios made at the same time.")
    ] = 5,
    as_json: AsJson = False,
) -> None:
    """Make a set to the same plan from a secret seed. The secret and the set never lie inside a project."""
    from impossible_moments.cli.actions.production_actions.batch import BatchWanted
    from impossible_moments.cli.actions.production_actions.release import produce_private_set as work

    wanted = BatchWanted(count, None, coverage_targets, parallel_pipelines)
    raise typer.Exit(work(seed_file, output, wanted, new_seed=new_seed, as_json=as_json))


@release_app.command("retire")
def retire_scenario(
    scenario_id: Annotated[str, typer.Argument(help="Identifier, such as IM-0001.", show_default=False)],
    *,
    reason: Annotated[str, typer.Option(help="Why, for example that it leaked.", show_default=False)],
    scenarios: Annotated[Path, typer.Option(help="Folder of the scenarios.")] = SCENARIOS,
) -> None:
    """Take a scenario out of the set. `im batch` then makes a replacement; the number is not used again."""
    from impossible_moments.cli.actions.production_actions.release import retire_scenario as work

    raise typer.Exit(work(scenario_id, scenarios, reason))
