"""The agent trace archive: the seven parts of the specification's form for each agent.

An agent hands in its judgement. Requests, challenges and disagreements come from the dossier, versions from the ledger.
"""

from __future__ import annotations

from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.trace_parts.agent_requests import list_agent_requests
from impossible_moments.agents.orchestrator.documents.trace_parts.dispute_history import (
    iterate_challenges_issued,
    iterate_challenges_received,
    iterate_disagreements,
)
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.vocabulary import ROLES
from impossible_moments.scenarios import AgentVersion, join_paragraphs, render_bullet_list, render_table

NONE = "none"


def render_trace_archive(case: FinishedCase) -> str:
    """Render the traces of all agents, the five roles first."""
    traces = case.dossier.find_latest_deliverable_by_author(AgentTrace)
    order = (*ROLES, *sorted(set(traces) - set(ROLES)))
    sections = [
        _render_agent_trace(case, agent, traces[agent])
        if agent in traces
        else join_paragraphs(f"### AGENT TRACE: {agent}", "No trace was handed in.")
        for agent in order
    ]
    return join_paragraphs(*sections)


def _render_agent_trace(case: FinishedCase, agent: str, trace: AgentTrace) -> str:
    version = case.metadata.agent_versions.get(agent, AgentVersion())
    parts = {
        "1. MY ROLE IN THIS SCENARIO": _list_role_lines(case, agent, trace),
        "2. KEY DECISIONS": [
            f"Decision {at}: {each.description} | Confidence: {each.confidence:g}"
            for at, each in enumerate(trace.decisions, 1)
        ],
        "3. CHALLENGES ISSUED": list(iterate_challenges_issued(case.dossier, agent)),
        "4. CHALLENGES RECEIVED": list(iterate_challenges_received(case.dossier, agent)),
        "5. DISAGREEMENTS": _list_disagreement_lines(case, agent, trace),
        "6. CONFIDENCE SUMMARY": [
            f"My overall confidence in the scenario: {trace.overall_confidence:g}",
            f"Dimension where I am least confident: {trace.least_confident}",
            f"What would increase my confidence: {trace.would_increase}",
        ],
        "7. VERSION INFO": format_version_lines(version),
    }
    sections = [
        join_paragraphs(f"#### {title}", render_bullet_list(lines, empty_text=NONE))
        for title, lines in parts.items()
    ]
    if version.look_ups:
        sections.append(join_paragraphs("#### LOOK-UPS", _render_look_ups(version)))
    return join_paragraphs(f"### AGENT TRACE: {agent}", f"Scenario: {case.metadata.scenario_id}", *sections)


def _list_role_lines(case: FinishedCase, agent: str, trace: AgentTrace) -> list[str]:
    lines = [f"What I was asked to do in {request}" for request in list_agent_requests(case.dossier, agent)]
    lines.append(f"What I found: {trace.found}")
    if trace.justification:
        lines.append(f"Why there was nothing to contribute: {trace.justification}")
    lines += [
        f"Point {each.point}, which I answer with this trace: {each.answer}. {each.reason}"
        for each in trace.answers
    ]
    return lines


def _list_disagreement_lines(case: FinishedCase, agent: str, trace: AgentTrace) -> list[str]:
    lines = list(iterate_disagreements(case.dossier, agent))
    if lines:
        confidence = trace.resolution_confidence
        stated = "not stated by the agent" if confidence is None else f"{confidence:g}"
        lines.append(f"My confidence that the resolution was correct: {stated}")
    return lines


def _render_look_ups(version: AgentVersion) -> str:
    rows = ((each.phase, each.tool, each.arguments, each.result) for each in version.look_ups)
    return render_table(("Phase", "Tool", "Arguments", "Result"), rows)


def format_version_lines(version: AgentVersion) -> list[str]:
    """Return the lines with an agent's model, prompt version, tokens, calls, money and context usage."""
    why = f"not recorded ({version.missing})" if version.missing else "not recorded"
    program = " (a program: it reads no prompt and consumes no tokens)" if version.is_program else ""
    return [
        f"Model: {version.model or why}{program}",
        f"System prompt version: {version.prompt or ('none' if program else why)}",
        f"Calls: {why if version.calls is None else version.calls}",
        f"Tokens consumed: {why if version.tokens is None else version.tokens}",
        f"Cost: {why if version.cost is None else f'{version.cost:.4f} USD'}",
        f"Context window usage: {why if version.peak_context is None else f'{version.peak_context:.0%}'}",
    ]
