"""Options and arguments that several commands share."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.errors import ConfigurationError

AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON document on standard output and nothing else there.")
]
Output = Annotated[Path, typer.Option(help="The folder of the scenarios and their ledger.")]
Config = Annotated[
    Path | None, typer.Option(help="Settings to read instead of the packaged ones.", show_default=False)
]
Topic = Annotated[
    str | None, typer.Option(help="Which of the agent's tasks in the phase; the first if none is named.")
]
Agent = Annotated[str, typer.Argument(help="An agent of the roster, such as NEWTON.")]
ScenarioId = Annotated[str, typer.Argument(metavar="ID", help="A scenario, such as IM-0001.")]
Key = Annotated[
    str | None,
    typer.Option(help="The question that is meant, where a scenario has several.", show_default=False),
]
SCENARIOS = Path("scenarios")

Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        help="Who plays the roles, or one of them: builtin (needs no key), openai:gpt-4o, "
        "ATHENA=anthropic:claude-sonnet-5-5, local:NAME@URL, replay:FILE. May be repeated.",
        show_default="builtin",
    ),
]
SpendingLimit = Annotated[
    str | None,
    typer.Option(help="Dollars that models may cost in this run; a call that could pass it is not made."),
]
Prices = Annotated[
    Path | None, typer.Option(help="YAML with prices of your own, in dollars for a million tokens.")
]


def dollars(text: str | None) -> Decimal | None:
    """An amount of money, as it was given on the command line."""
    if text is None:
        return None
    try:
        amount = Decimal(text.strip().removeprefix("$"))
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or amount <= 0:
        raise ConfigurationError(
            f"--spending-limit is `{text[:20]}`; it is an amount of dollars above 0, such as 5."
        )
    return amount
