"""Tier 1: the public document."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
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
            "correct_outcome": metadata.correct_outcome or NOTHING,
            "narrative": escape_block(scenario.narrative) or NOTHING,
            "environment": render_table(
                ("Feature", "Specification"),
                ((row.feature, row.specification) for row in scenario.environment),
            ),
            "threat": escape_block(scenario.threat) or NOTHING,
            "position": escape_block(scenario.position) or NOTHING,
            "objects": render_table(
                ("Object", "Mass", "Dimensions", "Material", "Notes"),
                ((row.name, row.mass, row.dimensions, row.material, row.notes) for row in scenario.objects),
            ),
            "capabilities": render_table(
                ("Parameter", "Value"), ((row.parameter, row.value) for row in scenario.capabilities)
            ),
            "looks_impossible": escape_block(case.seed.impossibility_mirage.looks_impossible) or NOTHING,
            "wrong_answers": render_table(
                ("Wrong Answer", "Why It's Wrong"),
                ((each.answer, each.why_wrong) for each in case.seed.wrong_answers),
            ),
            "canary": metadata.canary,
        },
    )
