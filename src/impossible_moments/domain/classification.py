"""Phase 4: the blind classification report, and the informed classification after the reveal."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import Challenge
from impossible_moments.domain.vocabulary import ImpossibilityType, Level, Status, Tier

Classification = Annotated[str, ContentLabel.CLASSIFICATION]
EthicalStatus: TypeAlias = Literal["PASS", "PASS-WITH-NOTES", "FAIL"]


class Rejected(LabelledModel):
    """A classification that was considered and not chosen."""

    status: Annotated[Status, ContentLabel.CLASSIFICATION]
    reason: Classification


class EthicalAnswer(LabelledModel):
    """One question of the checklist. `concern` is true if there is a concern."""

    question: Classification
    concern: Annotated[bool, ContentLabel.CLASSIFICATION]
    note: Classification = ""


class EthicalReview(LabelledModel):
    """The ethical checklist and the verdict."""

    checklist: tuple[EthicalAnswer, ...]
    status: Annotated[EthicalStatus, ContentLabel.CLASSIFICATION]
    notes: Classification = ""


class EpistemologicalAnalysis(LabelledModel):
    """An analysis of what the scenario tests."""

    surface_test: Classification
    deep_test: Classification
    metacognitive_demand: Annotated[Level, ContentLabel.CLASSIFICATION]
    transferability: Classification


class ClassificationReport(LabelledModel):
    """SOCRATES's phase 4 output, made without the solution."""

    status: Annotated[Status, ContentLabel.CLASSIFICATION]
    justification: Classification
    alternatives: tuple[Rejected, ...] = ()
    approaches_seen: Annotated[tuple[str, ...], ContentLabel.CLASSIFICATION] = ()
    premise_named: Classification = ""
    """Hidden assumption that was noticed in the blind reading."""
    blind_confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.SOCRATES_CONFIDENCE]
    impossibility_type: Annotated[ImpossibilityType, ContentLabel.CLASSIFICATION]
    type_justification: Classification
    ethics: EthicalReview
    epistemology: EpistemologicalAnalysis
    profile: Annotated[Profile, ContentLabel.CLASSIFICATION]
    preliminary_tier: Annotated[Tier, ContentLabel.CLASSIFICATION]
    rationale: Annotated[dict[str, str], ContentLabel.CLASSIFICATION] = Field(default_factory=dict)
    challenges: tuple[Challenge, ...] = ()
    escalation: Annotated[str | None, ContentLabel.REVISION] = None
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.SOCRATES_CONFIDENCE]


class InformedClassification(LabelledModel):
    """SOCRATES's classification after the reveal."""

    status: Annotated[Status, ContentLabel.CLASSIFICATION]
    justification: Classification
    impossibility_type: Annotated[ImpossibilityType, ContentLabel.CLASSIFICATION]
    profile: Annotated[Profile, ContentLabel.CLASSIFICATION]
    delta: Classification
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.SOCRATES_CONFIDENCE]
