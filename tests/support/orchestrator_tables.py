"""The tables of docs/orchestrator.md, generated from the code.

PYTHONPATH=tests python -m support.orchestrator_tables    # write the tables into the page
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from typer.testing import CliRunner

from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.configuration_rules import OPEN_TO_FURTHER_AGENTS
from impossible_moments.agents.orchestrator.conflicts.domain_authority import AUTHORITY
from impossible_moments.agents.orchestrator.consensus_engine import REQUIRED, count_needed_votes
from impossible_moments.agents.orchestrator.context.isolation_matrix import ISOLATION_MATRIX
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.gates.applicability import DEPARTURES, GateDeparture
from impossible_moments.agents.orchestrator.message_rules import CONSEQUENCES, PRESENTED, ROUTES, RULES
from impossible_moments.agents.orchestrator.orchestrator import create_scenario
from impossible_moments.agents.orchestrator.protocols import (
    breakthrough_protocol,
    challenge_protocol,
    escalation_protocol,
    veto_protocol,
)
from impossible_moments.agents.orchestrator.protocols.escalation_protocol import EscalationTrigger
from impossible_moments.agents.orchestrator.quality_gates import build_specified_gates
from impossible_moments.agents.orchestrator.rules import build_scenario_rules
from impossible_moments.agents.scripted_players import build_scripted_player, run_flow_with_player
from impossible_moments.cli.main import app
from impossible_moments.domain.additional_agent_reports import FURTHER_REPORTS
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.vocabulary import CATEGORIES, GALILEO, ROLES, STATUSES, Phase
from impossible_moments.ledger.leases import ScenarioState
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.scenarios.markdown import render_table
from impossible_moments.scenarios.similarity.embedding import TfidfEmbedder
from support.dossiers import BRIEF, make_full_dossier
from support.played_scenarios import run_scenario
from support.scripted_runs import build_veto, change_fields, make_obliging_player

PAGE: Final = Path(__file__).parents[2] / "docs/orchestrator.md"
PLACE: Final = re.compile(r"(<!-- table: (\w+) -->\n).*?(\n<!-- end -->)", re.DOTALL)


def render_phases() -> str:
    """Render the deliverables of each phase in a run without revisions, and the agents that are asked for them."""
    entries = make_full_dossier(Phase.DOCUMENT).entries
    answers = {(entry.author, type(entry.deliverable)): entry.deliverable for entry in entries}
    asks: list[Ask] = []
    run_flow_with_player(
        create_scenario(
            BRIEF, build_scenario_rules(load_configuration(), load_everyday_library(), TfidfEmbedder())
        ),
        build_scripted_player(answers),
        asks,
    )
    rows: dict[tuple[str, str], list[str]] = {}
    for ask in asks:
        rows.setdefault((ask.assignment.phase, ask.returns.__name__), []).append(ask.agent)
    return render_table(
        ("Phase", "Deliverable", "Agent"),
        ((phase, f"`{name}`", _format_agents(agents)) for (phase, name), agents in rows.items()),
    )


def render_isolation_matrix() -> str:
    """Render the isolation matrix: which agent may read which content in which phase."""
    return render_table(
        ("Content", *Phase),
        ((content, *map(_format_agents, row.values())) for content, row in ISOLATION_MATRIX.items()),
    )


def render_gates() -> str:
    """Render the criteria of the six gates."""
    return render_table(
        ("Gate", "Criterion", "Required", "Checked by"),
        (
            (phase, row.name, row.required, row.method)
            for phase, gate in build_specified_gates().items()
            for row in gate.criteria
        ),
    )


def render_departures() -> str:
    """Render the criteria that are different for some scenarios."""
    return render_table(
        ("Gate", "Criterion", "Scenarios", "Rule"),
        ((each.phase, each.criterion, _format_circumstances(each), each) for each in DEPARTURES),
    )


def render_consensus() -> str:
    """Render the votes that a decision needs, with five voters and with six."""
    return render_table(
        ("Decision", "Level", "Votes needed of 5", "Votes needed of 6"),
        (
            (decision, level, count_needed_votes(level, 5), count_needed_votes(level, 6))
            for decision, level in REQUIRED.items()
        ),
    )


def render_authority() -> str:
    """Render the authority of each domain, and how it can be overridden."""
    return render_table(
        ("Domain", "Authority", "Overridden by", "With evidence of kind"),
        (
            (
                row.name,
                row.prevails,
                (" and " if row.override.jointly else " or ").join(row.override.agents),
                " or ".join(sorted(row.override.evidence_kinds)),
            )
            for row in AUTHORITY.values()
        ),
    )


def render_protocols() -> str:
    """Render the state transitions of the four protocols."""
    return render_table(
        ("Protocol", "State", "Event", "Next"),
        (
            *(("challenge", *step, after) for step, after in challenge_protocol.TRANSITIONS.items()),
            *(("veto", *step, after) for step, after in veto_protocol.TRANSITIONS.items()),
            *(("breakthrough", *step, after) for step, after in breakthrough_protocol.TRANSITIONS.items()),
            *(("escalation", *step, after) for step, after in escalation_protocol.TRANSITIONS.items()),
        ),
    )


def render_triggers() -> str:
    """Render the reasons for which a human is asked."""
    return "\n".join(f"- {trigger}" for trigger in EscalationTrigger)


def render_states() -> str:
    """Render the states of a scenario."""
    return ", ".join(f"*{state}*" for state in ScenarioState)


def render_settings() -> str:
    """Render the settings of the packaged configuration."""
    found = load_configuration()
    rows: list[tuple[str, object]] = [
        (f"`{part}.{name}`", value)
        for part, values in (("gates", found.gates), ("limits", found.limits))
        for name, value in values.model_dump().items()
        if not isinstance(value, dict)
    ]
    return render_table(("Setting", "Specified value, which is also the least strict one allowed"), rows)


def render_extension() -> str:
    """Render the phases in which an additional agent may work, and its deliverables."""
    return render_table(
        ("Phase", "Deliverable of an additional agent"),
        (
            (
                phase,
                f"`{FURTHER_REPORTS[phase].__name__}`"
                if phase in FURTHER_REPORTS
                else "the deliverables of the core agents",
            )
            for phase in OPEN_TO_FURTHER_AGENTS
        ),
    )


def render_routes() -> str:
    """Render the message types: who sends each, and to whom the orchestrator passes it on."""
    return render_table(
        ("Type", "Purpose", "Sent by", "Passed on to"),
        (
            (
                kind,
                route.purpose,
                ", ".join(route.senders),
                ", ".join((*route.passed_on_to, *PRESENTED.get(kind, ()))) or "—",
            )
            for kind, route in ROUTES.items()
        ),
    )


def render_message_rules() -> str:
    """Render the rules of communication, and what happens to a message that breaks one."""
    return render_table(
        ("Rule", "A message that breaks it is"),
        (
            (str(rule.__doc__).removeprefix("Check ").split(". ")[0].rstrip("."), CONSEQUENCES[rule])
            for rule in RULES
        ),
    )


def render_message_excerpt() -> str:
    """Render the start of a timeline, and the challenges and vetoes of its run."""
    player = change_fields(make_obliging_player(), GALILEO, ReviewMemo, times=1, vetoes=(build_veto(),))
    with TemporaryDirectory() as folder:
        run_scenario(Path(folder), player)
        every = show_messages_of_run(folder)
        vetoes, challenges = (show_messages_of_run(folder, "--type", kind) for kind in ("VETO", "CHALLENGE"))
    blocks = (*every[:6], *vetoes[1:-1], *challenges[1:-1], every[-1])
    return "```text\n" + "\n\n".join(blocks) + "\n```"


def show_messages_of_run(folder: str, *options: str) -> list[str]:
    """Return the blocks that `im show messages` prints."""
    command = ["show", "messages", BRIEF.scenario_id, "--folder", folder, *options]
    return CliRunner().invoke(app, command, catch_exceptions=False).stdout.strip().split("\n\n")


TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "phases": render_phases,
    "matrix": render_isolation_matrix,
    "gates": render_gates,
    "departures": render_departures,
    "consensus": render_consensus,
    "authority": render_authority,
    "protocols": render_protocols,
    "triggers": render_triggers,
    "states": render_states,
    "routes": render_routes,
    "message_rules": render_message_rules,
    "message_excerpt": render_message_excerpt,
    "settings": render_settings,
    "extension": render_extension,
}


def renew_tables(page: str) -> str:
    """Return the page with every table replaced by its current content."""
    return PLACE.sub(lambda found: f"{found[1]}{TABLES[found[2]]().strip()}{found[3]}", page)


def _format_agents(agents: Iterable[str]) -> str:
    named = set(agents)
    if named == set(ROLES):
        return "all"
    return ", ".join(role for role in ROLES if role in named) or "—"


def _format_circumstances(each: GateDeparture) -> str:
    parts = [] if each.statuses == STATUSES else [", ".join(each.statuses)]
    parts += [] if each.categories == CATEGORIES else [", ".join(each.categories)]
    parts += [] if each.where is None else [f"where {each.where.words}"]
    return "; ".join(parts) or "all"


if __name__ == "__main__":
    PAGE.write_text(renew_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
