"""Tier 1: the public document."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.documents.apparent_impossibility import (
    list_wrong_answers,
    render_apparent_impossibility,
)
from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.public_tables import (
    build_capability_rows,
    build_environment_rows,
    build_object_rows,
)
from impossible_moments.scenarios import NOTHING, escape_block, fill_document_template, render_table


def render_public_document(case: FinishedCase) -> str:
    """Render the scenario for solvers, in the specification's order."""
    scenario, metadata = case.seed.scenario, case.metadata
    return fill_document_template(
        "public",
        {
            "scenario_id": metadata.scenario_id,
            "name": metadata.name or NOTHING,
            "category": metadata.category,
            "tier": metadata.tier,
            "profile": metadata.profile,
            "status": metadata.status,
            "correct_outcome": metadata.correct_outcome,
            "narrative": escape_block(scenario.narrative) or NOTHING,
            "environment": render_table(("Feature", "Specification"), build_environment_rows(case)),
            "threat": escape_block(scenario.threat) or NOTHING,
            "position": escape_block(scenario.position) or NOTHING,
            "objects": render_table(
                ("Object", "Mass", "Dimensions", "Material", "Notes"), build_object_rows(case)
            ),
            "capabilities": render_table(("Parameter", "Value"), build_capability_rows(case)),
            "looks_impossible": render_apparent_impossibility(case) or NOTHING,
            "wrong_answers": render_table(("Wrong Answer", "Why It's Wrong"), list_wrong_answers(case)),
            "canary": metadata.canary,
        },
    )
