"""A dispute between two agents: its positions, its domains, and the votes on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.consensus_engine import (
    REQUIRED,
    ConsensusDecision,
    ConsensusLevel,
)
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.protocols.dispute_panel import OPEN_PHASES, add_private_notes
from impossible_moments.domain.disputes import Ballot, Domain, Evidence
from impossible_moments.domain.dossier import AgentNote, Dossier
from impossible_moments.domain.vocabulary import Phase

Side: TypeAlias = Literal["CHALLENGER", "CHALLENGED"]
NON_CRITICAL_DOMAINS: Final[frozenset[Domain]] = frozenset({"design"})
"""1.4: style, objects and names are non-critical decisions. All other domains are critical."""


@dataclass(frozen=True, slots=True)
class DisputePosition:
    """One side of a dispute."""

    agent: str
    words: str
    evidence: tuple[Evidence, ...]
    confidence: float

    def format_for_voters(self, phase: Phase) -> str:
        """Format the position for voters. The confidence is hidden before the reveal."""
        lines = [
            f"{self.agent}: {self.words}",
            *(f"- {each.kind}: {each.format_for_readers()}" for each in self.evidence),
        ]
        if phase in OPEN_PHASES:
            lines.append(f"- confidence: {self.confidence:.2f}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Dispute:
    """A claim on which two agents differ."""

    phase: Phase
    claim: str
    domains: tuple[Domain, ...]
    """The domains of the claim and of the evidence of both parties. The claim's domain is the first."""
    challenger: DisputePosition
    challenged: DisputePosition
    level: ConsensusLevel = REQUIRED[ConsensusDecision.CHALLENGE]
    ballots: Mapping[str, Ballot] = field(default_factory=dict)
    """The last vote of each agent that was asked."""
    obstacles: tuple[str, ...] = ()
    """Why each rung that was tried did not settle the dispute."""

    @property
    def domain(self) -> Domain:
        """The domain of the claim."""
        return self.domains[0]

    @property
    def is_cross_domain(self) -> bool:
        """Whether no single domain authority covers the dispute."""
        return len(self.domains) > 1

    @property
    def is_critical(self) -> bool:
        """Whether votes of unsure agents cannot settle the dispute."""
        return not NON_CRITICAL_DOMAINS.issuperset(self.domains)

    @property
    def parties(self) -> tuple[str, str]:
        """The challenger and the challenged agent."""
        return self.challenger.agent, self.challenged.agent

    @property
    def votes(self) -> dict[str, str]:
        """The choice of each agent that voted."""
        return {agent: str(ballot.choice) for agent, ballot in self.ballots.items()}

    @property
    def vote_confidences(self) -> dict[str, float]:
        """The confidence of each agent that voted."""
        return {agent: ballot.confidence for agent, ballot in self.ballots.items()}

    def get_side(self, agent: str) -> Side | None:
        """Return an agent's side: its own if it is a party, otherwise the one it voted for, or None."""
        if agent == self.challenger.agent:
            return "CHALLENGER"
        if agent == self.challenged.agent:
            return "CHALLENGED"
        ballot = self.ballots.get(agent)
        return ballot.choice if ballot is not None and ballot.choice != "ABSTAIN" else None

    def get_confidence(self, agent: str) -> float:
        """Return the confidence of a party in its position, or of a voter in its vote."""
        for position in (self.challenger, self.challenged):
            if position.agent == agent:
                return position.confidence
        return self.ballots[agent].confidence

    def get_position(self, side: Side) -> DisputePosition:
        """Return the position of a side."""
        return self.challenger if side == "CHALLENGER" else self.challenged

    def add_ballots(self, ballots: Mapping[str, Ballot]) -> Dispute:
        """Return the dispute with more votes. A new vote of an agent replaces its earlier one."""
        return replace(self, ballots={**self.ballots, **ballots})

    def add_obstacle(self, reason: str) -> Dispute:
        """Return the dispute with the reason why a rung did not settle it."""
        return replace(self, obstacles=(*self.obstacles, reason))


def collect_ballots(
    desk: AskDesk, dossier: Dossier, dispute: Dispute, voters: Iterable[str]
) -> Flow[tuple[Dossier, Dispute]]:
    """Ask voters for ballots at once. Each reads both positions."""
    voters = tuple(voters)
    dispute_text = f"Disputed claim: {dispute.claim}\n\n" + "\n\n".join(
        side.format_for_voters(dispute.phase) for side in (dispute.challenger, dispute.challenged)
    )
    notes = (AgentNote(voter, dispute_text, dispute.phase) for voter in voters)
    task = "Two agents differ on a claim. Read both positions in your notes and vote: CHALLENGER, CHALLENGED or ABSTAIN."
    ballots = yield from desk.ask_agents(
        add_private_notes(dossier, *notes),
        voters,
        dispute.phase,
        "ballot",
        dict.fromkeys(voters, task),
        Ballot,
    )
    for voter in voters:
        dossier = dossier.add_deliverable(dispute.phase, voter, ballots[voter])
    return dossier, dispute.add_ballots(ballots)


def parse_dispute_side(choice: str | None) -> Side | None:
    """Return the side that a choice names, or None."""
    match choice:
        case "CHALLENGER" | "CHALLENGED":
            return choice
        case _:
            return None
