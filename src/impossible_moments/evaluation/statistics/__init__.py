"""Statistics of evaluations: figures with error bars, calibration, comparisons, twins and the leaderboard."""

from impossible_moments.evaluation.statistics.leaderboard import LeaderboardEntry, build_leaderboard
from impossible_moments.evaluation.statistics.result_summary import summarize_results
from impossible_moments.evaluation.statistics.summary_figures import EvaluationFigures, compute_figures

__all__ = [
    "EvaluationFigures",
    "LeaderboardEntry",
    "build_leaderboard",
    "compute_figures",
    "summarize_results",
]
