"""The agents: prompts, schemas, adapters, tools, the built-in cast and the orchestrator."""

from impossible_moments.agents.agent_prompts import (
    AgentPrompt,
    build_agent_prompt,
    list_agent_duties_in_phase,
    select_duty_on_topic,
)
from impossible_moments.agents.deliverables import DELIVERABLES, load_earlier_schemas, render_schemas
from impossible_moments.agents.extensions import load_extensions
from impossible_moments.agents.prompt_sections import GUIDE, split_prompt_sections
from impossible_moments.agents.scenario_metrics import (
    METRICS,
    MetricHealth,
    ScenarioMetric,
    is_delta_always_zero,
    measure_scenario,
)
from impossible_moments.agents.scripted_players import Player, run_flow_with_player

__all__ = [
    "DELIVERABLES",
    "GUIDE",
    "METRICS",
    "AgentPrompt",
    "MetricHealth",
    "Player",
    "ScenarioMetric",
    "build_agent_prompt",
    "is_delta_always_zero",
    "list_agent_duties_in_phase",
    "load_earlier_schemas",
    "load_extensions",
    "measure_scenario",
    "render_schemas",
    "run_flow_with_player",
    "select_duty_on_topic",
    "split_prompt_sections",
]
