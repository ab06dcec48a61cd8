"""Production: coverage targets, the plan that meets them, batches of scenarios, quality checks, releases."""

from impossible_moments.production.batch_manager import BatchManager, BatchOutcome, ProductionOutcome
from impossible_moments.production.batch_metrics import BatchMetric
from impossible_moments.production.coverage_plan import Cell, CoveragePlan, UnmetTarget, plan_coverage
from impossible_moments.production.coverage_targets import CoverageTargets, load_coverage_targets
from impossible_moments.production.integer_program import NoPlanFound
from impossible_moments.production.private_sets import (
    load_secret_seed,
    require_outside_projects,
    write_new_secret,
)
from impossible_moments.production.quality import (
    QualityReport,
    ReleasedScenarios,
    choose_review_sample,
    write_review_sample,
)
from impossible_moments.production.quality_assurance import QualityOptions, run_quality_checks
from impossible_moments.production.quick_set import choose_quick_set
from impossible_moments.production.ray_placement import NodeSettings, RayPlacement
from impossible_moments.production.release import Release, build_release, find_changed_files
from impossible_moments.production.retired_scenarios import retire_scenario
from impossible_moments.production.scenario_supply import ScenarioSupply

__all__ = [
    "BatchManager",
    "BatchMetric",
    "BatchOutcome",
    "Cell",
    "CoveragePlan",
    "CoverageTargets",
    "NoPlanFound",
    "NodeSettings",
    "ProductionOutcome",
    "QualityOptions",
    "QualityReport",
    "RayPlacement",
    "Release",
    "ReleasedScenarios",
    "ScenarioSupply",
    "UnmetTarget",
    "build_release",
    "choose_quick_set",
    "choose_review_sample",
    "find_changed_files",
    "load_coverage_targets",
    "load_secret_seed",
    "plan_coverage",
    "require_outside_projects",
    "retire_scenario",
    "run_quality_checks",
    "write_new_secret",
    "write_review_sample",
]
