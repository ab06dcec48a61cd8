"""Dossier: the append-only, ordered collection of everything submitted for one scenario."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import (
    Breakthrough,
    Challenge,
    Domain,
    Evidence,
    HumanDecision,
    Option,
    Veto,
)
from impossible_moments.domain.vocabulary import Phase

D = TypeVar("D", bound=LabelledModel)


@dataclass(frozen=True, slots=True)
class DossierEntry:
    """A submitted deliverable with its phase, author and iteration."""

    phase: Phase
    author: str
    deliverable: LabelledModel
    iteration: int = 0
    answered_notes: tuple[AgentNote, ...] = ()
    """The notes that its author had when it was handed in, such as what a revision answers."""


@dataclass(frozen=True, slots=True)
class RevisionDemand:
    """A demanded change, word for word as it was demanded, with its evidence."""

    demanded_by: str
    demand: str
    subject: str = ""
    """What must change: a claim's identifier, a quantity such as `plank.mass`, a thing or a step."""
    evidence: str = ""
    proposal: str = ""
    decision: str = ""
    """What a human decided about the demand, word for word. Empty if no human was asked."""

    def to_data(self) -> dict[str, str]:
        """Return the demand as plain data for the agent that must answer it."""
        data = {
            "demanded_by": self.demanded_by,
            "subject": self.subject,
            "demand": self.demand,
            "evidence": self.evidence,
            "proposal": self.proposal,
        }
        return {**data, "human_decision": self.decision} if self.decision else data


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
    """How the challenge was resolved: the rung of the conflict ladder, or why it was not forwarded."""
    domains: tuple[Domain, ...] = ()
    """The domains of the claim and the evidence, as the orchestrator decided. Empty if it was not forwarded."""
    response: str = ""
    """The challenged agent's response: the answer and its text."""
    losing_position: str = ""
    losing_reason: str = ""
    """Why the losing position lost: the tally, the authority, the computation or the human's justification."""
    votes: Mapping[str, str] = field(default_factory=dict)
    vote_confidences: Mapping[str, float] = field(default_factory=dict)
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
    defect: str = ""
    """Why the veto was downgraded to a challenge. Empty if it was valid."""
    revision_summary: str = ""
    """What ATHENA's revision changed. Empty if none was handed in."""
    review_reason: str = ""
    """The vetoing agent's reason for lifting the veto or not."""
    confirmation: str = ""
    """The tally of the veto confirmation. Empty if the veto was lifted or downgraded before."""
    end_reason: str = ""
    """Why the veto ended as it did: the review, the computation or the human's justification."""
    informed_of_veto: tuple[str, ...] = ()
    """The agents that received the text of the veto."""
    informed_of_halt: tuple[str, ...] = ()
    """The agents that may not read the matter and were informed only that the scenario was halted."""


@dataclass(frozen=True, slots=True)
class HumanReview:
    """A question that was put to a human reviewer, the essentials of the package, and the decision."""

    phase: Phase
    reason: str
    decision: HumanDecision
    discipline: str
    state: str = ""
    """The state in which the escalation ended: RESOLVED, REDESIGN, DISCARDED or SPLIT."""
    question: str = ""
    assessment: str = ""
    """Why the agents could not settle it."""
    domain: str = ""
    positions: Mapping[str, str] = field(default_factory=dict)
    evidence: Mapping[str, tuple[Evidence, ...]] = field(default_factory=dict)
    confidences: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DesignReview:
    """A review of the scenario design, opened because a human found a structural flaw."""

    phase: Phase
    question: str
    flaw: str
    """The flaw in the reviewer's words."""
    decision: Option


@dataclass(frozen=True, slots=True)
class BreakthroughCase:
    """A proposed solution of an open frontier, and whether it survived its reviews."""

    phase: Phase
    proposed_by: str
    breakthrough: Breakthrough
    survived: bool
    reviews: Mapping[str, str] = field(default_factory=dict)
    state: str = ""
    """One of REFUSED, REJECTED, CANDIDATE, VERIFIED and REFUTED."""
    note: str = ""
    """The note that the scenario carries if the proposal is a candidate, or why it was refused."""


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
    """An entry of the disagreement log: what was claimed and disputed, by whom, and how it ended."""

    topic: str
    agents: tuple[str, ...]
    method: str
    outcome: str
    kind: Literal["challenge", "veto", "calibration", "vote", "conflict", "confidence"] = "conflict"
    phase: Phase | None = None
    claimed_by: str = ""
    """The agent whose claim was disputed. `topic` is the claim."""
    evidence: tuple[str, ...] = ()
    """The evidence against the claim, each piece with its kind."""
    response: str = ""
    response_evidence: tuple[str, ...] = ()
    votes: Mapping[str, str] = field(default_factory=dict)
    vote_confidences: Mapping[str, float] = field(default_factory=dict)
    losing_position: str = ""
    reason: str = ""
    """Why it ended as it did."""


@dataclass(frozen=True, slots=True)
class GateRemarks:
    """What a gate remarks about the work of ATHENA without closing, at one of its decisions."""

    phase: Phase
    """The phase of the gate."""
    place: int
    """The place of the last deliverable that the gate examined."""
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Dossier:
    """Everything known about a scenario under creation. Methods that change it return a new dossier."""

    brief: GenerationBrief
    entries: tuple[DossierEntry, ...] = ()
    notes: tuple[AgentNote, ...] = ()
    challenges: tuple[ChallengeCase, ...] = ()
    vetoes: tuple[VetoCase, ...] = ()
    reviews: tuple[HumanReview, ...] = ()
    design_reviews: tuple[DesignReview, ...] = ()
    breakthroughs: tuple[BreakthroughCase, ...] = ()
    disagreements: tuple[DisagreementLogEntry, ...] = ()
    votes: tuple[VoteRecord, ...] = ()
    blind_findings: tuple[BlindFindingCase, ...] = ()
    gate_remarks: tuple[GateRemarks, ...] = ()
    """An entry for each decision of a gate, so that the last one of a gate says what still holds."""
    loops: Mapping[Phase, int] = field(default_factory=dict)
    redesigns: int = 0
    notices: tuple[AgentNote, ...] = ()
    """Information for single agents that asks for no revision, kept until the end of the scenario."""

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
        entry = DossierEntry(phase, author, deliverable, earlier, self.list_notes_for(author, phase))
        return replace(self, entries=(*self.entries, entry))

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

    def list_notes_for(self, agent: str, phase: Phase | None = None) -> tuple[AgentNote, ...]:
        """Return the notes addressed to an agent, or those of them that it may read in a phase.

        If CLASSIFY is repeated, notes from later phases stay hidden there, because they may name the solution.
        """
        order = tuple(Phase)
        is_blind = phase is Phase.CLASSIFY
        return tuple(
            note
            for note in self.notes
            if note.addressee == agent
            and not (is_blind and order.index(note.phase) > order.index(Phase.CLASSIFY))
        )

    def add_gate_remarks(self, phase: Phase, texts: Iterable[str]) -> Dossier:
        """Return the dossier with what a gate remarks at its present decision, which may be nothing."""
        remarks = GateRemarks(phase, len(self.entries) - 1, tuple(dict.fromkeys(texts)))
        return replace(self, gate_remarks=(*self.gate_remarks, remarks))

    def add_notices(self, notices: Iterable[AgentNote]) -> Dossier:
        """Return the dossier with more notices."""
        return replace(self, notices=(*self.notices, *notices))

    def list_notices_for(self, agent: str, phase: Phase) -> tuple[AgentNote, ...]:
        """Return the notices to an agent that it may read in a phase.

        In CLASSIFY an agent judges from the narrative alone. After a return to an earlier phase, notices from
        later phases are hidden again.
        """
        if phase is Phase.CLASSIFY:
            return ()
        order = tuple(Phase)
        return tuple(
            notice
            for notice in self.notices
            if notice.addressee == agent and order.index(notice.phase) <= order.index(phase)
        )

    def clear_owed_revisions(self, *agents: str) -> Dossier:
        """Return the dossier with the notes to these agents marked as answered by a revision."""
        return self.replace_notes(
            replace(note, owed=False) if note.addressee in agents else note for note in self.notes
        )

    def increment_loop_count(self, phase: Phase) -> Dossier:
        """Return the dossier with the loop counter of a phase increased by one."""
        return replace(self, loops={**self.loops, phase: self.loops.get(phase, 0) + 1})
