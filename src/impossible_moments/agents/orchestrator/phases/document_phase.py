"""Phase 6: every agent's trace, and the documents. Only a corrected text is judged here, as in REFINE."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.document_builder import build_documents
from impossible_moments.agents.orchestrator.documents.trace_parts.dispute_history import iterate_disagreements
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.gates.checks.document_checks import TRACE
from impossible_moments.agents.orchestrator.open_points import build_adoption_notes, describe_points_for
from impossible_moments.agents.orchestrator.phases.phase_runner import PhaseSpec
from impossible_moments.agents.orchestrator.phases.refine_phase import run_refine_phase
from impossible_moments.agents.orchestrator.phases.validate_phase import request_revision, run_validation
from impossible_moments.agents.orchestrator.protocols.dispute_panel import add_private_notes
from impossible_moments.agents.orchestrator.rules import ScenarioRules
from impossible_moments.agents.orchestrator.seed_changes import is_expired
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.dossier import AgentNote, Dossier
from impossible_moments.domain.refinement import ReadinessVote
from impossible_moments.domain.vocabulary import ATHENA, Phase
from impossible_moments.scenarios import ScenarioDocuments

TASK = (
    "Hand in your trace: what you found, your key decisions with a confidence for each, your overall confidence, where you "
    "are least confident, and what would raise it. Your requests, challenges and disagreements are added from the record of "
    "the run; if your notes list disputes, state your confidence that they were resolved correctly. If nothing was yours to "
    "contribute, say `No contribution required` and why."
)
POINTS = " Answer each entry of `open_points` in `answers`."


def run_document_phase(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    """Collect the traces. If ATHENA adopts a point in its trace, it revises, and the traces are collected again."""
    dossier = yield from _collect_traces(rules, dossier)
    revised = yield from _revise_for_adopted_points(rules, dossier)
    return revised if revised is dossier else (yield from _collect_traces(rules, revised))


def _collect_traces(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    """Correct the text if the gate demands it, then ask for the traces that are missing or criticised."""
    if any(map(_demands_revision, dossier.notes)):
        dossier = yield from _correct_text(rules, dossier)
    if is_expired(dossier, ReadinessVote):
        dossier = yield from run_refine_phase(rules, dossier)  # no agent has voted on the corrected scenario
    have = dossier.find_deliverable_of_phase_by_author(AgentTrace, Phase.DOCUMENT)
    agents = tuple(
        agent
        for agent in rules.list_agents_in_phase(Phase.DOCUMENT)
        if agent not in have or dossier.list_notes_for(agent)
    )
    if not agents:
        return dossier
    disputes = (note for agent in agents for note in _list_dispute_notes(dossier, agent))
    traces = yield from rules.desk.ask_agents(
        add_private_notes(dossier, *disputes),
        agents,
        Phase.DOCUMENT,
        "trace",
        {agent: TASK + POINTS if describe_points_for(dossier, agent) else TASK for agent in agents},
        AgentTrace,
    )
    for agent, trace in traces.items():
        dossier = dossier.add_deliverable(Phase.DOCUMENT, agent, trace)
    return dossier


def _revise_for_adopted_points(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    """Let ATHENA make the changes that its trace adopts, and the agents vote on the changed scenario."""
    trace = dossier.find_latest_deliverable(AgentTrace, ATHENA)
    notes = build_adoption_notes(dossier, trace.answers, Phase.DOCUMENT) if trace is not None else ()
    if not notes:
        return dossier
    dossier = yield from _correct_text(rules, dossier.replace_notes((*dossier.notes, *notes)))
    return (yield from run_refine_phase(rules, dossier)) if is_expired(dossier, ReadinessVote) else dossier


def _demands_revision(note: AgentNote) -> bool:
    """Return whether ATHENA has to revise: an owed revision, or a demand of a gate that is not about its trace.

    Such a demand comes from this phase's gate, or from an earlier one that a revision has reopened.
    """
    return note.addressee == ATHENA and (
        note.owed or (note.demand is not None and note.demand.subject != TRACE)
    )


def _correct_text(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    """Let ATHENA correct the text that solvers read, and both validators judge the corrected scenario.

    The validators are asked with the context and the budget of VALIDATE, which hold both reports in full.
    """
    dossier = yield from request_revision(rules, dossier, Phase.DOCUMENT)
    dossier = dossier.replace_notes(note for note in dossier.notes if not _demands_revision(note))
    return (yield from run_validation(rules, dossier, Phase.VALIDATE))


def _list_dispute_notes(dossier: Dossier, agent: str) -> tuple[AgentNote, ...]:
    """Return a note for each disagreement of an agent, which its trace will print."""
    return tuple(
        AgentNote(agent, f"Dispute: {text}", Phase.DOCUMENT) for text in iterate_disagreements(dossier, agent)
    )


def assemble_documents(rules: ScenarioRules, dossier: Dossier) -> ScenarioDocuments:
    """Return the documents of the newest dossier, built once for a dossier whatever notes it carries."""
    return rules.drafts.get_documents(
        dossier, lambda read: build_documents(read, rules.library, prompts=rules.configuration.prompts)
    )


DOCUMENT = PhaseSpec(Phase.DOCUMENT, run_document_phase, assemble_documents)
