"""Statistics of evaluations: figures with error bars, calibration, comparisons, twins and the leaderboard."""
