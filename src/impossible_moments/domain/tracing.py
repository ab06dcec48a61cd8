"""Phase 6: each agent's own account of what it did."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from impossible_moments.domain.labels import Content, Labelled

Trace = Annotated[str, Content.TRACE]
Traces = Annotated[tuple[str, ...], Content.TRACE]
NO_CONTRIBUTION = "No contribution required"


class Decision(Labelled):
    """A decision with the confidence it was taken in."""

    description: Trace
    confidence: Annotated[float, Field(ge=0.0, le=1.0), Content.TRACE]


class AgentTrace(Labelled):
    """The trace document, without the version info that only the runtime knows."""

    asked_to: Trace
    found: Trace
    decisions: tuple[Decision, ...] = ()
    challenges_issued: Traces = ()
    challenges_received: Traces = ()
    disagreements: Traces = ()
    resolution_confidence: Annotated[float | None, Content.TRACE] = None
    overall_confidence: Annotated[float, Field(ge=0.0, le=1.0), Content.TRACE]
    least_confident: Trace
    would_increase: Trace
    justification: Trace = ""
    """Why nothing was to be contributed, where `found` says so."""

    @model_validator(mode="after")
    def _silence_is_justified(self) -> AgentTrace:
        said = self.found.casefold().strip(" \t\n.")
        if said in {"", NO_CONTRIBUTION.casefold()} and not self.justification.strip():
            raise ValueError(f"`{NO_CONTRIBUTION}` needs a justification, and so does saying nothing")
        return self
