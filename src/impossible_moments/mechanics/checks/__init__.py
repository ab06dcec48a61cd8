"""Checks of records: status, claims, approaches, sensitivity, variants, prose requirements and the report."""

from impossible_moments.mechanics.checks.agreements import ROUNDING
from impossible_moments.mechanics.checks.approaches import matches_any_call
from impossible_moments.mechanics.checks.content_checks import list_record_key_texts, read_public_text
from impossible_moments.mechanics.checks.disputed_quantities import Crux, score_outcome_by_preference
from impossible_moments.mechanics.checks.plan_orders import check_claimed_orders, report_free_orders
from impossible_moments.mechanics.checks.record_check import (
    CheckReport,
    build_analysis_without_search,
    verify_record,
)
from impossible_moments.mechanics.checks.record_design import RecordDesign, read_record_design
from impossible_moments.mechanics.checks.repeated_checks import (
    read_record_design_by_content,
    verify_record_by_content,
)
from impossible_moments.mechanics.checks.report_data import (
    build_report_data,
    find_things_unused_by_plans,
    list_things_used_by_plans,
)
from impossible_moments.mechanics.checks.sensitivity import (
    QuantitySensitivity,
    compute_sensitivity_profile,
    find_numbers_behind_plan,
    find_numbers_read_by_moves,
    scale_quantity,
)
from impossible_moments.mechanics.checks.status import (
    StatusVerdict,
    describe_breaking_side,
    explain_missing_proof,
)
from impossible_moments.mechanics.checks.variants.contested_variants import (
    BestPlansOverDispute,
    find_best_plans_over_dispute,
    find_dispute_changes,
)
from impossible_moments.mechanics.checks.variants.counterfactual_variants import (
    OutcomeFlip,
    find_counterfactual_variants,
    is_share,
)
from impossible_moments.mechanics.checks.variants.crux_intervals import CruxInterval
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis

__all__ = [
    "ROUNDING",
    "BestPlansOverDispute",
    "CheckReport",
    "Crux",
    "CruxInterval",
    "OutcomeFlip",
    "QuantitySensitivity",
    "RecordDesign",
    "StatusVerdict",
    "WorldAnalysis",
    "build_analysis_without_search",
    "build_report_data",
    "check_claimed_orders",
    "compute_sensitivity_profile",
    "describe_breaking_side",
    "explain_missing_proof",
    "find_best_plans_over_dispute",
    "find_counterfactual_variants",
    "find_dispute_changes",
    "find_numbers_behind_plan",
    "find_numbers_read_by_moves",
    "find_things_unused_by_plans",
    "is_share",
    "list_record_key_texts",
    "list_things_used_by_plans",
    "matches_any_call",
    "read_public_text",
    "read_record_design",
    "read_record_design_by_content",
    "report_free_orders",
    "scale_quantity",
    "score_outcome_by_preference",
    "verify_record",
    "verify_record_by_content",
]
