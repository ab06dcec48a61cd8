"""Command declaration of `im publish`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import SCENARIOS, AsJson, Config, Output


def publish_record(
    file: Annotated[
        Path,
        typer.Argument(help="A skin, a blueprint with a skin inside, or a seed document (YAML or JSON)."),
    ],
    *,
    variant: Annotated[
        str | None, typer.Option(help="Variant to publish, if the file has several.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of the draws that the file leaves open.")] = 0,
    output: Output = SCENARIOS,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Take a finished design through all six phases with the built-in cast, and write its documents.

    Exit status: 0 accepted, 1 a phase asks for changes, 2 bad input, 3 awaiting human review, 4 discarded,
    5 the record or its texts have errors, 6 accepted but with another status or tier than the file states.
    """
    from impossible_moments.cli.actions.publish import publish_record as work

    raise typer.Exit(work(file, variant=variant, seed=seed, output=output, config=config, as_json=as_json))
