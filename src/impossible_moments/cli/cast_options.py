"""Cast options of commands, progress messages of a running cast, and the exit status of a result."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from impossible_moments.agents.orchestrator import Ask
from impossible_moments.cli.exit_status import (
    AWAITING_HUMAN,
    BAD_INPUT,
    BRIEF_NOT_KEPT,
    DISCARDED,
    DONE,
    FAILED,
)
from impossible_moments.cli.output.terminal import Console
from impossible_moments.domain.vocabulary import Phase
from impossible_moments.ledger import ScenarioState
from impossible_moments.llm import ModelFailure
from impossible_moments.pipeline import GenerationResult

_EXITS: Final = {
    ScenarioState.ACCEPTED: DONE,
    ScenarioState.AWAITING_HUMAN: AWAITING_HUMAN,
    ScenarioState.DISCARDED: DISCARDED,
    ScenarioState.FAILED: FAILED,
}


_JUDGED_FIELDS: Final = ("solution_status", "difficulty_tier")

# fmt: off
_WORK: Final = {
    Phase.SEED:     "ATHENA designs the scenario",
    Phase.VALIDATE: "NEWTON and EULER check it",
    Phase.GROUND:   "GALILEO grounds it",
    Phase.CLASSIFY: "SOCRATES classifies it blind",
    Phase.REFINE:   "all five agents review it",
    Phase.DOCUMENT: "the documents are written",
}
# fmt: on


class PhaseProgressPrinter:
    """Prints each phase on standard error when it begins."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._phase = ""

    def report_ask(self, ask: Ask) -> None:
        """Print a line if the ask begins a new phase."""
        if ask.assignment.phase != self._phase:
            self._phase = ask.assignment.phase
            self._console.print(f"{self._phase:<9} {_WORK[Phase(self._phase)]}", style="dim", highlight=False)


@dataclass(frozen=True)
class CastOptions:
    """Models, spending limit and prices, as given on the command line."""

    models: tuple[str, ...] = ()
    """Model references for all roles, or `ROLE=reference` for one role."""
    spending_limit: Decimal | None = None
    prices: Path | None = None
    dry_run: bool = False


def get_exit_status(result: GenerationResult, asked: Collection[str] = _JUDGED_FIELDS) -> int:
    """Return the exit status for a result. Model failures caused by configuration count as bad input.

    `asked` lists the fields of the brief that the user gave. A deviation in other fields does not count.
    """
    if isinstance(result.error, ModelFailure) and result.error.is_configuration_error:
        return BAD_INPUT
    kept = result.fulfilment
    if kept is not None and (
        kept.list_constraints_judged("unmet") or any(each.field in asked for each in kept.deviations)
    ):
        return BRIEF_NOT_KEPT
    return _EXITS.get(result.state, FAILED)
