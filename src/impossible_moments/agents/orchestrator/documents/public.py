"""Tier 1: the public document."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.documents.case import Case
from impossible_moments.scenarios.markdown import NOTHING, block, table
from impossible_moments.scenarios.template import filled


def public_document(case: Case) -> str:
    """Render the scenario for solvers, in the specification's order."""
    scenario, metadata = case.seed.scenario, case.metadata
    return filled(
        "public",
        {
            "scenario_id": metadata.scenario_id,
            "name": metadata.name or NOTHING,
            "category": metadata.category,
            "tier": metadata.tier,
            "profile": metadata.profile,
            "status": metadata.status,
            "correct_outcome": metadata.correct_outcome or NOTHING,
            "narrative": block(scenario.narrative) or NOTHING,
            "environment": table(
                ("Feature", "Specification"),
                ((row.feature, row.specification) for row in scenario.environment),
            ),
            "threat": block(scenario.threat) or NOTHING,
            "position": block(scenario.position) or NOTHING,
            "objects": table(
                ("Object", "Mass", "Dimensions", "Material", "Notes"),
                ((row.name, row.mass, row.dimensions, row.material, row.notes) for row in scenario.objects),
            ),
            "capabilities": table(
                ("Parameter", "Value"), ((row.parameter, row.value) for row in scenario.capabilities)
            ),
            "looks_impossible": block(case.seed.impossibility_mirage.looks_impossible) or NOTHING,
            "wrong_answers": table(
                ("Wrong Answer", "Why It's Wrong"),
                ((each.answer, each.why_wrong) for each in case.seed.wrong_answers),
            ),
            "canary": metadata.canary,
        },
    )
