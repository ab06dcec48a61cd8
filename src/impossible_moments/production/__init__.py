"""Production: coverage targets, the plan that meets them, and batches of scenarios."""

from impossible_moments.production.batch_manager import BatchManager, BatchOutcome, ProductionOutcome
from impossible_moments.production.coverage_plan import Cell, CoveragePlan, UnmetTarget, plan_coverage
from impossible_moments.production.coverage_targets import CoverageTargets, load_coverage_targets
from impossible_moments.production.integer_program import NoPlanFound
from impossible_moments.production.scenario_supply import ScenarioSupply

__all__ = [
    "BatchManager",
    "BatchOutcome",
    "Cell",
    "CoveragePlan",
    "CoverageTargets",
    "NoPlanFound",
    "ProductionOutcome",
    "ScenarioSupply",
    "UnmetTarget",
    "load_coverage_targets",
    "plan_coverage",
]
