"""Tier 2: the evaluation document."""

from __future__ import annotations

from collections.abc import Iterator

from impossible_moments.agents.orchestrator.documents.counterfactual_variants import (
    render_counterfactual_table,
)
from impossible_moments.agents.orchestrator.documents.distractor_section import render_distractor_analysis
from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.insight_section import render_key_insights
from impossible_moments.agents.orchestrator.documents.scoring_rubric import render_scoring_rubric
from impossible_moments.agents.orchestrator.documents.solution_plans import select_solving_plans
from impossible_moments.agents.orchestrator.documents.solution_section import (
    render_solution_section,
)
from impossible_moments.agents.orchestrator.documents.step_tables import render_step_tables
from impossible_moments.domain.difficulty_tiers import BOUNDS, EXPECTED_SHARES, IMPOSSIBLE
from impossible_moments.domain.validation import JointAssessment, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ANSWER_HEADINGS, DifficultyDimension
from impossible_moments.scenarios import fill_document_template, join_paragraphs, render_table

NO_VERDICT = "no verdict was handed in"
_WHOLE = 0.9995
"""A condition with all of its limit to spare compares with zero, such as a thing that was not yet used."""


def render_evaluation_document(case: FinishedCase) -> str:
    """Render the answer key of a scenario."""
    metadata = case.metadata
    return fill_document_template(
        "evaluation",
        {
            "scenario_id": metadata.scenario_id,
            "solution_heading": ANSWER_HEADINGS[case.status],
            "solution": render_solution_section(case),
            "steps": render_step_tables(case),
            "physics": render_physics_validation(case),
            "insights": render_key_insights(case),
            "distractors": render_distractor_analysis(case),
            "rubric": render_scoring_rubric(case),
            "variants": render_counterfactual_table(case),
            "profile": metadata.profile,
            "tier": metadata.tier,
            "tier_note": _explain_tier(case),
            "canary": metadata.canary,
        },
    )


def _explain_tier(case: FinishedCase) -> str:
    """Explain how the tier follows from the profile, and whether it is predicted or measured."""
    metadata = case.metadata
    scores = [int(score) for score in metadata.profile.split(".")]
    bounds = BOUNDS.get(metadata.tier)
    if bounds is None:
        rule = f"{metadata.tier} asks for {IMPOSSIBLE}; the scores are {metadata.profile} and the status is {case.status}."
    else:
        asked = ", ".join(
            f"{dimension.name} {low}-{high}"
            for dimension, (low, high) in zip(DifficultyDimension, bounds, strict=True)
        )
        outside = [
            f"{dimension.name} is {score}"
            for dimension, score, (low, high) in zip(DifficultyDimension, scores, bounds, strict=True)
            if not low <= score <= high
        ]
        fit = f"outside these bounds {', '.join(outside)}" if outside else "all scores are within them"
        rule = f"{metadata.tier} asks for {asked}; {fit}."
    match = (
        "The profile matches the tier exactly."
        if metadata.tier_match == "exact"
        else "The profile matches no tier exactly; this is the nearest, the harder one on a tie."
    )
    return (
        f"{match} {rule} The tier is {metadata.tier_basis}: strong models are expected to solve "
        f"{EXPECTED_SHARES[metadata.tier]} of its scenarios."
    )


def render_physics_validation(case: FinishedCase) -> str:
    """Render each claim with both verdicts in full, then the margin of every condition of the first plan."""
    newton, euler = (
        case.dossier.find_latest_deliverable(PhysicsReport),
        case.dossier.find_latest_deliverable(MathematicsReport),
    )
    joint = case.dossier.find_latest_deliverable(JointAssessment)
    verdicts = {each.claim_id: each for each in (newton.claims if newton else ())}
    calculations = {each.claim_id: each for each in (euler.claims if euler else ())}
    rows = []
    for claim in case.seed.solution_sketch.claims:
        verdict, calculation = verdicts.get(claim.claim_id), calculations.get(claim.claim_id)
        texts = (
            claim.text,
            f"{verdict.verdict}: {verdict.reasoning}" if verdict else NO_VERDICT,
            f"{calculation.verdict}: {calculation.calculation}" if calculation else NO_VERDICT,
        )
        rows.append((claim.claim_id, *(case.replace_record_names(text) for text in texts)))
    return join_paragraphs(
        f"Joint assessment: {joint.status}." if joint else "",
        render_table(("Claim", "What is claimed", "NEWTON", "EULER"), rows),
        _render_condition_margins(case),
    )


def _render_condition_margins(case: FinishedCase) -> str:
    rows = list(dict.fromkeys(_iterate_condition_rows(case)))
    if not rows:
        return ""
    return join_paragraphs(
        "The conditions of the first plan that compare numbers, with what each has to spare:",
        render_table(("Step", "Condition", "Margin"), rows),
    )


def _iterate_condition_rows(case: FinishedCase) -> Iterator[tuple[str, str, str]]:
    wording = case.wording
    if wording is None:
        return
    for plan in select_solving_plans(case)[:1]:
        for step in plan.outcome.steps:
            for name, margin in step.margins:
                compared = wording.describe_condition(step.call, name)
                if compared is not None and margin is not None and margin < _WHOLE:
                    words = wording.explain_condition(name, compared)
                    yield wording.describe_call(step.call), words, f"{margin:+.1%}"
