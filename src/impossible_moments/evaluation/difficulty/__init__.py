"""Measured difficulty: success of solvers with intervals, item difficulties, and tiers that results show."""

from impossible_moments.evaluation.difficulty.difficulty_report import (
    DifficultyReport,
    ItemDifficulty,
    SuccessGroup,
    build_difficulty_report,
)
from impossible_moments.evaluation.difficulty.measured_tiers import (
    TierDisagreement,
    compute_scenario_rates,
    find_tier_disagreements,
    measure_tier,
)
from impossible_moments.evaluation.difficulty.rasch_model import RaschFit, fit_rasch_model
from impossible_moments.evaluation.difficulty.solver_ladder import LADDER, climb_ladder
from impossible_moments.evaluation.difficulty.solver_responses import SolverResponses, read_result_file
from impossible_moments.evaluation.difficulty.success_intervals import SuccessRate, compute_success_rate

__all__ = [
    "LADDER",
    "DifficultyReport",
    "ItemDifficulty",
    "RaschFit",
    "SolverResponses",
    "SuccessGroup",
    "SuccessRate",
    "TierDisagreement",
    "build_difficulty_report",
    "climb_ladder",
    "compute_scenario_rates",
    "compute_success_rate",
    "find_tier_disagreements",
    "fit_rasch_model",
    "measure_tier",
    "read_result_file",
]
