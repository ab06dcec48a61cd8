"""Phase 6: every agent's trace, and the documents. No judgement takes place here."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.document_builder import build_documents
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.phases.phase_runner import PhaseSpec
from impossible_moments.agents.orchestrator.rules import ScenarioRules
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import Phase
from impossible_moments.scenarios import ScenarioDocuments

TASK = (
    "Hand in your trace: what you were asked and found, your key decisions with confidence, challenges issued and received, "
    "remaining disagreements, your overall confidence, where you are least confident, and what would raise it. If nothing "
    "was yours to contribute, say `No contribution required` and why."
)


def run_document_phase(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    """Ask for the traces of all agents that have none or have a note addressed to them."""
    have = dossier.find_deliverable_of_phase_by_author(AgentTrace, Phase.DOCUMENT)
    agents = tuple(
        agent
        for agent in rules.list_agents_in_phase(Phase.DOCUMENT)
        if agent not in have or dossier.list_notes_for(agent)
    )
    if not agents:
        return dossier
    traces = yield from rules.desk.ask_agents(
        dossier, agents, Phase.DOCUMENT, "trace", dict.fromkeys(agents, TASK), AgentTrace
    )
    for agent, trace in traces.items():
        dossier = dossier.add_deliverable(Phase.DOCUMENT, agent, trace)
    return dossier


def assemble_documents(rules: ScenarioRules, dossier: Dossier) -> ScenarioDocuments:
    """Return the documents of the newest dossier, built once for a dossier whatever notes it carries."""
    return rules.drafts.get_documents(
        dossier, lambda read: build_documents(read, rules.library, prompts=rules.configuration.prompts)
    )


DOCUMENT = PhaseSpec(Phase.DOCUMENT, run_document_phase, assemble_documents)
