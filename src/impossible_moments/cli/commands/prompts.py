"""Command declarations of `im prompts`."""

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
    parse_spending_limit,
)

prompts_app = typer.Typer(
    help="Prompts of the agents: list versions, compare and test new prompts.", no_args_is_help=True
)
Prompt = Annotated[Path, typer.Option("--prompt", help="File of the new prompt.", show_default=False)]


@prompts_app.command("list")
def list_prompts(*, config: Config = None, as_json: AsJson = False) -> None:
    """List the prompt of every agent: version with the hash of its text, size, and file."""
    from impossible_moments.cli.actions.prompt_actions import prompts

    raise typer.Exit(prompts.list_prompts(config, as_json=as_json))


@prompts_app.command("diff")
def diff_prompt(agent: Agent, *, prompt: Prompt, config: Config = None, as_json: AsJson = False) -> None:
    """Show the changes of a new prompt by section, and its version number."""
    from impossible_moments.cli.actions.prompt_actions import prompts

    raise typer.Exit(prompts.diff_prompt(agent, prompt, config=config, as_json=as_json))


@prompts_app.command("test")
def run_prompt_test(  # noqa: PLR0913 - options of a command
    agent: Agent,
    *,
    prompt: Prompt,
    model: Models = None,
    output: Annotated[
        Path | None,
        typer.Option(
            help="Folder with completed scenarios. If it has too few, the built-in cast creates temporary ones.",
            show_default="scenarios",
        ),
    ] = None,
    scenarios: Annotated[int, typer.Option(help="Number of scenarios to test on.", min=1, max=100)] = 10,
    spending_limit: SpendingLimit = None,
    prices: Prices = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Replay completed scenarios with a new prompt of one agent and print what would change.

    All other agents answer as recorded.

    Exit status: 0 if nothing would change, 5 if something would, 2 bad input, 1 if the replay stopped early.
    """
    from impossible_moments.cli.actions.prompt_actions import prompt_trials
    from impossible_moments.cli.cast_options import CastOptions

    wanted = prompt_trials.PromptTestOptions(agent, prompt, output, scenarios, config)
    cast = CastOptions(tuple(model or ()), parse_spending_limit(spending_limit), prices)
    raise typer.Exit(prompt_trials.run_prompt_test(wanted, cast=cast, as_json=as_json))
