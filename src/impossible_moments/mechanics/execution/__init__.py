"""Execution of plans: moves, dynamics, the executor, the plan search and minimal plans."""

from impossible_moments.mechanics.execution.executor import PlanExecutor, PlanRun
from impossible_moments.mechanics.execution.graph_measures import (
    GraphMeasures,
    GraphSummary,
    find_ancestors,
    trace_path_to,
    trace_shortest_path,
)
from impossible_moments.mechanics.execution.minimal_plans import MinimalPlan
from impossible_moments.mechanics.execution.move_arguments import MoveError
from impossible_moments.mechanics.execution.moves import Move, MoveCondition, MoveKind
from impossible_moments.mechanics.execution.outcomes import ExecutedStep, PlanOutcome, RunTermination
from impossible_moments.mechanics.execution.search_limits import SearchBounds, SearchSituation
from impossible_moments.mechanics.execution.state_graph import StateGraph

__all__ = [
    "ExecutedStep",
    "GraphMeasures",
    "GraphSummary",
    "MinimalPlan",
    "Move",
    "MoveCondition",
    "MoveError",
    "MoveKind",
    "PlanExecutor",
    "PlanOutcome",
    "PlanRun",
    "RunTermination",
    "SearchBounds",
    "SearchSituation",
    "StateGraph",
    "find_ancestors",
    "trace_path_to",
    "trace_shortest_path",
]
