"""A finished case: the dossier with its computed results, from which every document is rendered."""

from __future__ import annotations

from dataclasses import dataclass

from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import Status, parse_main_status
from impossible_moments.mechanics.checks import CheckReport
from impossible_moments.scenarios import ScenarioMetadata


@dataclass(frozen=True)
class FinishedCase:
    """The dossier, seed document, mechanics report and metadata of a finished scenario."""

    dossier: Dossier
    seed: SeedDocument
    report: CheckReport
    metadata: ScenarioMetadata

    @property
    def status(self) -> Status:
        """The status without its subtype."""
        return parse_main_status(self.metadata.status)
