"""Phase 6: the trace in which an agent reports its own work on a scenario."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.open_points import PointAnswer

Trace = Annotated[str, ContentLabel.TRACE]
NO_CONTRIBUTION = "No contribution required"


class Decision(LabelledModel):
    """A decision and the confidence in it."""

    description: Trace
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.TRACE]


class AgentTrace(LabelledModel):
    """The part of a trace that is an agent's own judgement.

    What it was asked, its challenges and disagreements, and its version are added from the dossier and the ledger.
    """

    found: Trace
    decisions: tuple[Decision, ...] = ()
    resolution_confidence: Annotated[float | None, Field(ge=0.0, le=1.0), ContentLabel.TRACE] = None
    """Confidence that the disputes of the agent were resolved correctly, if it had any."""
    overall_confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.TRACE]
    least_confident: Trace
    would_increase: Trace
    justification: Trace = ""
    """Why no contribution was needed, if `found` says so."""
    answers: tuple[PointAnswer, ...] = ()
    """One answer to each entry of `open_points`, if the context has any."""

    @model_validator(mode="after")
    def _require_justification(self) -> AgentTrace:
        """Require a justification from an agent that reports no contribution."""
        normalized = self.found.casefold().strip(" \t\n.")
        if normalized in {"", NO_CONTRIBUTION.casefold()} and not self.justification.strip():
            raise ValueError(f"`{NO_CONTRIBUTION}` or an empty `found` needs a justification")
        return self
