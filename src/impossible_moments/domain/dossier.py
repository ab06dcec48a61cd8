"""The dossier: everything handed in for one scenario, in order, never changed, only added to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.disputes import Breakthrough, Challenge, HumanDecision, Veto
from impossible_moments.domain.labels import Labelled
from impossible_moments.domain.vocabulary import Phase

D = TypeVar("D", bound=Labelled)


@dataclass(frozen=True, slots=True)
class Entry:
    """A deliverable that was handed in."""

    phase: Phase
    author: str
    deliverable: Labelled
    iteration: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """Free text for one agent: a deficiency, a revision request. Only its addressee reads it."""

    addressee: str
    text: str
    phase: Phase
    author: str = "ORCHESTRATOR"
    owed: bool = False
    """Whether its addressee lost a dispute and has yet to revise: no gate opens before that."""


@dataclass(frozen=True, slots=True)
class ChallengeCase:
    """A challenge and what became of it."""

    phase: Phase
    challenger: str
    challenge: Challenge
    outcome: str
    """LOGGED, ACCEPTED, PARTIAL, UPHELD, OVERRIDDEN or ESCALATED."""
    method: str
    """How it was resolved: the rung of the ladder."""
    losing_position: str = ""
    votes: Mapping[str, str] = field(default_factory=dict)
    detected: bool = False
    """Found by comparing deliverables, not submitted: it does not count against its challenger's limit."""


@dataclass(frozen=True, slots=True)
class VetoCase:
    """A veto and what became of it."""

    phase: Phase
    raised_by: str
    veto: Veto
    outcome: str
    """LIFTED, DOWNGRADED, RETURNED, RECLASSIFIED, ESCALATED or DISCARDED."""


@dataclass(frozen=True, slots=True)
class HumanReview:
    """A question that went to a human, and the answer."""

    phase: Phase
    reason: str
    decision: HumanDecision
    discipline: str


@dataclass(frozen=True, slots=True)
class BreakthroughCase:
    """A proposal for an open frontier and whether it survived its reviews."""

    phase: Phase
    proposed_by: str
    breakthrough: Breakthrough
    survived: bool
    reviews: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A line of the disagreement log."""

    topic: str
    agents: tuple[str, ...]
    method: str
    outcome: str
    kind: Literal["challenge", "veto", "calibration", "vote", "conflict", "confidence"] = "conflict"


@dataclass(frozen=True)
class Dossier:
    """All that is known of a scenario."""

    brief: GenerationBrief
    entries: tuple[Entry, ...] = ()
    notes: tuple[Note, ...] = ()
    challenges: tuple[ChallengeCase, ...] = ()
    vetoes: tuple[VetoCase, ...] = ()
    reviews: tuple[HumanReview, ...] = ()
    breakthroughs: tuple[BreakthroughCase, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    loops: Mapping[Phase, int] = field(default_factory=dict)
    redesigns: int = 0

    @classmethod
    def opened_for(cls, brief: GenerationBrief) -> Dossier:
        """An empty dossier."""
        return cls(brief)

    def file(self, phase: Phase, author: str, deliverable: Labelled) -> Dossier:
        """The dossier with one more deliverable."""
        kind = type(deliverable)
        earlier = sum(
            1 for entry in self.entries if entry.author == author and type(entry.deliverable) is kind
        )
        return replace(self, entries=(*self.entries, Entry(phase, author, deliverable, earlier)))

    def latest(self, kind: type[D], author: str | None = None) -> D | None:
        """The last deliverable of a kind, of one author if wanted."""
        for entry in reversed(self.entries):
            if isinstance(entry.deliverable, kind) and author in {None, entry.author}:
                return entry.deliverable
        return None

    def by_author(self, kind: type[D], phase: Phase | None = None) -> dict[str, D]:
        """The last deliverable of a kind from each author."""
        return {
            entry.author: entry.deliverable
            for entry in self.entries
            if isinstance(entry.deliverable, kind) and phase in {None, entry.phase}
        }

    def noting(self, notes: Iterable[Note]) -> Dossier:
        """The dossier with just these notes: old ones have been read."""
        return replace(self, notes=tuple(notes))

    def notes_for(self, agent: str) -> tuple[Note, ...]:
        """What an agent is told."""
        return tuple(note for note in self.notes if note.addressee == agent)

    def answered_by(self, *agents: str) -> Dossier:
        """The dossier after some agents have revised: they owe nothing more."""
        return self.noting(
            replace(note, owed=False) if note.addressee in agents else note for note in self.notes
        )

    def looped(self, phase: Phase) -> Dossier:
        """The dossier with one more loop of a phase counted."""
        return replace(self, loops={**self.loops, phase: self.loops.get(phase, 0) + 1})
