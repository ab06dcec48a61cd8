"""Who is informed of a veto: agents that may read the matter get the veto, all others only that work is halted."""

from __future__ import annotations

from dataclasses import dataclass

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.protocols.dispute_panel import (
    DisputePanel,
    list_labels_agent_may_reveal,
    may_read,
)
from impossible_moments.agents.orchestrator.protocols.veto_validity import RaisedVeto, format_veto
from impossible_moments.domain.dossier import AgentNote, Dossier
from impossible_moments.domain.vocabulary import ATHENA


@dataclass(frozen=True, slots=True)
class VetoAudience:
    """The agents besides the vetoing one, divided by what they may read of a veto."""

    readers: tuple[str, ...]
    others: tuple[str, ...]


def select_veto_audience(desk: AskDesk, raised_veto: RaisedVeto, panel: DisputePanel) -> VetoAudience:
    """Divide the agents by whether they may read what the vetoing agent and ATHENA reveal.

    ATHENA is always a reader: a veto is addressed to it.
    """
    labels = list_labels_agent_may_reveal(raised_veto.raised_by) | list_labels_agent_may_reveal(ATHENA)
    agents = [agent for agent in panel.agents if agent != raised_veto.raised_by]
    readers = tuple(
        agent
        for agent in agents
        if agent == ATHENA or may_read(desk, agent, phase=raised_veto.phase, labels=labels)
    )
    return VetoAudience(readers, tuple(agent for agent in agents if agent not in readers))


def announce_halt(dossier: Dossier, raised_veto: RaisedVeto, audience: VetoAudience) -> Dossier:
    """Return the dossier with the notices that a veto halts the scenario."""
    phase = raised_veto.phase
    full = f"{raised_veto.raised_by} halts the scenario in {phase}.\n{format_veto(raised_veto.veto)}"
    short = f"Work on this scenario is halted in {phase}."
    return dossier.add_notices(
        (
            *(AgentNote(agent, full, phase) for agent in audience.readers),
            *(AgentNote(agent, short, phase) for agent in audience.others),
        )
    )


def announce_end(
    dossier: Dossier, raised_veto: RaisedVeto, audience: VetoAudience, end: str, *, is_lifted: bool
) -> Dossier:
    """Return the dossier with the notices of how a veto ended. Others learn only that the halt is lifted."""
    phase = raised_veto.phase
    full = f"The veto of {raised_veto.raised_by} in {phase} ended {end}"
    others = audience.others if is_lifted else ()
    return dossier.add_notices(
        (
            *(AgentNote(agent, full, phase) for agent in audience.readers),
            *(AgentNote(agent, f"The halt in {phase} is lifted.", phase) for agent in others),
        )
    )
