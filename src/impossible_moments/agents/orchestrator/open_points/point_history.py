"""The history of each open point in a dossier: who raised it when, what was answered, and whether it is still raised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from impossible_moments.agents.orchestrator.open_points.raised_points import (
    RaisedPoint,
    list_raised_points,
    normalize_words,
)
from impossible_moments.agents.orchestrator.seed_changes import RESTS_ON, collect_current_deliverables
from impossible_moments.domain.additional_agent_reports import FurtherReport
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.open_points import PointAnswer, PointEnd, PointKind
from impossible_moments.domain.refinement import ReadinessVote, ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ORCHESTRATOR, Phase

PointKey: TypeAlias = tuple[str, str]
"""The author and the normalized words of a point."""


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """Something that one agent asks of another, and its end. A point without an end is open."""

    name: str
    """P and a number for points of agents, G for remarks of gates, D for disputes that a protocol settles."""
    phase: Phase
    author: str
    kind: PointKind
    text: str
    addressee: str
    end: PointEnd | None = None
    answer: str = ""
    """The change, the reason, the revision or the decision that ended it."""

    @property
    def is_settled(self) -> bool:
        """Whether the point has an end."""
        return self.end is not None


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer to a point, with the place of its document in the dossier."""

    place: int
    author: str
    answer: PointAnswer


@dataclass(frozen=True, slots=True)
class PointHistory:
    """A point with everything that decides its end."""

    number: int
    phase: Phase
    author: str
    raised: RaisedPoint
    document: str
    first: int
    last: int
    """The places of the first and the last deliverable that raised it."""
    is_current: bool = False
    """Whether the newest work of its author, about the newest version, still raises it."""
    answers: tuple[GivenAnswer, ...] = field(default=())
    prefix: str = "P"

    @property
    def name(self) -> str:
        """The identifier of the point."""
        return f"{self.prefix}{self.number}"


def trace_point_histories(dossier: Dossier) -> tuple[PointHistory, ...]:
    """Return the history of every point that deliverables and gates raised, in the order in which they were raised first."""
    current, answers = _collect_current_keys(dossier), _collect_answers(dossier)
    return tuple(
        replace(
            each,
            is_current=key in current,
            answers=tuple(
                given
                for given in answers.get(each.name, ())
                if given.author == each.raised.addressee and given.place > each.first
            ),
        )
        for found in (_trace_deliverables(dossier), _trace_gate_remarks(dossier))
        for key, each in found.items()
    )


def _trace_deliverables(dossier: Dossier) -> dict[PointKey, PointHistory]:
    found: dict[PointKey, PointHistory] = {}
    for place, entry in enumerate(dossier.entries):
        for raised in list_raised_points(entry.deliverable, dossier.brief.difficulty_tier):
            key = (entry.author, raised.words)
            if key in found:
                found[key] = replace(found[key], last=place)
                continue
            document = type(entry.deliverable).__name__
            found[key] = PointHistory(
                len(found) + 1, entry.phase, entry.author, raised, document, place, place
            )
    return found


def _trace_gate_remarks(dossier: Dossier) -> dict[PointKey, PointHistory]:
    """Return the remarks of the gates, which only the gate raises, each with its first and last decision."""
    found: dict[PointKey, PointHistory] = {}
    for decision in dossier.gate_remarks:
        for text in decision.texts:
            raised = RaisedPoint("recommendation", text)
            key = (ORCHESTRATOR, raised.words)
            if key in found:
                found[key] = replace(found[key], last=decision.place)
                continue
            place, document = decision.place, f"decision of the {decision.phase} gate"
            found[key] = PointHistory(
                len(found) + 1, decision.phase, ORCHESTRATOR, raised, document, place, place, prefix="G"
            )
    return found


def _collect_current_keys(dossier: Dossier) -> frozenset[PointKey]:
    """Return the points that the newest work of their authors raises about the newest version."""
    newest_remarks = {decision.phase: decision.texts for decision in dossier.gate_remarks}
    remarks = {(ORCHESTRATOR, normalize_words(text)) for texts in newest_remarks.values() for text in texts}
    return _collect_keys_of_current_deliverables(dossier) | remarks


def _collect_keys_of_current_deliverables(dossier: Dossier) -> frozenset[PointKey]:
    tier = dossier.brief.difficulty_tier
    newest = [
        (author, deliverable)
        for kind in RESTS_ON
        for author, deliverable in collect_current_deliverables(dossier, kind).items()
    ]
    newest += [
        (entry.author, entry.deliverable)
        for place, entry in enumerate(dossier.entries)
        # an additional agent reports once, so that its report is about what was handed in before
        if isinstance(entry.deliverable, FurtherReport) and not _is_revised_after(dossier, place)
    ]
    return frozenset(
        (author, raised.words)
        for author, deliverable in newest
        for raised in list_raised_points(deliverable, tier)
    )


def _is_revised_after(dossier: Dossier, place: int) -> bool:
    return any(isinstance(entry.deliverable, SeedDocument) for entry in dossier.entries[place + 1 :])


def _collect_answers(dossier: Dossier) -> Mapping[str, list[GivenAnswer]]:
    found: dict[str, list[GivenAnswer]] = {}
    for place, entry in enumerate(dossier.entries):
        if isinstance(entry.deliverable, ReviewMemo | ReadinessVote | AgentTrace):
            for answer in entry.deliverable.answers:
                found.setdefault(answer.point.strip(), []).append(GivenAnswer(place, entry.author, answer))
    return found
