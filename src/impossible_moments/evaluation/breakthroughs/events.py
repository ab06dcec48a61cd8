"""The events of a breakthrough candidate as stored in the log: collected, judged, voted on, verified."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from impossible_moments.evaluation.breakthroughs.frontier_filter import FilterResult
from impossible_moments.evaluation.breakthroughs.novelty import NoveltyReport
from impossible_moments.scenarios import ID_FORM

CANDIDATE_FORM: Final = r"^IM-\d{4,}-[0-9a-f]{12}$"


class VerificationTier(StrEnum):
    """The method by which a confirmed candidate was verified."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"


# fmt: off
VERIFICATION_METHODS: Final[Mapping[VerificationTier, str]] = {
    VerificationTier.A: "analytical",
    VerificationTier.B: "computational",
    VerificationTier.C: "experimental",
    VerificationTier.D: "expert consensus",
}
CRITERIA: Final[Mapping[str, str]] = {
    # the first four criteria of the definition; the vote itself is the fifth
    "novel":    "It is new compared with the knowledge boundary and with everything else you know.",
    "valid":    "It breaks no law of physics, and its figures follow from its principle.",
    "complete": "It meets every condition, without dropping any.",
    "testable": "It is specific enough to be tested.",
}
# fmt: on


class _CandidateEvent(BaseModel):
    """Base class of all events: frozen, unknown fields forbidden."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    candidate: str = Field(pattern=CANDIDATE_FORM)
    at: str = ""
    """The time of the event, for information only."""


class JudgingSummary(BaseModel):
    """The decision of the judges on an answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    judges: tuple[str, ...] = ()
    points: str
    """The points for each rubric line, as in the results."""
    flagged: bool
    """Whether plausibility, novelty and completeness each exceed the threshold for expert review."""


class CandidateCollected(_CandidateEvent):
    """An answer that passed the automatic filter."""

    event: Literal["collected"] = "collected"
    scenario_id: str = Field(pattern=ID_FORM)
    title: str
    category: str
    tier: str
    answer: str
    figures: dict[str, str] = {}
    """The stated figures by their names in the record, in the units of the record."""
    claims: dict[str, str] = {}
    """What may be claimed, as written in the record."""
    envelope: dict[str, str] = {}
    """The conditions, as written in the record."""
    quantities: dict[str, str] = {}
    """The quantities that conditions and limits depend on, as written in the record."""
    filtered: FilterResult
    novelty: NoveltyReport
    judging: JudgingSummary | None = None
    """None if the answer was not judged."""


class CandidateJudged(_CandidateEvent):
    """A judgement on an answer that was collected without one."""

    event: Literal["judged"] = "judged"
    judging: JudgingSummary


class ExpertVote(_CandidateEvent):
    """One vote of the expert panel."""

    event: Literal["voted"] = "voted"
    expert: str
    novel: bool
    valid: bool
    complete: bool
    testable: bool
    reason: str

    @property
    def confirms(self) -> bool:
        """Whether it says yes to all four questions."""
        return self.novel and self.valid and self.complete and self.testable


class CandidateVerified(_CandidateEvent):
    """The verification of a candidate that the panel confirmed. If it succeeds, its scenario turns from OF to KS."""

    event: Literal["verified"] = "verified"
    tier: VerificationTier
    result: Literal["confirmed", "refuted"] = "confirmed"
    evidence: str
    experts: tuple[str, ...]


Event: TypeAlias = CandidateCollected | CandidateJudged | ExpertVote | CandidateVerified
EVENT: Final[TypeAdapter[Event]] = TypeAdapter(Annotated[Event, Field(discriminator="event")])
"""Parses a line of a log."""
