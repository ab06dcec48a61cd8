"""Phase 5: the review memos of all agents, and their votes."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from pydantic import Field, model_validator

from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import Breakthrough, Challenge, Veto
from impossible_moments.domain.open_points import PointAnswer
from impossible_moments.domain.validation import Correction
from impossible_moments.domain.vocabulary import Status, Strength, Tier

Review = Annotated[str, ContentLabel.REVIEW]
Readiness: TypeAlias = Literal["APPROVE", "APPROVE-WITH-NOTES", "REVISE", "DISCARD"]
APPROVING_VOTES: Final[frozenset[Readiness]] = frozenset({"APPROVE", "APPROVE-WITH-NOTES"})
"""5.5 of phase 5: the votes that count as approval."""


class ReviewMemo(LabelledModel):
    """An agent's review of the whole scenario from its own perspective."""

    text: Review
    concerns: Annotated[tuple[str, ...], ContentLabel.REVIEW] = ()
    corrections: Annotated[tuple[Correction, ...], ContentLabel.REVIEW] = ()
    """Changes that the agent wants. A change that a majority wants of the same subject leads to a revision."""
    suggestions: Annotated[tuple[str, ...], ContentLabel.REVIEW] = ()
    answers: tuple[PointAnswer, ...] = ()
    """One answer to each entry of `open_points`, if the context has any."""
    challenges: tuple[Challenge, ...] = ()
    vetoes: tuple[Veto, ...] = ()
    breakthrough: Breakthrough | None = None
    escalation: Annotated[str | None, ContentLabel.REVISION] = None
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.REVIEW]


class MemoWithoutVetoes(LabelledModel):
    """The memo that a model hands in as an agent without the power to veto. It becomes a `ReviewMemo`."""

    text: Review
    concerns: Annotated[tuple[str, ...], ContentLabel.REVIEW] = ()
    corrections: Annotated[tuple[Correction, ...], ContentLabel.REVIEW] = ()
    """Changes that the agent wants. A change that a majority wants of the same subject leads to a revision."""
    suggestions: Annotated[tuple[str, ...], ContentLabel.REVIEW] = ()
    answers: tuple[PointAnswer, ...] = ()
    """One answer to each entry of `open_points`, if the context has any."""
    challenges: tuple[Challenge, ...] = ()
    breakthrough: Breakthrough | None = None
    escalation: Annotated[str | None, ContentLabel.REVISION] = None
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.REVIEW]

    @model_validator(mode="before")
    @classmethod
    def drop_empty_vetoes(cls, data: object) -> object:
        """Accept an empty list of vetoes, which says the same as none."""
        if isinstance(data, dict) and not data.get("vetoes"):
            return {name: value for name, value in data.items() if name != "vetoes"}
        return data

    def to_memo(self) -> ReviewMemo:
        """Return the memo as it is filed."""
        return ReviewMemo.model_validate(self.model_dump())


class CalibrationVote(LabelledModel):
    """The six scores of an agent. Agents see the scores of others only after all have voted."""

    profile: Annotated[Profile, ContentLabel.VOTES]
    rationale: Annotated[dict[str, str], ContentLabel.VOTES] = Field(default_factory=dict)
    tier: Annotated[Tier | None, ContentLabel.VOTES] = None
    """The tier that the agent assigns. None stands for the tier that its scores give."""
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.VOTES]


class StatusVote(LabelledModel):
    """An agent's vote on the final solution status."""

    status: Annotated[Status, ContentLabel.VOTES]
    reason: Annotated[str, ContentLabel.VOTES]
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.VOTES]


class DesignVote(LabelledModel):
    """An agent's vote on the name, the style and the objects of the scenario. None abstains."""

    approves_name: Annotated[bool | None, ContentLabel.VOTES] = True
    approves_style: Annotated[bool | None, ContentLabel.VOTES] = True
    approves_objects: Annotated[bool | None, ContentLabel.VOTES] = True
    suggestion: Annotated[str, ContentLabel.VOTES] = ""
    """What should change, if a vote is against."""
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
    answers: tuple[PointAnswer, ...] = ()
    """One answer to each entry of `open_points`, if the context has any."""
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.REVIEW]


class RefinementBallot(LabelledModel):
    """All votes of an agent in one reply. Each part is filed as a deliverable of its own."""

    counted_as: ClassVar[type[LabelledModel] | None] = ReadinessVote

    calibration: CalibrationVote
    distractors: DistractorReview
    status: StatusVote
    design: DesignVote
    readiness: ReadinessVote

    @property
    def parts(self) -> tuple[LabelledModel, ...]:
        """The votes in the order in which they are filed."""
        return self.calibration, self.distractors, self.status, self.design, self.readiness


class RefinementRevote(LabelledModel):
    """The divided parts of a ballot, voted on once more. A part that is left out stands as it was."""

    calibration: CalibrationVote | None = None
    distractors: DistractorReview | None = None
    """Findings on the divided distractors. The others stand."""
    status: StatusVote | None = None
    readiness: ReadinessVote | None = None
