"""Tier 2: the evaluation document."""

from __future__ import annotations

from collections.abc import Iterator

from impossible_moments.agents.orchestrator.documents.counterfactual_variants import (
    render_counterfactual_table,
)
from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.scoring_rubric import render_scoring_rubric
from impossible_moments.agents.orchestrator.documents.solution_plans import select_solving_plans
from impossible_moments.agents.orchestrator.documents.solution_section import (
    render_solution_section,
)
from impossible_moments.agents.orchestrator.documents.step_tables import render_step_tables
from impossible_moments.domain.seed import Insight
from impossible_moments.domain.validation import JointAssessment, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ANSWER_HEADINGS
from impossible_moments.mechanics.checks import find_things_unused_by_plans
from impossible_moments.scenarios import (
    NOTHING,
    ScenarioMetadata,
    fill_document_template,
    join_paragraphs,
    render_bullet_list,
    render_numbered_list,
    render_table,
)


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
            "insights": render_insight_chain(case),
            "distractors": render_distractor_analysis(case),
            "rubric": render_scoring_rubric(case),
            "variants": render_counterfactual_table(case.report),
            "profile": metadata.profile,
            "tier": metadata.tier,
            "tier_note": _format_tier_note(metadata),
            "canary": metadata.canary,
        },
    )


def _format_tier_note(metadata: ScenarioMetadata) -> str:
    """State how the tier follows from the profile, and whether it is predicted or measured."""
    exact = "The profile matches the tier exactly."
    match = (
        exact
        if metadata.tier_match == "exact"
        else "The profile matches no tier exactly; this is the nearest."
    )
    return f"{match} The tier is {metadata.tier_basis}."


def render_physics_validation(case: FinishedCase) -> str:
    """Render each claim with both verdicts, then the margin of every condition of the first plan."""
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
        rows.append(
            (
                claim.claim_id,
                claim.text,
                f"{verdict.verdict}: {verdict.reasoning}" if verdict else NOTHING,
                f"{calculation.verdict}: {calculation.calculation}" if calculation else NOTHING,
            )
        )
    return join_paragraphs(
        f"Joint assessment: {joint.status}." if joint else "",
        render_table(("Claim", "What is claimed", "NEWTON", "EULER"), rows),
        _render_condition_margins(case),
    )


def _render_condition_margins(case: FinishedCase) -> str:
    rows = list(_iterate_condition_rows(case))
    if not rows:
        return ""
    return join_paragraphs(
        "Conditions as computed, with what each has to spare:",
        render_table(("Step", "Condition", "Margin"), rows),
    )


def _iterate_condition_rows(case: FinishedCase) -> Iterator[tuple[str, str, str]]:
    for plan in select_solving_plans(case.report)[:1]:
        for step in plan.outcome.steps:
            for name, margin in step.margins:
                yield f"`{step.call}`", name, "holds" if margin is None else f"{margin:+.1%}"


def render_insight_chain(case: FinishedCase) -> str:
    """Render the insights in order, and the insight depth."""
    chain = case.seed.insight_chain
    depth = case.metadata.profile.partition(".")[0]
    return join_paragraphs(
        render_numbered_list((_format_insight(each) for each in chain), empty_text="No insight is needed."),
        f"Insight Depth (I): {depth}.",
    )


def _format_insight(insight: Insight) -> str:
    needs = f"; needs {', '.join(map(str, insight.depends_on))}" if insight.depends_on else ""
    return f"{insight.text.rstrip()} ({insight.fixedness_type}{needs})"


def render_distractor_analysis(case: FinishedCase) -> str:
    """Render what each distractor suggests and why it is wrong, then the things that no plan uses."""
    analysis, verdict = case.report.analysis, case.report.verdict
    unused = (
        find_things_unused_by_plans(analysis, verdict)
        if analysis is not None and verdict is not None and verdict.ways
        else ()
    )
    rows = (
        (each.name, each.canonical_affordance, each.why_irrelevant, each.why_it_misleads, each.strength)
        for each in case.seed.distractor_inventory
    )
    heads = ("Distractor", "What it suggests", "Why it's wrong", "How it tests the solver", "Strength")
    return join_paragraphs(
        render_table(heads, rows),
        join_paragraphs("In no way that was found:", render_bullet_list(f"`{name}`" for name in unused))
        if unused
        else "",
    )
