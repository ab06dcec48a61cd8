"""The ladder of conflict resolution: rungs are tried in order, and the last one always decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, Literal, TypeAlias

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.conflicts.domain_authority import AUTHORITY
from impossible_moments.agents.orchestrator.conflicts.evidence_evaluation import ExpressionResult
from impossible_moments.agents.orchestrator.consensus_engine import (
    REQUIRED,
    ConsensusDecision,
    ConsensusLevel,
    tally_votes,
)
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.protocols.dispute_panel import (
    OPEN_PHASES,
    DisputePanel,
    add_private_notes,
)
from impossible_moments.agents.orchestrator.protocols.escalation_protocol import (
    EscalationRequest,
    EscalationTrigger,
    escalate_to_human,
)
from impossible_moments.domain.disputes import Ballot, Domain, Evidence, HumanDecision, Option
from impossible_moments.domain.dossier import AgentNote, Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ORCHESTRATOR, Phase

LEAST_VOTERS: Final = 2
ARBITERS: Final = 2
Side: TypeAlias = Literal["CHALLENGER", "CHALLENGED"]


class LadderRung(StrEnum):
    """1.4: the levels of the ladder."""

    AUTOMATIC = "computation"
    DEBATE = "structured debate"
    AUTHORITY = "domain authority"
    ARBITRATION = "dual-agent arbitration"
    HUMAN = "human escalation"


@dataclass(frozen=True, slots=True)
class DisputePosition:
    """One side of a dispute."""

    agent: str
    words: str
    evidence: tuple[Evidence, ...]
    confidence: float

    def format_for_voters(self, phase: Phase) -> str:
        """Format the position for voters. The confidence is hidden before the reveal."""
        lines = [f"{self.agent}: {self.words}", *(f"- {each.kind}: {each.text}" for each in self.evidence)]
        if phase in OPEN_PHASES:
            lines.append(f"- confidence: {self.confidence:.2f}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Dispute:
    """A claim on which two agents differ."""

    phase: Phase
    claim: str
    domain: Domain
    challenger: DisputePosition
    challenged: DisputePosition
    level: ConsensusLevel = REQUIRED[ConsensusDecision.CHALLENGE]
    ballots: Mapping[str, Ballot] = field(default_factory=dict)
    """The votes of the structured debate."""

    @property
    def parties(self) -> tuple[str, str]:
        """The challenger and the challenged agent."""
        return self.challenger.agent, self.challenged.agent

    def get_side(self, agent: str) -> Side | None:
        """Return an agent's side: its own if it is a party, otherwise the one it voted for, or None."""
        if agent == self.challenger.agent:
            return "CHALLENGER"
        if agent == self.challenged.agent:
            return "CHALLENGED"
        ballot = self.ballots.get(agent)
        return ballot.choice if ballot is not None and ballot.choice != "ABSTAIN" else None

    def get_position(self, side: Side) -> DisputePosition:
        """Return the position of a side."""
        return self.challenger if side == "CHALLENGER" else self.challenged


@dataclass(frozen=True, slots=True)
class DisputeResolution:
    """How a dispute ended.

    No side prevails if a human chose to redesign, discard or split.
    """

    rung: LadderRung
    side: Side | None
    reason: str
    votes: Mapping[str, str] = field(default_factory=dict)
    decision: HumanDecision | None = None


Step: TypeAlias = tuple[Dossier, Dispute, DisputeResolution | None]
Climb: TypeAlias = Callable[[AskDesk, Dossier, Dispute, DisputePanel], Flow[Step]]


def settle_dispute(
    desk: AskDesk, dossier: Dossier, dispute: Dispute, *, panel: DisputePanel
) -> Flow[tuple[Dossier, DisputeResolution]]:
    """Try the rungs in order until one settles the dispute."""
    for rung in LADDER:
        dossier, dispute, resolution = yield from rung(desk, dossier, dispute, panel)
        if resolution is not None:
            return dossier, resolution
    raise AssertionError("a human always decides")


def compute_ladder_ask_limit(panel: DisputePanel) -> int:
    """Return the most asks that a dispute can take.

    These are all votes, the authority or its overriders, two arbiters and a human.
    """
    overriders = max(len(row.override.agents) for row in AUTHORITY.values())
    return len(panel.agents) + overriders + ARBITERS + 1


def settle_by_computation(
    _desk: AskDesk, dossier: Dossier, dispute: Dispute, panel: DisputePanel
) -> Flow[Step]:
    """Settle by computation (level 0): a claim that computes as false is false and cannot be defended.

    A challenge by the orchestrator rests on a computation, so it prevails too.
    """
    yield from ()
    if dispute.challenger.agent == ORCHESTRATOR:
        return (
            dossier,
            dispute,
            DisputeResolution(LadderRung.AUTOMATIC, "CHALLENGER", "a computation is not outvoted"),
        )
    seed = dossier.find_latest_deliverable(SeedDocument)
    claims = seed.solution_sketch.claims if seed is not None else ()
    for claim in claims:
        named = dispute.claim.strip() in {claim.claim_id, claim.text.strip()}
        if (
            named
            and claim.expression
            and panel.make_evidence_evaluator(dossier).evaluate_expression(claim.expression)
            is ExpressionResult.VIOLATED
        ):
            reason = f"`{claim.expression}` computes as false"
            return dossier, dispute, DisputeResolution(LadderRung.AUTOMATIC, "CHALLENGER", reason)
    return dossier, dispute, None


def settle_by_debate(desk: AskDesk, dossier: Dossier, dispute: Dispute, panel: DisputePanel) -> Flow[Step]:
    """Settle by vote (level 1) of the agents that are not parties and may read both positions."""
    voters = panel.list_outsiders_who_may_read_all(desk, dispute.phase, dispute.parties)
    if len(voters) < LEAST_VOTERS:
        return dossier, dispute, None
    dossier, ballots = yield from _collect_ballots(desk, dossier, dispute, voters)
    dispute = replace(dispute, ballots=ballots)
    votes = {agent: str(ballot.choice) for agent, ballot in ballots.items()}
    tally = tally_votes(votes, dispute.level)
    side = _parse_dispute_side(tally.winner)
    return (
        dossier,
        dispute,
        None if side is None else DisputeResolution(LadderRung.DEBATE, side, str(tally), votes),
    )


def settle_by_authority(desk: AskDesk, dossier: Dossier, dispute: Dispute, panel: DisputePanel) -> Flow[Step]:
    """Settle by authority (level 2): its side prevails, unless the other side may override it.

    The rung fails if the authority takes no side.
    """
    row = AUTHORITY[dispute.domain]
    readers = panel.list_outsiders_who_may_read_all(desk, dispute.phase, dispute.parties)
    if row.prevails in readers and row.prevails not in dispute.ballots:
        dossier, dispute = yield from _add_ballot(desk, dossier, dispute, row.prevails)
    side = dispute.get_side(row.prevails)
    if side is None:
        return dossier, dispute, None
    other: Side = "CHALLENGED" if side == "CHALLENGER" else "CHALLENGER"
    opponent = dispute.get_position(other)
    overridden = row.override.can_be_made_by_agent_alone(opponent.agent, opponent.evidence)
    partners = row.override.list_agents_that_must_join(opponent.agent)
    if partners and row.override.is_supported_by_agent(opponent.agent, opponent.evidence):
        for partner in partners:
            if partner in readers and partner not in dispute.ballots:
                dossier, dispute = yield from _add_ballot(desk, dossier, dispute, partner)
        # 1.4: those who may override jointly must be unanimous.
        joint = {each: dispute.get_side(each) or "ABSTAIN" for each in (opponent.agent, *partners)}
        tally = tally_votes(joint, REQUIRED[ConsensusDecision.VETO_CONFIRMATION])
        overridden = tally.winner == other and tally.votes_cast == len(joint)
    votes = {agent: str(ballot.choice) for agent, ballot in dispute.ballots.items()}
    if overridden:
        reason = f"{opponent.agent} overrides {row.prevails} on {row.name.lower()}"
        return dossier, dispute, DisputeResolution(LadderRung.AUTHORITY, other, reason, votes)
    reason = f"{row.prevails} is the authority on {row.name.lower()}"
    return dossier, dispute, DisputeResolution(LadderRung.AUTHORITY, side, reason, votes)


def settle_by_arbitration(
    desk: AskDesk, dossier: Dossier, dispute: Dispute, panel: DisputePanel
) -> Flow[Step]:
    """Settle by arbitration (level 3): two arbiters and both parties vote. A tie goes to the next level."""
    readers = panel.list_outsiders_who_may_read_all(desk, dispute.phase, dispute.parties)
    if len(readers) < ARBITERS:
        return dossier, dispute, None
    # The authority already decided on the rung before, so it is the last choice here.
    ordered = sorted(readers, key=lambda agent: agent == AUTHORITY[dispute.domain].prevails)
    dossier, ballots = yield from _collect_ballots(desk, dossier, dispute, tuple(ordered[:ARBITERS]))
    votes = {agent: str(ballot.choice) for agent, ballot in ballots.items()}
    votes |= {dispute.challenger.agent: "CHALLENGER", dispute.challenged.agent: "CHALLENGED"}
    tally = tally_votes(votes, ConsensusLevel.SIMPLE_MAJORITY)
    side = _parse_dispute_side(tally.winner)
    return (
        dossier,
        dispute,
        None if side is None else DisputeResolution(LadderRung.ARBITRATION, side, str(tally), votes),
    )


def settle_by_human(desk: AskDesk, dossier: Dossier, dispute: Dispute, _panel: DisputePanel) -> Flow[Step]:
    """Settle by a human's final decision (level 4)."""
    sides = (dispute.challenger, dispute.challenged)
    request = EscalationRequest(
        phase=dispute.phase,
        trigger=EscalationTrigger.CONSENSUS,
        question=f"{dispute.challenger.agent} disputes a claim of {dispute.challenged.agent}: {dispute.claim}",
        assessment="No rung of the ladder settled it: the votes were tied, too few agents may read the matter, or the authority gave no answer.",
        domain=dispute.domain,
        positions={side.agent: side.words for side in sides},
        evidence={side.agent: side.evidence for side in sides},
    )
    dossier, decision = yield from escalate_to_human(desk, dossier, request)
    side = _parse_dispute_side(decision.prevails) if decision.option is Option.RESOLVE else None
    resolution = DisputeResolution(LadderRung.HUMAN, side, decision.justification, {}, decision)
    return dossier, dispute, resolution


LADDER: Final[tuple[Climb, ...]] = (
    settle_by_computation,
    settle_by_debate,
    settle_by_authority,
    settle_by_arbitration,
    settle_by_human,
)


def _collect_ballots(
    desk: AskDesk, dossier: Dossier, dispute: Dispute, voters: tuple[str, ...]
) -> Flow[tuple[Dossier, dict[str, Ballot]]]:
    """Ask all voters for ballots at once. Each reads both positions."""
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
    return dossier, ballots


def _add_ballot(
    desk: AskDesk, dossier: Dossier, dispute: Dispute, agent: str
) -> Flow[tuple[Dossier, Dispute]]:
    """Return the dispute with one more agent's vote."""
    dossier, ballots = yield from _collect_ballots(desk, dossier, dispute, (agent,))
    return dossier, replace(dispute, ballots={**dispute.ballots, **ballots})


def _parse_dispute_side(choice: str | None) -> Side | None:
    match choice:
        case "CHALLENGER" | "CHALLENGED":
            return choice
        case _:
            return None
