"""The events of a breakthrough candidate as stored in the log: collected, judged, voted on, verified."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from impossible_moments.evaluation.breakthroughs.frontier_filter import Filtered
from impossible_moments.evaluation.breakthroughs.novelty import Novelty
from impossible_moments.scenarios.metadata import ID_FORM

CANDIDATE_FORM: Final = r"^IM-\d{4,}-[0-9a-f]{12}$"


class Tier(StrEnum):
    """The method by which a confirmed candidate was verified."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"


# fmt: off
TIERS: Final[Mapping[Tier, str]] = {
    Tier.A: "analytical",
    Tier.B: "computational",
    Tier.C: "experimental",
    Tier.D: "expert consensus",
}
CRITERIA: Final[Mapping[str, str]] = {
    # the first four criteria of the definition; the vote itself is the fifth
    "novel":    "It is new compared with the knowledge boundary and with everything else you know.",
    "valid":    "It breaks no law of physics, and its figures follow from its principle.",
    "complete": "It meets every condition, without dropping any.",
    "testable": "It is specific enough to be tested.",
}
# fmt: on


class _Event(BaseModel):
    """Base class of all events: frozen, unknown fields forbidden."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    candidate: str = Field(pattern=CANDIDATE_FORM)
    at: str = ""
    """The time of the event, for information only."""


class Judging(BaseModel):
    """The decision of the judges on an answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    judges: tuple[str, ...] = ()
    points: str
    """The points for each rubric line, as in the results."""
    flagged: bool
    """Whether plausibility, novelty and completeness each exceed the threshold for expert review."""


class Collected(_Event):
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
    filtered: Filtered
    novelty: Novelty
    judging: Judging | None = None
    """None if the answer was not judged."""


class Judged(_Event):
    """A judgement on an answer that was collected without one."""

    event: Literal["judged"] = "judged"
    judging: Judging


class Voted(_Event):
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


class Verified(_Event):
    """The verification of a confirmed candidate: the proposal to change its scenario from OF to KS."""

    event: Literal["verified"] = "verified"
    tier: Tier
    evidence: str
    experts: tuple[str, ...]


Event: TypeAlias = Collected | Judged | Voted | Verified
EVENT: Final[TypeAdapter[Event]] = TypeAdapter(Annotated[Event, Field(discriminator="event")])
"""Parses a line of a log."""
