"""Evaluation: models answer scenarios, answers are executed, and judges score the rest."""

from impossible_moments.evaluation.answer_key import NO_WORDING, AnswerKey, has_worded_record
from impossible_moments.evaluation.environment import Environment, find_key_folder
from impossible_moments.evaluation.judging.judge_panel import require_valid_panel
from impossible_moments.evaluation.record_kinds import is_uncertain_scenario, split_scenarios
from impossible_moments.evaluation.results import VERSION, Results, ScenarioResult
from impossible_moments.evaluation.results_summary import ResultsSummary
from impossible_moments.evaluation.run_explanation import explain_run
from impossible_moments.evaluation.run_scoring import MENU_FORMS
from impossible_moments.evaluation.runs.answer_collection import Reply, parse_reply_lines
from impossible_moments.evaluation.runs.baselines import BASELINES, PREFIX, find_baseline
from impossible_moments.evaluation.runs.cost_estimates import (
    ANSWER,
    CostEstimate,
    ExpectedUsage,
    PlannedEvaluation,
    estimate_evaluation_cost,
)
from impossible_moments.evaluation.runs.menu_baselines import MENU_BASELINES
from impossible_moments.evaluation.runs.presentation import AnswerForm, Presentation, build_answer_prompt
from impossible_moments.evaluation.scorer_attack import AttackReport, run_scorer_attack

__all__ = [
    "ANSWER",
    "BASELINES",
    "MENU_BASELINES",
    "MENU_FORMS",
    "NO_WORDING",
    "PREFIX",
    "VERSION",
    "AnswerForm",
    "AnswerKey",
    "AttackReport",
    "CostEstimate",
    "Environment",
    "ExpectedUsage",
    "PlannedEvaluation",
    "Presentation",
    "Reply",
    "Results",
    "ResultsSummary",
    "ScenarioResult",
    "build_answer_prompt",
    "estimate_evaluation_cost",
    "explain_run",
    "find_baseline",
    "find_key_folder",
    "has_worded_record",
    "is_uncertain_scenario",
    "parse_reply_lines",
    "require_valid_panel",
    "run_scorer_attack",
    "split_scenarios",
]
