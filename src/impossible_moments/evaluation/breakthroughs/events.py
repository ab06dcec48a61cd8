"""The events of a breakthrough candidate, as its log keeps them: collected, judged, voted on, verified."""

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
    """How a confirmed candidate was verified."""

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
    # the first four of the definition; the vote itself is the fifth
    "novel":    "It is new against the knowledge boundary, and against what you know beyond it.",
    "valid":    "It breaks no law of physics, and its figures follow from its principle.",
    "complete": "It meets every condition; none is quietly dropped.",
    "testable": "It is specific enough that somebody could test it.",
}
# fmt: on


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    candidate: str = Field(pattern=CANDIDATE_FORM)
    at: str = ""
    """What a clock said; nothing follows from it."""


class Judging(BaseModel):
    """What judges made of the answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    judges: tuple[str, ...] = ()
    points: str
    """The points of each line, as the results tell them."""
    flagged: bool
    """Whether plausibility, novelty and completeness are each above what experts are asked for."""


class Collected(_Event):
    """An answer that passed the automatic filter."""

    event: Literal["collected"] = "collected"
    scenario_id: str = Field(pattern=ID_FORM)
    title: str
    category: str
    tier: str
    answer: str
    figures: dict[str, str] = {}
    """What the answer states, by the record's names, in the record's units."""
    claims: dict[str, str] = {}
    """What may be claimed, as the record writes it."""
    envelope: dict[str, str] = {}
    """The conditions, as the record writes them."""
    quantities: dict[str, str] = {}
    """What conditions and limits read, as the record writes it."""
    filtered: Filtered
    novelty: Novelty
    judging: Judging | None = None
    """None where no judge has settled it."""


class Judged(_Event):
    """Judges have read an answer that was collected without them."""

    event: Literal["judged"] = "judged"
    judging: Judging


class Voted(_Event):
    """One vote of the panel."""

    event: Literal["voted"] = "voted"
    expert: str
    novel: bool
    valid: bool
    complete: bool
    testable: bool
    reason: str

    @property
    def confirms(self) -> bool:
        """Whether it says yes to all four."""
        return self.novel and self.valid and self.complete and self.testable


class Verified(_Event):
    """A confirmed candidate was verified: the proposal to turn its scenario from OF to KS."""

    event: Literal["verified"] = "verified"
    tier: Tier
    evidence: str
    experts: tuple[str, ...]


Event: TypeAlias = Collected | Judged | Voted | Verified
EVENT: Final[TypeAdapter[Event]] = TypeAdapter(Annotated[Event, Field(discriminator="event")])
"""Reads a line of a log."""
