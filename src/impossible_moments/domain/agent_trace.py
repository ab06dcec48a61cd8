"""Phase 6: the trace in which an agent reports its own work on a scenario."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from impossible_moments.domain.content_labels import ContentLabel, LabelledModel

Trace = Annotated[str, ContentLabel.TRACE]
Traces = Annotated[tuple[str, ...], ContentLabel.TRACE]
NO_CONTRIBUTION = "No contribution required"


class Decision(LabelledModel):
    """A decision and the confidence in it."""

    description: Trace
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.TRACE]


class AgentTrace(LabelledModel):
    """The trace of an agent, without the version information, which only the runtime knows."""

    asked_to: Trace
    found: Trace
    decisions: tuple[Decision, ...] = ()
    challenges_issued: Traces = ()
    challenges_received: Traces = ()
    disagreements: Traces = ()
    resolution_confidence: Annotated[float | None, ContentLabel.TRACE] = None
    overall_confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.TRACE]
    least_confident: Trace
    would_increase: Trace
    justification: Trace = ""
    """Why no contribution was needed, if `found` says so."""

    @model_validator(mode="after")
    def _require_justification(self) -> AgentTrace:
        """Require a justification from an agent that reports no contribution."""
        normalized = self.found.casefold().strip(" \t\n.")
        if normalized in {"", NO_CONTRIBUTION.casefold()} and not self.justification.strip():
            raise ValueError(f"`{NO_CONTRIBUTION}` or an empty `found` needs a justification")
        return self
