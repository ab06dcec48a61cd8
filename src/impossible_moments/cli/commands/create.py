"""Command declaration of `im create`."""

from __future__ import annotations

from typing import Annotated

import typer

from impossible_moments.cli.options import (
    SCENARIOS,
    AsJson,
    Blueprints,
    Config,
    Models,
    Output,
    Prices,
    SpendingLimit,
    parse_spending_limit,
)


def create_scenario(  # noqa: PLR0913 - the fields of a brief, each an option
    *,
    category: Annotated[
        str | None, typer.Option(help="One of the twelve categories, such as The Locked Room.")
    ] = None,
    difficulty_tier: Annotated[
        str | None, typer.Option(help="SPARK, FRACTURE, RUPTURE, SINGULARITY or IMPOSSIBLE.")
    ] = None,
    solution_status: Annotated[
        str | None, typer.Option(help="KS, CT, OF, PX, MT or DG, or a subtype such as KS-Fragile.")
    ] = None,
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
    other_way: Annotated[
        bool,
        typer.Option(
            "--other-way",
            help="With --twin-of a composed scenario: one figure differs and another way is the only one, instead of none.",
        ),
    ] = False,
    level: Annotated[
        int | None,
        typer.Option(min=1, max=10, help="Create a composed scenario of this level, from 1 to 10."),
    ] = None,
    place: Annotated[
        str | None,
        typer.Option(
            help="The place of a composed scenario. `im place list` shows them. Default: the seed selects it."
        ),
    ] = None,
    uncertain: Annotated[
        bool,
        typer.Option(
            "--uncertain",
            help="Draw an uncertain world instead: hidden facts, noisy tests and an exact optimum. Takes only --category, --seed and --output.",
        ),
    ] = False,
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
    blueprints: Blueprints = None,
    again: Annotated[
        bool,
        typer.Option(
            "--again",
            help="Create another scenario from a brief that was given before, instead of continuing the earlier one.",
        ),
    ] = False,
    output: Output = SCENARIOS,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Create a scenario in six phases, from SEED to DOCUMENT, and write its three documents.

    Exit status: 0 accepted, 1 failed, 2 bad input, 3 awaiting human review, 4 discarded,
    6 accepted but with another status or tier than requested, or with an unmet constraint.
    Running the command again continues where it stopped. A brief is the same if its content and its seed are: its
    scenario is created once, and --again asks for another.
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
        "other_way": other_way or None,
        "level": level,
        "place": place,
    }
    if uncertain:
        from impossible_moments.cli.actions.uncertain_actions.creation import create_uncertain_scenario

        others = {
            "model": model,
            "spending_limit": spending_limit,
            "prices": prices,
            "dry_run": dry_run,
            "with": further,
            "blueprints": blueprints,
            "config": config,
            "again": again,
        }
        raise typer.Exit(create_uncertain_scenario({**wanted, **others}, output=output, as_json=as_json))
    raise typer.Exit(
        work(
            wanted,
            cast=CastOptions(tuple(model or ()), parse_spending_limit(spending_limit), prices, dry_run),
            output=output,
            config=config,
            as_json=as_json,
            further=tuple(further or ()),
            blueprints=blueprints,
            again=again,
        )
    )
