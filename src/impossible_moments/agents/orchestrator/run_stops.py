"""Exceptions by which a run leaves the sequence of phases: return, split or discard."""

from __future__ import annotations

from typing import Final

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import Phase

READING: Final = "reading of what was disputed in"
"""The words in a brief's constraints that mark it as one half of a split."""


def find_split_origin(brief: GenerationBrief) -> str | None:
    """Return the scenario of whose split a brief is one half, with the dispute, or None. Both halves have the same."""
    return next((text.partition(READING)[2] for text in brief.constraints if READING in text), None)


class RunStop(Exception):
    """A run leaves the sequence of phases. The exception carries the dossier at that point."""

    def __init__(self, dossier: Dossier, phase: Phase, reason: str) -> None:
        super().__init__(reason)
        self.dossier = dossier
        self.phase = phase
        self.reason = reason


class DiscardStop(RunStop):
    """The scenario is given up."""


class RedesignStop(RunStop):
    """The scenario returns to SEED."""


class ReclassificationStop(RunStop):
    """Physics forbids every approach, so the scenario continues from VALIDATE as a paradox."""


class SplitStop(RunStop):
    """The scenario becomes two, one for each reading of the disputed point."""

    @property
    def briefs(self) -> tuple[GenerationBrief, GenerationBrief]:
        """The two briefs. Each takes one side, and neither may be split again."""
        brief = self.dossier.brief

        def make_brief_for_one_reading(side: str) -> GenerationBrief:
            return brief.model_copy(
                update={
                    "constraints": (
                        *brief.constraints,
                        f"Take the {side} {READING} {brief.scenario_id}: {self.reason}",
                    ),
                    "scenario_id": "",
                }
            )

        return make_brief_for_one_reading("first"), make_brief_for_one_reading("second")
