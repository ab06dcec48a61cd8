"""The work of agents beyond the five before REFINE: each hands in a report that nobody else reads before the reveal."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.rules import Rules
from impossible_moments.domain.dossier import Disagreement, Dossier
from impossible_moments.domain.further import FURTHER_REPORTS, FurtherReport
from impossible_moments.domain.vocabulary import ROLES, Phase

# The same for every status: in CLASSIFY a further agent must learn as little as SOCRATES does.
TASK: Final = (
    "Judge what you are shown from your own perspective, and hand in your findings with your confidence."
)


def further_reports(rules: Rules, dossier: Dossier, phase: Phase) -> Flow[Dossier]:
    """Ask the further agents of a phase, all at once, and file what they hand in."""
    agents = tuple(agent for agent in rules.agents_in(phase) if agent not in ROLES)
    if not agents:
        return dossier
    tasks = dict.fromkeys(agents, TASK)
    reports = yield from rules.desk.ask_all(dossier, agents, phase, "report", tasks, FURTHER_REPORTS[phase])
    for agent, report in reports.items():
        dossier = _doubted(rules, dossier.file(phase, agent, report), agent, report)
    return dossier


def _doubted(rules: Rules, dossier: Dossier, agent: str, report: FurtherReport) -> Dossier:
    """A confidence under the agent's threshold is logged; a gate waits for more only where a row of it says so."""
    needed = rules.judging.limits.confidence_of(agent)
    if report.confidence >= needed:
        return dossier
    text = f"the confidence is {report.confidence:.2f}, and {needed:g} is expected"
    line = Disagreement(f"{agent} is unsure", (agent,), "logged", text, "confidence")
    return replace(dossier, disagreements=(*dossier.disagreements, line))
