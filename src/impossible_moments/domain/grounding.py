"""Phase 3: the scientific grounding report of GALILEO."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from impossible_moments.domain.disputes import Challenge
from impossible_moments.domain.labels import Content, Labelled
from impossible_moments.domain.vocabulary import Level

Grounding = Annotated[str, Content.GROUNDING]
Score = Annotated[float, Field(ge=0, le=100), Content.GROUNDING]


UNVERIFIED = "unverified: "
"""Prefix of a citation that is not a key of the bibliography. No gate counts such a citation."""


class Construct(Labelled):
    """Insight, construct, citation, prediction."""

    insight: Annotated[int, Field(ge=1), Content.GROUNDING]
    construct_tested: Grounding
    citations: Annotated[tuple[str, ...], Content.GROUNDING]
    """Keys of the bibliography. Only its works can be cited."""
    prediction: Grounding


class BenchmarkComparison(Labelled):
    """An existing benchmark beside this scenario."""

    benchmark: Grounding
    tests: Grounding
    difference: Grounding


class PredictedPerformance(Labelled):
    """Expected scores by architecture, 0 to 100."""

    direct_answer: Score
    chain_of_thought: Score
    extended_reasoning: Score
    agentic: Score


class GroundingReport(Labelled):
    """GALILEO's phase 3 output."""

    constructs: tuple[Construct, ...]
    further_citations: Annotated[tuple[str, ...], Content.GROUNDING] = ()
    benchmarks: tuple[BenchmarkComparison, ...]
    novelty_claim: Grounding
    compositional_chain: Grounding
    counter_intuitive_demand: Grounding
    contamination_resistance: Grounding
    predicted: PredictedPerformance
    construct_validity: Grounding
    validity_concerns: Annotated[tuple[str, ...], Content.GROUNDING] = ()
    rubric_fits: Grounding = ""
    confounds: Annotated[tuple[str, ...], Content.GROUNDING] = ()
    merit: Annotated[Level, Content.GROUNDING]
    recommendations: Annotated[tuple[str, ...], Content.GROUNDING] = ()
    challenges: tuple[Challenge, ...] = ()
    escalation: Annotated[str | None, Content.REVISION] = None
    confidence: Annotated[float, Field(ge=0.0, le=1.0), Content.GALILEO_CONFIDENCE]

    @property
    def cited(self) -> tuple[str, ...]:
        """Cited keys without duplicates, in order of first citation."""
        keys = [key for each in self.constructs for key in each.citations] + list(self.further_citations)
        return tuple(dict.fromkeys(keys))
