"""Dossier: the append-only, ordered collection of everything submitted for one scenario."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import Breakthrough, Challenge, HumanDecision, Veto
from impossible_moments.domain.vocabulary import Phase

D = TypeVar("D", bound=LabelledModel)


@dataclass(frozen=True, slots=True)
class DossierEntry:
    """A submitted deliverable with its phase, author and iteration."""

    phase: Phase
    author: str
    deliverable: LabelledModel
    iteration: int = 0


@dataclass(frozen=True, slots=True)
class RevisionDemand:
    """A demanded change, word for word as it was demanded, with its evidence."""

    demanded_by: str
    demand: str
    subject: str = ""
    """What must change: a claim's identifier, a quantity such as `plank.mass`, a thing or a step."""
    evidence: str = ""
    proposal: str = ""

    def to_data(self) -> dict[str, str]:
        """Return the demand as plain data for the agent that must answer it."""
        return {
            "demanded_by": self.demanded_by,
            "subject": self.subject,
            "demand": self.demand,
            "evidence": self.evidence,
            "proposal": self.proposal,
        }


@dataclass(frozen=True, slots=True)
class AgentNote:
    """Free text for one agent, such as a deficiency or a revision request. Only the addressee reads it."""

    addressee: str
    text: str
    phase: Phase
    author: str = "ORCHESTRATOR"
    owed: bool = False
    """Whether the addressee lost a dispute and still owes a revision. No gate opens before that revision."""
    demand: RevisionDemand | None = None
    """The change that the note demands. None if the note only informs."""


@dataclass(frozen=True, slots=True)
class ChallengeCase:
    """A challenge and its outcome."""

    phase: Phase
    challenger: str
    challenge: Challenge
    outcome: str
    """One of LOGGED, ACCEPTED, PARTIAL, UPHELD, OVERRIDDEN and ESCALATED."""
    method: str
    """How the challenge was resolved: the rung of the conflict ladder."""
    losing_position: str = ""
    votes: Mapping[str, str] = field(default_factory=dict)
    detected: bool = False
    """Whether comparing deliverables found the challenge.

    It does not count towards the challenger's limit.
    """


@dataclass(frozen=True, slots=True)
class VetoCase:
    """A veto and its outcome."""

    phase: Phase
    raised_by: str
    veto: Veto
    outcome: str
    """One of LIFTED, DOWNGRADED, RETURNED, RECLASSIFIED, ESCALATED and DISCARDED."""


@dataclass(frozen=True, slots=True)
class HumanReview:
    """A question that was put to a human reviewer, and the decision."""

    phase: Phase
    reason: str
    decision: HumanDecision
    discipline: str


@dataclass(frozen=True, slots=True)
class BreakthroughCase:
    """A proposed solution of an open frontier, and whether it survived its reviews."""

    phase: Phase
    proposed_by: str
    breakthrough: Breakthrough
    survived: bool
    reviews: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VoteRecord:
    """A counted vote: who voted how, what was needed, and what was decided."""

    decision: str
    """One of the decisions of specification 1.4."""
    subject: str
    """What was voted on, such as the name of a distractor. Empty if the decision says it."""
    level: str
    positions: Mapping[str, str]
    confidences: Mapping[str, float]
    needed: int
    winner: str | None
    unsure: tuple[str, ...] = ()
    """Voters with a confidence below 0.5."""
    discussed: bool = False
    """Whether this is the second vote, after all agents saw the first."""


@dataclass(frozen=True, slots=True)
class BlindFindingCase:
    """What the blind classification showed about the design, and what followed."""

    finding: str
    consequence: str


@dataclass(frozen=True, slots=True)
class DisagreementLogEntry:
    """An entry of the disagreement log."""

    topic: str
    agents: tuple[str, ...]
    method: str
    outcome: str
    kind: Literal["challenge", "veto", "calibration", "vote", "conflict", "confidence"] = "conflict"


@dataclass(frozen=True)
class Dossier:
    """Everything known about a scenario under creation. Methods that change it return a new dossier."""

    brief: GenerationBrief
    entries: tuple[DossierEntry, ...] = ()
    notes: tuple[AgentNote, ...] = ()
    challenges: tuple[ChallengeCase, ...] = ()
    vetoes: tuple[VetoCase, ...] = ()
    reviews: tuple[HumanReview, ...] = ()
    breakthroughs: tuple[BreakthroughCase, ...] = ()
    disagreements: tuple[DisagreementLogEntry, ...] = ()
    votes: tuple[VoteRecord, ...] = ()
    blind_findings: tuple[BlindFindingCase, ...] = ()
    loops: Mapping[Phase, int] = field(default_factory=dict)
    redesigns: int = 0

    @classmethod
    def create_for_brief(cls, brief: GenerationBrief) -> Dossier:
        """Return an empty dossier for a brief."""
        return cls(brief)

    def add_deliverable(self, phase: Phase, author: str, deliverable: LabelledModel) -> Dossier:
        """Return the dossier with one more deliverable, counted among its author's of the same type."""
        kind = type(deliverable)
        earlier = sum(
            1 for entry in self.entries if entry.author == author and type(entry.deliverable) is kind
        )
        return replace(self, entries=(*self.entries, DossierEntry(phase, author, deliverable, earlier)))

    def find_latest_deliverable(self, kind: type[D], author: str | None = None) -> D | None:
        """Return the last deliverable of a type, optionally of one author, or None if there is none."""
        for entry in reversed(self.entries):
            if isinstance(entry.deliverable, kind) and author in {None, entry.author}:
                return entry.deliverable
        return None

    def list_deliverables(self, kind: type[D]) -> tuple[D, ...]:
        """Return every deliverable of a type, in the order of their submission."""
        return tuple(entry.deliverable for entry in self.entries if isinstance(entry.deliverable, kind))

    def find_latest_deliverable_by_author(self, kind: type[D], phase: Phase | None = None) -> dict[str, D]:
        """Return the last deliverable of a type from each author, optionally of one phase."""
        return {
            entry.author: entry.deliverable
            for entry in self.entries
            if isinstance(entry.deliverable, kind) and phase in {None, entry.phase}
        }

    def find_deliverable_of_phase_by_author(self, kind: type[D], phase: Phase) -> dict[str, D]:
        """Return the last deliverable of a type from each author in a phase.

        Deliverables from before a return to an earlier phase are about an earlier version and are left out.
        """
        order = tuple(Phase)
        found: dict[str, D] = {}
        for entry in self.entries:
            if order.index(entry.phase) < order.index(phase):
                found = {}
            elif entry.phase is phase and isinstance(entry.deliverable, kind):
                found[entry.author] = entry.deliverable
        return found

    def replace_notes(self, notes: Iterable[AgentNote]) -> Dossier:
        """Return the dossier with these notes in place of the old ones, which have been read."""
        return replace(self, notes=tuple(notes))

    def list_notes_for(self, agent: str) -> tuple[AgentNote, ...]:
        """Return the notes addressed to an agent."""
        return tuple(note for note in self.notes if note.addressee == agent)

    def clear_owed_revisions(self, *agents: str) -> Dossier:
        """Return the dossier with the notes to these agents marked as answered by a revision."""
        return self.replace_notes(
            replace(note, owed=False) if note.addressee in agents else note for note in self.notes
        )

    def increment_loop_count(self, phase: Phase) -> Dossier:
        """Return the dossier with the loop counter of a phase increased by one."""
        return replace(self, loops={**self.loops, phase: self.loops.get(phase, 0) + 1})
