"""Phase 5: review memos, calibration votes, distractor reviews and readiness votes of all agents."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import Breakthrough, Challenge, Veto
from impossible_moments.domain.labels import Content, Labelled
from impossible_moments.domain.vocabulary import Strength

Review = Annotated[str, Content.REVIEW]
Readiness: TypeAlias = Literal["APPROVE", "APPROVE-WITH-NOTES", "REVISE", "DISCARD"]


class ReviewMemo(Labelled):
    """An agent's review of the whole scenario from its own perspective."""

    text: Review
    concerns: Annotated[tuple[str, ...], Content.REVIEW] = ()
    suggestions: Annotated[tuple[str, ...], Content.REVIEW] = ()
    challenges: tuple[Challenge, ...] = ()
    vetoes: tuple[Veto, ...] = ()
    breakthrough: Breakthrough | None = None
    escalation: Annotated[str | None, Content.REVISION] = None
    confidence: Annotated[float, Field(ge=0.0, le=1.0), Content.REVIEW]


class CalibrationVote(Labelled):
    """An agent's six scores; nobody sees another's before all have voted."""

    profile: Annotated[Profile, Content.VOTES]
    rationale: Annotated[dict[str, str], Content.VOTES] = Field(default_factory=dict)
    confidence: Annotated[float, Field(ge=0.0, le=1.0), Content.VOTES]


class DistractorFinding(Labelled):
    """What an agent says of one distractor."""

    name: Review
    verdict: Annotated[
        Literal["right", "too weak", "too strong", "enables a solution", "unfair"], Content.REVIEW
    ]
    strength: Annotated[Strength, Content.REVIEW]
    remark: Review = ""


class DistractorReview(Labelled):
    """An agent's review of the distractor inventory."""

    findings: tuple[DistractorFinding, ...]
    confidence: Annotated[float, Field(ge=0.0, le=1.0), Content.REVIEW]


class ReadinessVote(Labelled):
    """An agent's vote on whether the scenario is ready."""

    vote: Annotated[Readiness, Content.REVIEW]
    notes: Review = ""
    changes: Annotated[tuple[str, ...], Content.REVIEW] = ()
    addressed_to: Review = ""
    confidence: Annotated[float, Field(ge=0.0, le=1.0), Content.REVIEW]
