"""The orchestrator: a deterministic program that leads agents through the six phases by fixed rules."""

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.brief_fulfilment import judge_brief_fulfilment
from impossible_moments.agents.orchestrator.configuration import (
    Configuration,
    identify_settings,
    load_configuration,
)
from impossible_moments.agents.orchestrator.context.isolation_matrix import ISOLATION_MATRIX
from impossible_moments.agents.orchestrator.context.readership import VisiblePart, list_visible_parts
from impossible_moments.agents.orchestrator.context.token_budgets import split_message_body
from impossible_moments.agents.orchestrator.document_builder import build_documents
from impossible_moments.agents.orchestrator.flow import Ask, Assignment, Flow
from impossible_moments.agents.orchestrator.gates.applicability import (
    DEPARTURES,
    GateDeparture,
    describe_applicability,
)
from impossible_moments.agents.orchestrator.gates.checks.seed_checks import extract_seed_essence
from impossible_moments.agents.orchestrator.gates.gate_case import Reader
from impossible_moments.agents.orchestrator.message_rules import (
    MessageContext,
    choose_disposition,
    find_message_problems,
    is_passed_on_to,
)
from impossible_moments.agents.orchestrator.protocols import (
    breakthrough_protocol,
    challenge_protocol,
    escalation_protocol,
    veto_protocol,
)
from impossible_moments.agents.orchestrator.protocols.dispute_panel import OPEN_PHASES
from impossible_moments.agents.orchestrator.quality_gates import PHASE_GATES
from impossible_moments.agents.orchestrator.rules import build_context_policy, build_scenario_rules

__all__ = [
    "DEPARTURES",
    "ISOLATION_MATRIX",
    "OPEN_PHASES",
    "PHASE_GATES",
    "Ask",
    "AskDesk",
    "Assignment",
    "Configuration",
    "Flow",
    "GateDeparture",
    "MessageContext",
    "Reader",
    "VisiblePart",
    "breakthrough_protocol",
    "build_context_policy",
    "build_documents",
    "build_scenario_rules",
    "challenge_protocol",
    "choose_disposition",
    "describe_applicability",
    "escalation_protocol",
    "extract_seed_essence",
    "find_message_problems",
    "identify_settings",
    "is_passed_on_to",
    "judge_brief_fulfilment",
    "list_visible_parts",
    "load_configuration",
    "split_message_body",
    "veto_protocol",
]
