"""`im prompts`: names and options of its commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import (
    Agent,
    AsJson,
    Config,
    Models,
    Prices,
    SpendingLimit,
    dollars,
)

prompts_app = typer.Typer(
    help="The agents' prompts: versions, changes, and tests of new ones.", no_args_is_help=True
)
Prompt = Annotated[Path, typer.Option("--prompt", help="The file of the new prompt.", show_default=False)]


@prompts_app.command("list")
def prompts_list(*, config: Config = None, as_json: AsJson = False) -> None:
    """Every agent's prompt: version with the hash of its text, size, and file."""
    from impossible_moments.cli import prompts

    raise typer.Exit(prompts.listed(config, as_json=as_json))


@prompts_app.command("diff")
def prompts_diff(agent: Agent, *, prompt: Prompt, config: Config = None, as_json: AsJson = False) -> None:
    """What a new text would change, section by section, and which version it would be."""
    from impossible_moments.cli import prompts

    raise typer.Exit(prompts.diff(agent, prompt, config=config, as_json=as_json))


@prompts_app.command("test")
def prompts_test(  # noqa: PLR0913 - options of a command
    agent: Agent,
    *,
    prompt: Prompt,
    model: Models = None,
    output: Annotated[
        Path | None,
        typer.Option(
            help="A folder with completed scenarios; the built-in cast makes some where it has too few.",
            show_default="scenarios",
        ),
    ] = None,
    scenarios: Annotated[int, typer.Option(help="On how many scenarios.", min=1, max=100)] = 10,
    spending_limit: SpendingLimit = None,
    prices: Prices = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Play completed scenarios again with an agent's new prompt, all others as recorded, and tell what would change.

    Exit status 0 if nothing would change, 5 if something would, 2 bad input, 1 if it could not be played to the end.
    """
    from impossible_moments.cli import prompt_trials
    from impossible_moments.cli.casts import Cast

    wanted = prompt_trials.Wanted(agent, prompt, output, scenarios, config)
    cast = Cast(tuple(model or ()), dollars(spending_limit), prices)
    raise typer.Exit(prompt_trials.test(wanted, cast=cast, as_json=as_json))
