"""The result of generating a scenario from a brief, and the error of a run that failed."""

from __future__ import annotations

from dataclasses import dataclass, field

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.ledger import ScenarioState
from impossible_moments.scenarios import BriefFulfilment, ScenarioDocuments, ScenarioMetadata


@dataclass(frozen=True)
class GenerationResult:
    """The result of generating a scenario from a brief."""

    scenario_id: str
    state: ScenarioState
    documents: ScenarioDocuments | None = None
    reason: str = ""
    """Why it was discarded, what it waits for, or the error it failed with."""
    split_into: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    """Why earlier designs for the same brief were discarded: each was similar to a scenario published meanwhile."""
    variants: tuple[GenerationResult, ...] = ()
    """The results of the variants that DARWIN led to."""
    error: Exception | None = None
    successor: GenerationBrief | None = field(default=None, repr=False)
    """The brief that is to be produced in place of this scenario."""

    @property
    def public_document(self) -> str:
        """Tier 1: the scenario."""
        return self.documents.public if self.documents else ""

    @property
    def evaluation_document(self) -> str:
        """Tier 2: the answer key."""
        return self.documents.evaluation if self.documents else ""

    @property
    def methodology_trace(self) -> str:
        """Tier 3: the account of its creation."""
        return self.documents.trace if self.documents else ""

    @property
    def fulfilment(self) -> BriefFulfilment | None:
        """How far the scenario keeps its brief, or None if it keeps all of it and had no constraints."""
        return self.metadata.brief if self.metadata is not None else None

    @property
    def metadata(self) -> ScenarioMetadata | None:
        """The metadata record."""
        return self.documents.metadata if self.documents else None


class GenerationError(ImpossibleMomentsError):
    """A run that failed. All answers so far are in the ledger, so running again continues it."""

    def __init__(self, result: GenerationResult) -> None:
        super().__init__(result)
        self.result = result

    def __str__(self) -> str:
        return (
            f"{self.result.scenario_id} was not created: {self.result.reason.rstrip('.')}. All answers so far are kept: generate the "
            f"brief again with scenario_id {self.result.scenario_id}, or call `resume`."
        )
