"""A finished case: the dossier with its computed results, from which every document is rendered."""

from __future__ import annotations

from dataclasses import dataclass

from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import Status, main_status
from impossible_moments.mechanics.check import Report
from impossible_moments.scenarios.metadata import Metadata


@dataclass(frozen=True)
class Case:
    """The dossier, seed document, mechanics report and metadata of a finished scenario."""

    dossier: Dossier
    seed: SeedDocument
    report: Report
    metadata: Metadata

    @property
    def status(self) -> Status:
        """The status without its subtype."""
        return main_status(self.metadata.status)
