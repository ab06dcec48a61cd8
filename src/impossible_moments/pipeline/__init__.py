"""The pipeline: cast selection, driver, review desk, replay and `Pipeline`, the front door of this package."""

from impossible_moments.pipeline.cast_records import (
    CONTRIBUTED,
    CastRecord,
    parse_cast_record,
)
from impossible_moments.pipeline.cast_selection import (
    ModelResources,
    build_cast,
    build_model_adapter,
    select_models,
)
from impossible_moments.pipeline.clock import Clock, SystemClock
from impossible_moments.pipeline.completed_scenarios import (
    CompletedScenario,
    ScenarioSetup,
    build_recorded_flow,
    generate_builtin_scenarios,
    iterate_completed_scenarios,
    parse_answers,
)
from impossible_moments.pipeline.contributed_seed import ContributedSeedPerformer
from impossible_moments.pipeline.cost_estimate import REQUESTS, ScenarioCostEstimate, estimate_scenario_cost
from impossible_moments.pipeline.ledger_places import LEDGER, find_ledger, has_ledger
from impossible_moments.pipeline.performers import RolePerformer, ScriptedPerformer
from impossible_moments.pipeline.pipeline import Pipeline
from impossible_moments.pipeline.prompt_trials import (
    PromptTrial,
    RunEnding,
    TrialCandidate,
    TrialComparison,
    run_prompt_trial,
)
from impossible_moments.pipeline.publishing import GenerationError, GenerationResult, copy_publications
from impossible_moments.pipeline.replay import replay_flow
from impossible_moments.pipeline.review_desk import PendingReview, ReviewDesk
from impossible_moments.pipeline.runner_names import is_gone
from impossible_moments.pipeline.twin_briefs import build_twin_brief_from_registry

__all__ = [
    "CONTRIBUTED",
    "LEDGER",
    "REQUESTS",
    "CastRecord",
    "Clock",
    "CompletedScenario",
    "ContributedSeedPerformer",
    "GenerationError",
    "GenerationResult",
    "ModelResources",
    "PendingReview",
    "Pipeline",
    "PromptTrial",
    "ReviewDesk",
    "RolePerformer",
    "RunEnding",
    "ScenarioCostEstimate",
    "ScenarioSetup",
    "ScriptedPerformer",
    "SystemClock",
    "TrialCandidate",
    "TrialComparison",
    "build_cast",
    "build_model_adapter",
    "build_recorded_flow",
    "build_twin_brief_from_registry",
    "copy_publications",
    "estimate_scenario_cost",
    "find_ledger",
    "generate_builtin_scenarios",
    "has_ledger",
    "is_gone",
    "iterate_completed_scenarios",
    "parse_answers",
    "parse_cast_record",
    "replay_flow",
    "run_prompt_trial",
    "select_models",
]
