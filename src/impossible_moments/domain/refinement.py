"""Phase 5: review memos, calibration votes, distractor reviews and readiness votes of all agents."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import Breakthrough, Challenge, Veto
from impossible_moments.domain.vocabulary import Strength

Review = Annotated[str, ContentLabel.REVIEW]
Readiness: TypeAlias = Literal["APPROVE", "APPROVE-WITH-NOTES", "REVISE", "DISCARD"]
APPROVING_VOTES: Final[frozenset[Readiness]] = frozenset({"APPROVE", "APPROVE-WITH-NOTES"})
"""5.5 of phase 5: the votes that count as approval."""


class ReviewMemo(LabelledModel):
    """An agent's review of the whole scenario from its own perspective."""

    text: Review
    concerns: Annotated[tuple[str, ...], ContentLabel.REVIEW] = ()
    suggestions: Annotated[tuple[str, ...], ContentLabel.REVIEW] = ()
    challenges: tuple[Challenge, ...] = ()
    vetoes: tuple[Veto, ...] = ()
    breakthrough: Breakthrough | None = None
    escalation: Annotated[str | None, ContentLabel.REVISION] = None
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.REVIEW]


class CalibrationVote(LabelledModel):
    """The six scores of an agent. Agents see the scores of others only after all have voted."""

    profile: Annotated[Profile, ContentLabel.VOTES]
    rationale: Annotated[dict[str, str], ContentLabel.VOTES] = Field(default_factory=dict)
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.VOTES]


class DistractorFinding(LabelledModel):
    """An agent's judgement of one distractor."""

    name: Review
    verdict: Annotated[
        Literal["right", "too weak", "too strong", "enables a solution", "unfair"], ContentLabel.REVIEW
    ]
    strength: Annotated[Strength, ContentLabel.REVIEW]
    remark: Review = ""


class DistractorReview(LabelledModel):
    """An agent's review of the distractor inventory."""

    findings: tuple[DistractorFinding, ...]
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.REVIEW]


class ReadinessVote(LabelledModel):
    """An agent's vote on whether the scenario is ready."""

    vote: Annotated[Readiness, ContentLabel.REVIEW]
    notes: Review = ""
    changes: Annotated[tuple[str, ...], ContentLabel.REVIEW] = ()
    addressed_to: Review = ""
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.REVIEW]
