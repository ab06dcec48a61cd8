"""Command declarations of `im agent`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import (
    Agent,
    AsJson,
    Config,
    Prices,
    SpendingLimit,
    Topic,
    parse_spending_limit,
)

agent_app = typer.Typer(help="Run one agent without the pipeline.", no_args_is_help=True)


@agent_app.command("run")
def run_agent(  # noqa: PLR0913 - options of a command
    agent: Agent,
    *,
    phase: Annotated[str, typer.Option(help="A phase, such as VALIDATE.", show_default=False)],
    context: Annotated[
        Path,
        typer.Option(
            help="YAML or JSON file with a brief, complete deliverables as sections, and notes.",
            show_default=False,
        ),
    ],
    topic: Topic = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="Model that answers: builtin, openai:gpt-4o, local:NAME@URL. Without it no model is called."
        ),
    ] = None,
    spending_limit: SpendingLimit = None,
    prices: Prices = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Print the prompt of one agent for a context, restricted to what it may read.

    With --model, print the deliverable of the model instead.
    """
    from impossible_moments.cli.actions import agent as work
    from impossible_moments.cli.cast_options import CastOptions

    cast = CastOptions((model,) if model else (), parse_spending_limit(spending_limit), prices)
    asked = work.AgentRunRequest(agent, phase, context, topic)
    raise typer.Exit(work.run_agent(asked, cast=cast, config=config, as_json=as_json))
