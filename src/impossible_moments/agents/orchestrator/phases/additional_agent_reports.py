"""Reports of additional agents before REFINE, which no other agent reads before the reveal.

The changes that they require become revision demands to ATHENA when REFINE begins.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.rules import ScenarioRules
from impossible_moments.domain.additional_agent_reports import FURTHER_REPORTS, FurtherReport
from impossible_moments.domain.dossier import AgentNote, DisagreementLogEntry, Dossier, RevisionDemand
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.vocabulary import ATHENA, ROLES, Phase

# The same for every status: in CLASSIFY an additional agent must learn as little as SOCRATES does.
TASK: Final = (
    "Judge what you are shown from your own perspective, and hand in your findings with your confidence."
)


def collect_additional_agent_reports(rules: ScenarioRules, dossier: Dossier, phase: Phase) -> Flow[Dossier]:
    """Ask the additional agents of a phase, all at once, and file their reports."""
    agents = tuple(agent for agent in rules.list_agents_in_phase(phase) if agent not in ROLES)
    if not agents:
        return dossier
    tasks = dict.fromkeys(agents, TASK)
    reports = yield from rules.desk.ask_agents(
        dossier, agents, phase, "report", tasks, FURTHER_REPORTS[phase]
    )
    for agent, report in reports.items():
        dossier = _log_low_confidence(rules, dossier.add_deliverable(phase, agent, report), agent, report)
    return dossier


def add_required_changes_to_notes(dossier: Dossier) -> Dossier:
    """Return the dossier with a note to ATHENA for each change that an additional agent requires.

    The changes are demanded once, when REFINE begins. Later the agents judge the revised scenario themselves.
    """
    if dossier.find_deliverable_of_phase_by_author(ReviewMemo, Phase.REFINE):
        return dossier
    notes = [
        AgentNote(
            ATHENA,
            f"{agent} requires a change: {change.text}",
            Phase.REFINE,
            author=agent,
            demand=RevisionDemand(agent, change.text),
        )
        for phase, kind in FURTHER_REPORTS.items()
        for agent, report in sorted(dossier.find_deliverable_of_phase_by_author(kind, phase).items())
        for change in report.required_changes
        if change.applies_at(dossier.brief.difficulty_tier)
    ]
    return dossier.replace_notes((*dossier.notes, *notes)) if notes else dossier


def _log_low_confidence(rules: ScenarioRules, dossier: Dossier, agent: str, report: FurtherReport) -> Dossier:
    """Log a confidence below the agent's threshold.

    A gate waits for a higher one only if one of its criteria demands it.
    """
    threshold = rules.gate_resources.limits.get_confidence_threshold(agent)
    if report.confidence >= threshold:
        return dossier
    text = f"the confidence is {report.confidence:.2f}, and {threshold:g} is expected"
    line = DisagreementLogEntry(f"{agent} is unsure", (agent,), "logged", text, "confidence")
    return replace(dossier, disagreements=(*dossier.disagreements, line))
