"""Why a run leaves its path: back to an earlier phase, in two, or for good."""

from __future__ import annotations

from typing import Final

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import Phase

READING: Final = "reading of what was disputed in"
"""By these words of its constraints the brief of a half is known."""


class Stop(Exception):
    """A run leaves its path; the dossier as it then stands goes with it."""

    def __init__(self, dossier: Dossier, phase: Phase, reason: str) -> None:
        super().__init__(reason)
        self.dossier = dossier
        self.phase = phase
        self.reason = reason


class Discarded(Stop):
    """The scenario is given up."""


class Redesigned(Stop):
    """The scenario goes back to SEED."""


class Reclassified(Stop):
    """The physics forbid every approach: it goes on from VALIDATE as a paradox."""


class SplitUp(Stop):
    """The scenario becomes two, one for each reading of what was disputed."""

    @property
    def briefs(self) -> tuple[GenerationBrief, GenerationBrief]:
        """The two briefs: each takes one side, and neither may be split again."""
        brief = self.dossier.brief

        def half(side: str) -> GenerationBrief:
            return brief.model_copy(
                update={
                    "constraints": (
                        *brief.constraints,
                        f"Take the {side} {READING} {brief.scenario_id}: {self.reason}",
                    ),
                    "scenario_id": "",
                }
            )

        return half("first"), half("second")
