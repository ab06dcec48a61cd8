"""A solver that answers scenarios from their public text alone, without access to the record."""

from impossible_moments.solver.first_reading import QUICK_SEARCH_NODES, FirstReading, perform_first_reading
from impossible_moments.solver.known_situations import KnownSituations, load_shipped_situations
from impossible_moments.solver.public_text import PublicText
from impossible_moments.solver.publication_check import explain_insufficient_document, explain_solver_mismatch
from impossible_moments.solver.solver import SolverResult, solve_public_text
from impossible_moments.solver.strategies import (
    STRATEGIES,
    StrategyAttempt,
    is_successful_attempt,
    try_most_salient_plan,
)

__all__ = [
    "QUICK_SEARCH_NODES",
    "STRATEGIES",
    "FirstReading",
    "KnownSituations",
    "PublicText",
    "SolverResult",
    "StrategyAttempt",
    "explain_insufficient_document",
    "explain_solver_mismatch",
    "is_successful_attempt",
    "load_shipped_situations",
    "perform_first_reading",
    "solve_public_text",
    "try_most_salient_plan",
]
