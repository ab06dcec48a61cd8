"""Options and arguments that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
