"""Command-line options and arguments that several commands share."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.errors import ConfigurationError

AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON document, and nothing else, on standard output.")
]
Output = Annotated[Path, typer.Option(help="Folder of the scenarios and their ledger.")]
Config = Annotated[
    Path | None,
    typer.Option(help="Settings file to use instead of the packaged settings.", show_default=False),
]
Blueprints = Annotated[
    Path | None,
    typer.Option(
        help="Folder with your own blueprint and skin files, which are used beside the shipped ones and win on equal names.",
        show_default=False,
    ),
]
Topic = Annotated[str | None, typer.Option(help="Task of the agent in the phase. Default: the first.")]
Agent = Annotated[str, typer.Argument(help="Name of an agent, such as NEWTON.")]
ScenarioId = Annotated[str, typer.Argument(metavar="ID", help="Scenario ID, such as IM-0001.")]
Key = Annotated[
    str | None,
    typer.Option(help="Key of the question, if the scenario has several open questions.", show_default=False),
]
SCENARIOS = Path("scenarios")
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        help="Address of a Postgres database for the ledger, which several machines can share: postgresql://user@host/name. "
        "Default: IM_DATABASE_URL, or a file in the output folder.",
        show_default=False,
    ),
]

Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        help="Model for all roles or for one role: builtin (needs no key), openai:gpt-4o, "
        "ATHENA=anthropic:claude-sonnet-5-5, local:NAME@URL, replay:FILE. May be repeated.",
        show_default="builtin",
    ),
]
SpendingLimit = Annotated[
    str | None,
    typer.Option(
        help="Maximum cost of models in this run, in dollars. A call that could exceed it is not made."
    ),
]
Prices = Annotated[
    Path | None, typer.Option(help="YAML file with your own prices, in dollars per million tokens.")
]

Scenarios = Annotated[
    Path | None,
    typer.Option(
        help="Folder of the scenarios: public documents with `evaluation` beside them. `benchmark` names the shipped one. "
        "Default: `scenarios` if there is such a folder, otherwise the shipped benchmark.",
        show_default=False,
    ),
]
Rubrics = Annotated[
    Path | None,
    typer.Option(
        help="Folder of the answer keys, if it is not beside the public documents.", show_default=False
    ),
]
ResultsFile = Annotated[Path, typer.Option(help="Result file to write. Answers are stored beside it.")]
Judges = Annotated[
    list[str] | None,
    typer.Option(
        "--judge",
        help="Model that judges answers that cannot be executed. Name at least two, and a third for disputes.",
        show_default=False,
    ),
]
TranslatorModel = Annotated[
    str | None,
    typer.Option(
        "--translator",
        help="Model that translates free answers and plans into actions of the scenario, which are then executed.",
        show_default=False,
    ),
]
Answer = Annotated[
    str | None,
    typer.Option(
        help="Answer form. plan: steps, read by program. free: plain words, translated or judged. "
        "menu: lines of a menu, executed exactly. interactive: acts step by step. policy: a decision tree, for uncertain worlds. Default: plan, or free for imported scenarios.",
        show_default=False,
    ),
]
Restarts = Annotated[
    int,
    typer.Option(
        help="How often an interactive episode may begin again. Restarts are counted in the results.",
        min=0,
        max=20,
    ),
]
ThinkingBudgets = Annotated[
    list[str] | None,
    typer.Option(
        "--thinking-budget",
        help="How much the model may think: none, free or a number of tokens. With --reach it may be repeated.",
        show_default=False,
    ),
]
ByOutcome = Annotated[
    bool,
    typer.Option(
        "--by-outcome",
        help="Imported scenarios only: compare the last line with the stated outcome. Needs no judge but is a weak check.",
    ),
]
RESULTS = Path("results.json")


def parse_spending_limit(text: str | None) -> Decimal | None:
    """Parse a positive amount of dollars, as given by --spending-limit.

    Raise a ConfigurationError otherwise.
    """
    if text is None:
        return None
    try:
        amount = Decimal(text.strip().removeprefix("$"))
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or amount <= 0:
        raise ConfigurationError(
            f"--spending-limit is `{text[:20]}`. It must be an amount of dollars above 0, such as 5."
        )
    return amount
