"""The confirmation of a veto that no revision lifted: unanimous among those who may judge it (1.4)."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.consensus_engine import (
    REQUIRED,
    ConsensusDecision,
    VoteTally,
    tally_votes,
)
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.protocols.dispute_panel import add_private_notes
from impossible_moments.agents.orchestrator.protocols.veto_validity import RaisedVeto, format_veto
from impossible_moments.domain.disputes import Ballot
from impossible_moments.domain.dossier import AgentNote, Dossier


def request_veto_confirmation(
    desk: AskDesk, dossier: Dossier, raised_veto: RaisedVeto, voters: tuple[str, ...]
) -> Flow[tuple[Dossier, VoteTally]]:
    """Ask voters whether a veto is right, and count their votes with the vetoing agent's own."""
    ballots: dict[str, Ballot] = {}
    if voters:
        notes = (AgentNote(voter, format_veto(raised_veto.veto), raised_veto.phase) for voter in voters)
        task = (
            f"{raised_veto.raised_by} vetoes the scenario, and no revision has lifted the veto. Your notes contain it. Vote "
            "CHALLENGER if the veto is right, CHALLENGED if the vetoed claim is right, or ABSTAIN."
        )
        ballots = yield from desk.ask_agents(
            add_private_notes(dossier, *notes),
            voters,
            raised_veto.phase,
            "veto-confirmation",
            dict.fromkeys(voters, task),
            Ballot,
        )
        for voter in voters:
            dossier = dossier.add_deliverable(raised_veto.phase, voter, ballots[voter])
    votes = {voter: str(each.choice) for voter, each in ballots.items()}
    confidences = {voter: each.confidence for voter, each in ballots.items()}
    tally = tally_votes(
        {raised_veto.raised_by: "CHALLENGER", **votes},
        REQUIRED[ConsensusDecision.VETO_CONFIRMATION],
        confidences={raised_veto.raised_by: raised_veto.confidence, **confidences},
    )
    return dossier, tally


def is_veto_confirmed(tally: VoteTally) -> bool:
    """Return whether all votes confirm the veto, and not only those of unsure agents."""
    return tally.winner == "CHALLENGER" and not tally.is_decided_by_unsure_votes
