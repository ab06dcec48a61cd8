"""The ladder of conflict resolution: rungs are tried in order, and the last one always decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.conflicts.claim_domain import normalize_claim
from impossible_moments.agents.orchestrator.conflicts.domain_authority import AUTHORITY, DomainAuthority
from impossible_moments.agents.orchestrator.conflicts.evidence_evaluation import ExpressionResult
from impossible_moments.agents.orchestrator.consensus_engine import (
    REQUIRED,
    ConsensusDecision,
    ConsensusLevel,
    VoteTally,
    tally_votes,
)
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.protocols.dispute import (
    Dispute,
    Side,
    collect_ballots,
    parse_dispute_side,
)
from impossible_moments.agents.orchestrator.protocols.dispute_panel import DisputePanel
from impossible_moments.agents.orchestrator.protocols.escalation_protocol import (
    EscalationRequest,
    EscalationTrigger,
    escalate_to_human,
)
from impossible_moments.domain.disputes import HumanDecision, Option
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.thresholds import LOWEST_CONFIDENCE
from impossible_moments.domain.vocabulary import ORCHESTRATOR

LEAST_VOTERS: Final = 2
ARBITERS: Final = 2


class LadderRung(StrEnum):
    """1.4: the levels of the ladder."""

    AUTOMATIC = "computation"
    DEBATE = "structured debate"
    AUTHORITY = "domain authority"
    ARBITRATION = "dual-agent arbitration"
    HUMAN = "human escalation"


@dataclass(frozen=True, slots=True)
class DisputeResolution:
    """How a dispute ended.

    No side prevails if a human chose to redesign, discard or split.
    """

    rung: LadderRung
    side: Side | None
    reason: str
    votes: Mapping[str, str] = field(default_factory=dict)
    vote_confidences: Mapping[str, float] = field(default_factory=dict)
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
        reason = "a computation is not outvoted"
        return dossier, dispute, DisputeResolution(LadderRung.AUTOMATIC, "CHALLENGER", reason)
    seed = dossier.find_latest_deliverable(SeedDocument)
    claims = seed.solution_sketch.claims if seed is not None else ()
    wanted = normalize_claim(dispute.claim)
    for claim in claims:
        is_named = wanted in {normalize_claim(claim.claim_id), normalize_claim(claim.text)}
        if (
            is_named
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
        reason = f"{len(voters)} agents outside the dispute may read it; a vote needs {LEAST_VOTERS}"
        return dossier, dispute.add_obstacle(reason), None
    dossier, dispute = yield from collect_ballots(desk, dossier, dispute, voters)
    tally = tally_votes(dispute.votes, dispute.level, confidences=dispute.vote_confidences)
    return dossier, *_conclude_vote(dispute, LadderRung.DEBATE, tally)


def settle_by_authority(desk: AskDesk, dossier: Dossier, dispute: Dispute, panel: DisputePanel) -> Flow[Step]:
    """Settle by authority (level 2): its side prevails, unless the other side may override it.

    The rung fails if the dispute spans domains, or if the authority takes no side or is unsure of it.
    """
    if dispute.is_cross_domain:
        reason = f"the dispute spans {' and '.join(dispute.domains)}, so no single authority covers it"
        return dossier, dispute.add_obstacle(reason), None
    row = AUTHORITY[dispute.domain]
    readers = panel.list_outsiders_who_may_read_all(desk, dispute.phase, dispute.parties)
    if row.prevails in readers and row.prevails not in dispute.ballots:
        dossier, dispute = yield from collect_ballots(desk, dossier, dispute, (row.prevails,))
    side = dispute.get_side(row.prevails)
    if side is None:
        return dossier, dispute.add_obstacle(f"{row.prevails}, the authority, takes no side"), None
    other: Side = "CHALLENGED" if side == "CHALLENGER" else "CHALLENGER"
    opponent = dispute.get_position(other)
    if row.override.can_be_made_by_agent_alone(opponent.agent, opponent.evidence):
        return dossier, dispute, _overrule(dispute, row, other)
    if row.override.is_supported_by_agent(opponent.agent, opponent.evidence):
        partners = row.override.list_agents_that_must_join(opponent.agent)
        asked = [each for each in partners if each in readers and each not in dispute.ballots]
        if asked:
            dossier, dispute = yield from collect_ballots(desk, dossier, dispute, asked)
        tally = _tally_joint_override(dispute, (opponent.agent, *partners))
        if tally.winner == other and tally.votes_cast == 1 + len(partners):
            if not tally.is_decided_by_unsure_votes:
                return dossier, dispute, _overrule(dispute, row, other)
            return dossier, dispute.add_obstacle(f"the joint override is unsure: {tally}"), None
    confidence = dispute.get_confidence(row.prevails)
    if confidence < LOWEST_CONFIDENCE and dispute.is_critical:
        reason = f"{row.prevails}, the authority, is unsure ({confidence:.2f})"
        return dossier, dispute.add_obstacle(reason), None
    reason = f"{row.prevails} is the authority on {row.name.lower()}"
    return dossier, dispute, _build_resolution(dispute, LadderRung.AUTHORITY, side, reason)


def settle_by_arbitration(
    desk: AskDesk, dossier: Dossier, dispute: Dispute, panel: DisputePanel
) -> Flow[Step]:
    """Settle by arbitration (level 3): two arbiters and both parties vote. A tie goes to the next level.

    Arbiters are agents outside the dispute that may read it.
    """
    readers = panel.list_outsiders_who_may_read_all(desk, dispute.phase, dispute.parties)
    if len(readers) < ARBITERS:
        reason = f"{len(readers)} agents outside the dispute may read it; an arbitration needs {ARBITERS}"
        return dossier, dispute.add_obstacle(reason), None
    # The authorities of the disputed domains have a stake, so they are the last choice.
    authorities = {AUTHORITY[domain].prevails for domain in dispute.domains}
    arbiters = sorted(readers, key=lambda agent: agent in authorities)[:ARBITERS]
    dossier, dispute = yield from collect_ballots(desk, dossier, dispute, arbiters)
    voters = (*arbiters, *dispute.parties)
    tally = tally_votes(
        {agent: dispute.get_side(agent) or "ABSTAIN" for agent in voters},
        ConsensusLevel.SIMPLE_MAJORITY,
        confidences={agent: dispute.get_confidence(agent) for agent in voters},
    )
    return dossier, *_conclude_vote(dispute, LadderRung.ARBITRATION, tally, voters)


def settle_by_human(desk: AskDesk, dossier: Dossier, dispute: Dispute, _panel: DisputePanel) -> Flow[Step]:
    """Settle by a human's final decision (level 4)."""
    sides = (dispute.challenger, dispute.challenged)
    request = EscalationRequest(
        phase=dispute.phase,
        trigger=EscalationTrigger.CONSENSUS,
        question=f"{dispute.challenger.agent} disputes a claim of {dispute.challenged.agent}: {dispute.claim}",
        assessment=f"No rung of the ladder settled it: {'; '.join(dispute.obstacles)}.",
        domain=dispute.domain,
        # Each position names the claim, because it may become the brief of a scenario of its own.
        positions={
            dispute.challenger.agent: f"not `{dispute.claim}`: {dispute.challenger.words}",
            dispute.challenged.agent: f"`{dispute.claim}`: {dispute.challenged.words}",
        },
        evidence={side.agent: side.evidence for side in sides},
    )
    dossier, decision = yield from escalate_to_human(desk, dossier, request)
    side = parse_dispute_side(decision.prevails) if decision.option is Option.RESOLVE else None
    resolution = DisputeResolution(
        LadderRung.HUMAN, side, decision.justification, dispute.votes, dispute.vote_confidences, decision
    )
    return dossier, dispute, resolution


LADDER: Final[tuple[Climb, ...]] = (
    settle_by_computation,
    settle_by_debate,
    settle_by_authority,
    settle_by_arbitration,
    settle_by_human,
)


def _conclude_vote(
    dispute: Dispute, rung: LadderRung, tally: VoteTally, voters: tuple[str, ...] = ()
) -> tuple[Dispute, DisputeResolution | None]:
    """Return the resolution of a vote, or the reason why the vote settles nothing."""
    side = parse_dispute_side(tally.winner)
    if side is None:
        return dispute.add_obstacle(f"{rung}: {tally}"), None
    if dispute.is_critical and tally.is_decided_by_unsure_votes:
        reason = f"{rung}: {side} wins only with unsure votes of {', '.join(tally.unsure)} ({tally})"
        return dispute.add_obstacle(reason), None
    return dispute, _build_resolution(dispute, rung, side, str(tally), voters)


def _tally_joint_override(dispute: Dispute, agents: tuple[str, ...]) -> VoteTally:
    """Count the votes of those who may override jointly. They must be unanimous (1.4)."""
    votes = {agent: dispute.get_side(agent) or "ABSTAIN" for agent in agents}
    confidences = {agent: dispute.get_confidence(agent) for agent, vote in votes.items() if vote != "ABSTAIN"}
    return tally_votes(votes, REQUIRED[ConsensusDecision.VETO_CONFIRMATION], confidences=confidences)


def _overrule(dispute: Dispute, row: DomainAuthority, side: Side) -> DisputeResolution:
    reason = f"{dispute.get_position(side).agent} overrides {row.prevails} on {row.name.lower()}"
    return _build_resolution(dispute, LadderRung.AUTHORITY, side, reason)


def _build_resolution(
    dispute: Dispute, rung: LadderRung, side: Side, reason: str, voters: tuple[str, ...] = ()
) -> DisputeResolution:
    """Build a resolution with the votes of some voters, or else of all agents that voted."""
    names = voters or tuple(dispute.ballots)
    votes = {agent: dispute.get_side(agent) or "ABSTAIN" for agent in names}
    confidences = {agent: dispute.get_confidence(agent) for agent in names}
    return DisputeResolution(rung, side, reason, votes, confidences)
