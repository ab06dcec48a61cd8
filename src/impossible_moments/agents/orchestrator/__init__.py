"""The orchestrator: a deterministic program that leads agents through the six phases by fixed rules."""

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.configuration import Configuration, load_configuration
from impossible_moments.agents.orchestrator.context.isolation_matrix import ISOLATION_MATRIX
from impossible_moments.agents.orchestrator.context.token_budgets import split_message_body
from impossible_moments.agents.orchestrator.document_builder import build_documents
from impossible_moments.agents.orchestrator.flow import Ask, Flow
from impossible_moments.agents.orchestrator.gates.applicability import (
    DEPARTURES,
    GateDeparture,
    describe_applicability,
)
from impossible_moments.agents.orchestrator.gates.checks.seed_checks import extract_seed_essence
from impossible_moments.agents.orchestrator.gates.gate_case import Reader
from impossible_moments.agents.orchestrator.protocols import (
    breakthrough_protocol,
    challenge_protocol,
    escalation_protocol,
    veto_protocol,
)
from impossible_moments.agents.orchestrator.quality_gates import PHASE_GATES
from impossible_moments.agents.orchestrator.rules import build_scenario_rules
from impossible_moments.agents.orchestrator.scenario_content import collect_scenario_content

__all__ = [
    "DEPARTURES",
    "ISOLATION_MATRIX",
    "PHASE_GATES",
    "Ask",
    "AskDesk",
    "Configuration",
    "Flow",
    "GateDeparture",
    "Reader",
    "breakthrough_protocol",
    "build_documents",
    "build_scenario_rules",
    "challenge_protocol",
    "collect_scenario_content",
    "describe_applicability",
    "escalation_protocol",
    "extract_seed_essence",
    "load_configuration",
    "split_message_body",
    "veto_protocol",
]
