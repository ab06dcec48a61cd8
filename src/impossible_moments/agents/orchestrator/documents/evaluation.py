"""Tier 2: the evaluation document."""

from __future__ import annotations

from collections.abc import Iterator

from impossible_moments.agents.orchestrator.documents.case import Case
from impossible_moments.agents.orchestrator.documents.counterfactuals import counterfactual_table
from impossible_moments.agents.orchestrator.documents.plans import shown_plans
from impossible_moments.agents.orchestrator.documents.solution import HEADINGS, solution
from impossible_moments.agents.orchestrator.documents.steps import step_tables
from impossible_moments.agents.orchestrator.rubrics import rubric
from impossible_moments.domain.seed import Insight
from impossible_moments.domain.validation import JointAssessment, MathematicsReport, PhysicsReport
from impossible_moments.mechanics.report import distractors
from impossible_moments.scenarios.markdown import NOTHING, bullets, joined, numbered, table
from impossible_moments.scenarios.metadata import Metadata
from impossible_moments.scenarios.template import filled


def evaluation_document(case: Case) -> str:
    """Render the answer key of a scenario."""
    metadata = case.metadata
    return filled(
        "evaluation",
        {
            "scenario_id": metadata.scenario_id,
            "solution_heading": HEADINGS[case.status],
            "solution": solution(case),
            "steps": step_tables(case),
            "physics": physics(case),
            "insights": insights(case),
            "distractors": distractor_analysis(case),
            "rubric": rubric(case),
            "variants": counterfactual_table(case.report),
            "profile": metadata.profile,
            "tier": metadata.tier,
            "tier_note": _tier_note(metadata),
            "canary": metadata.canary,
        },
    )


def _tier_note(metadata: Metadata) -> str:
    """State how the tier follows from the profile, and whether it is predicted or measured."""
    exact = "The profile matches the tier exactly."
    match = (
        exact
        if metadata.tier_match == "exact"
        else "The profile matches no tier exactly; this is the nearest."
    )
    return f"{match} The tier is {metadata.tier_basis}."


def physics(case: Case) -> str:
    """Render each claim with both verdicts, then the margin of every condition of the first plan."""
    newton, euler = case.dossier.latest(PhysicsReport), case.dossier.latest(MathematicsReport)
    joint = case.dossier.latest(JointAssessment)
    verdicts = {each.claim_id: each for each in (newton.claims if newton else ())}
    calculations = {each.claim_id: each for each in (euler.claims if euler else ())}
    rows = []
    for claim in case.seed.solution_sketch.claims:
        judged, computed = verdicts.get(claim.claim_id), calculations.get(claim.claim_id)
        rows.append(
            (
                claim.claim_id,
                claim.text,
                f"{judged.verdict}: {judged.reasoning}" if judged else NOTHING,
                f"{computed.verdict}: {computed.calculation}" if computed else NOTHING,
            )
        )
    return joined(
        f"Joint assessment: {joint.status}." if joint else "",
        table(("Claim", "What is claimed", "NEWTON", "EULER"), rows),
        _margins(case),
    )


def _margins(case: Case) -> str:
    rows = list(_conditions(case))
    if not rows:
        return ""
    return joined(
        "Conditions as computed, with what each has to spare:", table(("Step", "Condition", "Margin"), rows)
    )


def _conditions(case: Case) -> Iterator[tuple[str, str, str]]:
    for plan in shown_plans(case.report)[:1]:
        for step in plan.outcome.steps:
            for name, margin in step.margins:
                yield f"`{step.call}`", name, "holds" if margin is None else f"{margin:+.1%}"


def insights(case: Case) -> str:
    """Render the insights in order, and the insight depth."""
    chain = case.seed.insight_chain
    depth = case.metadata.profile.partition(".")[0]
    return joined(
        numbered((_insight(each) for each in chain), otherwise="No insight is needed."),
        f"Insight Depth (I): {depth}.",
    )


def _insight(insight: Insight) -> str:
    needs = f"; needs {', '.join(map(str, insight.depends_on))}" if insight.depends_on else ""
    return f"{insight.text.rstrip()} ({insight.fixedness_type}{needs})"


def distractor_analysis(case: Case) -> str:
    """Render what each distractor suggests and why it is wrong, then the things that no plan uses."""
    analysis, verdict = case.report.analysis, case.report.verdict
    idle = (
        distractors(analysis, verdict)
        if analysis is not None and verdict is not None and verdict.ways
        else ()
    )
    rows = (
        (each.name, each.canonical_affordance, each.why_irrelevant, each.why_it_misleads, each.strength)
        for each in case.seed.distractor_inventory
    )
    heads = ("Distractor", "What it suggests", "Why it's wrong", "How it tests the solver", "Strength")
    return joined(
        table(heads, rows),
        joined("In no way that was found:", bullets(f"`{name}`" for name in idle)) if idle else "",
    )
