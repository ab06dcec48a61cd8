"""The agent trace archive: each agent's own account, in the seven parts of the specification's form."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.vocabulary import ROLES
from impossible_moments.scenarios import AgentVersion, join_paragraphs, render_bullet_list, render_table

NONE = "none"


def render_trace_archive(case: FinishedCase) -> str:
    """Render the traces of all agents, the five roles first."""
    traces = case.dossier.find_latest_deliverable_by_author(AgentTrace)
    order = (*ROLES, *sorted(set(traces) - set(ROLES)))
    sections = [
        _render_agent_trace(agent, traces[agent], case.metadata.agent_versions.get(agent, AgentVersion()))
        if agent in traces
        else join_paragraphs(f"### AGENT TRACE: {agent}", "No trace was handed in.")
        for agent in order
    ]
    return join_paragraphs(*sections)


def _render_agent_trace(agent: str, trace: AgentTrace, version: AgentVersion) -> str:
    role = [f"What I was asked to do: {trace.asked_to}", f"What I found: {trace.found}"]
    role += [f"Why there was nothing to contribute: {trace.justification}"] if trace.justification else []
    decisions = [
        f"Decision {at}: {each.description} | Confidence: {each.confidence:g}"
        for at, each in enumerate(trace.decisions, 1)
    ]
    disagreements = list(trace.disagreements)
    if trace.resolution_confidence is not None:
        disagreements.append(
            f"My confidence that the resolution was correct: {trace.resolution_confidence:g}"
        )
    confidence = [
        f"My overall confidence in the scenario: {trace.overall_confidence:g}",
        f"Dimension where I am least confident: {trace.least_confident}",
        f"What would increase my confidence: {trace.would_increase}",
    ]
    parts = {
        "1. MY ROLE IN THIS SCENARIO": role,
        "2. KEY DECISIONS": decisions,
        "3. CHALLENGES ISSUED": trace.challenges_issued,
        "4. CHALLENGES RECEIVED": trace.challenges_received,
        "5. DISAGREEMENTS": disagreements,
        "6. CONFIDENCE SUMMARY": confidence,
        "7. VERSION INFO": format_version_lines(version),
    }
    sections = [
        join_paragraphs(f"#### {title}", render_bullet_list(lines, empty_text=NONE))
        for title, lines in parts.items()
    ]
    if version.look_ups:
        sections.append(join_paragraphs("#### LOOK-UPS", _render_look_ups(version)))
    return join_paragraphs(f"### AGENT TRACE: {agent}", *sections)


def _render_look_ups(version: AgentVersion) -> str:
    rows = ((each.phase, each.tool, each.arguments, each.result) for each in version.look_ups)
    return render_table(("Phase", "Tool", "Arguments", "Result"), rows)


def format_version_lines(version: AgentVersion) -> list[str]:
    """Return the lines with an agent's model, prompt version, tokens and context usage."""
    return [
        f"Model: {version.model or 'not recorded'}",
        f"System prompt version: {version.prompt or 'not recorded'}",
        f"Tokens consumed: {'not recorded' if version.tokens is None else version.tokens}",
        f"Context window usage: {'not recorded' if version.peak_context is None else f'{version.peak_context:.0%}'}",
    ]
