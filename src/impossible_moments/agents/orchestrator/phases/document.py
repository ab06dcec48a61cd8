"""Phase 6: every agent's trace, and the documents. No judgement takes place here."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.document_builder import build
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.phases.phase import PhaseSpec, done_in
from impossible_moments.agents.orchestrator.rules import Rules
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.tracing import AgentTrace
from impossible_moments.domain.vocabulary import Phase
from impossible_moments.scenarios.documents import Documents

TASK = (
    "Hand in your trace: what you were asked and found, your key decisions with confidence, challenges issued and received, "
    "remaining disagreements, your overall confidence, where you are least confident, and what would raise it. If nothing "
    "was yours to contribute, say `No contribution required` and why."
)


def document(rules: Rules, dossier: Dossier) -> Flow[Dossier]:
    """Ask for the traces of all agents that have none or have a note addressed to them."""
    have = done_in(dossier, AgentTrace, Phase.DOCUMENT)
    agents = tuple(
        agent for agent in rules.agents_in(Phase.DOCUMENT) if agent not in have or dossier.notes_for(agent)
    )
    if not agents:
        return dossier
    traces = yield from rules.desk.ask_all(
        dossier, agents, Phase.DOCUMENT, "trace", dict.fromkeys(agents, TASK), AgentTrace
    )
    for agent, trace in traces.items():
        dossier = dossier.file(Phase.DOCUMENT, agent, trace)
    return dossier


def assemble(rules: Rules, dossier: Dossier) -> Documents:
    """Return the documents of the newest dossier, built once for a dossier whatever notes it carries."""
    return rules.drafts.of(
        dossier, lambda read: build(read, rules.library, prompts=rules.configuration.prompts)
    )


DOCUMENT = PhaseSpec(Phase.DOCUMENT, document, assemble)
