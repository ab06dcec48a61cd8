"""Phase 3: the scientific grounding report of GALILEO."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.disputes import Challenge
from impossible_moments.domain.vocabulary import Level

Grounding = Annotated[str, ContentLabel.GROUNDING]
Score = Annotated[float, Field(ge=0, le=100), ContentLabel.GROUNDING]


UNVERIFIED = "unverified: "
"""Prefix of a citation that is not a key of the bibliography. No gate counts such a citation."""


class Construct(LabelledModel):
    """The construct that an insight tests, with citations and a prediction."""

    insight: Annotated[int, Field(ge=1), ContentLabel.GROUNDING]
    construct_tested: Grounding
    citations: Annotated[tuple[str, ...], ContentLabel.GROUNDING]
    """Keys of the bibliography. Only its works can be cited."""
    references: Annotated[tuple[str, ...], ContentLabel.GROUNDING] = ()
    """The cited works in full, seminal before recent."""
    prediction: Grounding


class BenchmarkComparison(LabelledModel):
    """A comparison of this scenario with an existing benchmark."""

    benchmark: Grounding
    tests: Grounding
    difference: Grounding


class PredictedPerformance(LabelledModel):
    """Expected scores by architecture, 0 to 100."""

    direct_answer: Score
    chain_of_thought: Score
    extended_reasoning: Score
    agentic: Score


class GroundingReport(LabelledModel):
    """GALILEO's phase 3 output."""

    constructs: tuple[Construct, ...]
    further_citations: Annotated[tuple[str, ...], ContentLabel.GROUNDING] = ()
    benchmarks: tuple[BenchmarkComparison, ...]
    novelty_claim: Grounding
    compositional_chain: Grounding
    counter_intuitive_demand: Grounding
    contamination_resistance: Grounding
    predicted: PredictedPerformance
    construct_validity: Grounding
    validity_concerns: Annotated[tuple[str, ...], ContentLabel.GROUNDING] = ()
    rubric_fits: Grounding = ""
    confounds: Annotated[tuple[str, ...], ContentLabel.GROUNDING] = ()
    merit: Annotated[Level, ContentLabel.GROUNDING]
    recommendations: Annotated[tuple[str, ...], ContentLabel.GROUNDING] = ()
    challenges: tuple[Challenge, ...] = ()
    escalation: Annotated[str | None, ContentLabel.REVISION] = None
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.GALILEO_CONFIDENCE]

    @property
    def cited_keys(self) -> tuple[str, ...]:
        """Cited keys without duplicates, in order of first citation."""
        keys = [key for each in self.constructs for key in each.citations] + list(self.further_citations)
        return tuple(dict.fromkeys(keys))
