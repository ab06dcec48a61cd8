"""A finished case: the dossier with its computed results, from which every document is rendered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from impossible_moments.agents.orchestrator.documents.wording.record_names import replace_record_names
from impossible_moments.agents.orchestrator.documents.wording.record_wording import (
    RecordWording,
    normalize_call,
)
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

    @cached_property
    def wording(self) -> RecordWording | None:
        """Words for the names of the record, or None if the record could not be computed."""
        report = self.report
        if report.analysis is None or report.tie is None or report.record is None:
            return None
        steps = {
            normalize_call(step.call): step.action for step in self.seed.solution_sketch.steps if step.call
        }
        frontier = None if report.verdict is None else report.verdict.frontier
        free_values = {} if frontier is None else frontier.claims
        return RecordWording(report.analysis, report.tie, free_values, steps)

    def replace_record_names(self, text: str) -> str:
        """Return an agent's text with the names of the record in words."""
        return text if self.wording is None else replace_record_names(text, self.wording, self.report.verdict)
