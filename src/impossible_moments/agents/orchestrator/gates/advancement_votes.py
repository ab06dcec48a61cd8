"""Votes to advance past a gate (1.4): before REFINE each agent of a phase votes by what its report concludes.

The agents of a phase are the relevant subset, and a report's confidence is its author's. In REFINE all agents
vote on readiness.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from impossible_moments.agents.orchestrator.consensus_engine import (
    APPROVED,
    REJECTED,
    REQUIRED,
    ConsensusDecision,
    tally_votes,
)
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.dossier import Dossier, VoteRecord
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import APPROVING_VOTES, ReadinessVote
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, ROLES, SOCRATES, Phase

Vote = tuple[bool, float]
"""Whether an agent approves, and its confidence."""


def _read_design_vote(dossier: Dossier, agent: str) -> Vote | None:
    seed = dossier.find_latest_deliverable(SeedDocument, agent)
    return None if seed is None else (bool(seed.category_match.strip()), seed.confidence)


def _read_physics_vote(dossier: Dossier, agent: str) -> Vote | None:
    report = dossier.find_latest_deliverable(PhysicsReport, agent)
    return None if report is None else (report.feasibility != "INVALID", report.confidence)


def _read_mathematics_vote(dossier: Dossier, agent: str) -> Vote | None:
    report = dossier.find_latest_deliverable(MathematicsReport, agent)
    if report is None:
        return None
    approves = (
        report.dimensional_analysis == "CONSISTENT"
        and not report.corrections_needed
        and all(claim.verdict == "VALID" for claim in report.claims)
    )
    return approves, report.confidence


def _read_grounding_vote(dossier: Dossier, agent: str) -> Vote | None:
    report = dossier.find_latest_deliverable(GroundingReport, agent)
    return None if report is None else (not report.validity_concerns, report.confidence)


def _read_classification_vote(dossier: Dossier, agent: str) -> Vote | None:
    report = dossier.find_latest_deliverable(ClassificationReport, agent)
    return None if report is None else (report.ethics.status != "FAIL", report.confidence)


def _read_readiness_vote(dossier: Dossier, agent: str) -> Vote | None:
    vote = dossier.find_latest_deliverable(ReadinessVote, agent)
    return None if vote is None else (vote.vote in APPROVING_VOTES, vote.confidence)


VOTERS: Final[Mapping[Phase, Mapping[str, Callable[[Dossier, str], Vote | None]]]] = {
    Phase.SEED: {ATHENA: _read_design_vote},
    Phase.VALIDATE: {NEWTON: _read_physics_vote, EULER: _read_mathematics_vote},
    Phase.GROUND: {GALILEO: _read_grounding_vote},
    Phase.CLASSIFY: {SOCRATES: _read_classification_vote},
    Phase.REFINE: dict.fromkeys(ROLES, _read_readiness_vote),
    Phase.DOCUMENT: {},
}
"""Who votes at which gate, and where the vote is read. In DOCUMENT nothing is judged any more."""


def count_votes_to_advance(dossier: Dossier, phase: Phase) -> VoteRecord | None:
    """Count the votes of a phase's agents. Return None if no agent has voted."""
    votes = {
        agent: vote for agent, read in VOTERS[phase].items() if (vote := read(dossier, agent)) is not None
    }
    if not votes:
        return None
    positions = {agent: APPROVED if approves else REJECTED for agent, (approves, _) in votes.items()}
    confidences = {agent: confidence for agent, (_, confidence) in votes.items()}
    tally = tally_votes(positions, REQUIRED[ConsensusDecision.ADVANCEMENT], confidences=confidences)
    return VoteRecord(
        decision=str(ConsensusDecision.ADVANCEMENT),
        subject=str(phase),
        level=str(tally.level),
        positions=positions,
        confidences=confidences,
        needed=tally.needed,
        winner=tally.winner,
        unsure=tally.unsure if tally.is_decided_by_unsure_votes else (),
    )
