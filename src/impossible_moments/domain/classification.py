"""Phase 4: the blind classification report, and the informed classification after the reveal."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import Challenge
from impossible_moments.domain.labels import Content, Labelled
from impossible_moments.domain.vocabulary import ImpossibilityType, Level, Status, Tier

Classification = Annotated[str, Content.CLASSIFICATION]
EthicalStatus: TypeAlias = Literal["PASS", "PASS-WITH-NOTES", "FAIL"]


class Rejected(Labelled):
    """A classification that was considered and not chosen."""

    status: Annotated[Status, Content.CLASSIFICATION]
    reason: Classification


class EthicalAnswer(Labelled):
    """One item of the checklist: True means that there is a concern."""

    question: Classification
    concern: Annotated[bool, Content.CLASSIFICATION]
    note: Classification = ""


class EthicalReview(Labelled):
    """The checklist and the verdict."""

    checklist: tuple[EthicalAnswer, ...]
    status: Annotated[EthicalStatus, Content.CLASSIFICATION]
    notes: Classification = ""


class EpistemologicalAnalysis(Labelled):
    """What the scenario truly tests."""

    surface_test: Classification
    deep_test: Classification
    metacognitive_demand: Annotated[Level, Content.CLASSIFICATION]
    transferability: Classification


class ClassificationReport(Labelled):
    """SOCRATES's phase 4 output, made without the solution."""

    status: Annotated[Status, Content.CLASSIFICATION]
    justification: Classification
    alternatives: tuple[Rejected, ...] = ()
    approaches_seen: Annotated[tuple[str, ...], Content.CLASSIFICATION] = ()
    premise_named: Classification = ""
    """Hidden assumption that was noticed in the blind reading."""
    blind_confidence: Annotated[float, Field(ge=0.0, le=1.0), Content.SOCRATES_CONFIDENCE]
    impossibility_type: Annotated[ImpossibilityType, Content.CLASSIFICATION]
    type_justification: Classification
    ethics: EthicalReview
    epistemology: EpistemologicalAnalysis
    profile: Annotated[Profile, Content.CLASSIFICATION]
    preliminary_tier: Annotated[Tier, Content.CLASSIFICATION]
    rationale: Annotated[dict[str, str], Content.CLASSIFICATION] = Field(default_factory=dict)
    challenges: tuple[Challenge, ...] = ()
    escalation: Annotated[str | None, Content.REVISION] = None
    confidence: Annotated[float, Field(ge=0.0, le=1.0), Content.SOCRATES_CONFIDENCE]


class InformedClassification(Labelled):
    """SOCRATES's word after the reveal."""

    status: Annotated[Status, Content.CLASSIFICATION]
    justification: Classification
    impossibility_type: Annotated[ImpossibilityType, Content.CLASSIFICATION]
    profile: Annotated[Profile, Content.CLASSIFICATION]
    delta: Classification
    confidence: Annotated[float, Field(ge=0.0, le=1.0), Content.SOCRATES_CONFIDENCE]
