"""The documents of an uncertain world: public text, evaluation document, trace and mechanics, in the usual templates."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from impossible_moments.domain.difficulty_tiers import choose_difficulty_tier
from impossible_moments.mechanics.uncertain import (
    FORMAT,
    LEAST_GAP,
    MOST_OPTIMUM,
    PolicyName,
    PolicySet,
    render_policy,
)
from impossible_moments.scenarios import (
    ClockReadings,
    ScenarioDocuments,
    ScenarioMetadata,
    compute_canary,
    fill_document_template,
    render_bullet_list,
    render_table,
)
from impossible_moments.uncertain_worlds.difficulty_profile import compute_world_profile
from impossible_moments.uncertain_worlds.world_generation import GeneratedWorld

STATUS: Final = "KS"
OUTCOME: Final = "MAXIMISE-SUCCESS"
NO_AGENTS: Final = "Does not apply: the world was drawn and measured by a program, and no agent took part."
POLICY_WORDS: Final[Mapping[PolicyName, str]] = {
    PolicyName.OPTIMAL: "optimal policy",
    PolicyName.LOOKAHEAD: "one-step lookahead: the act after which acting without further tests succeeds most often",
    PolicyName.GREEDY: "greedy: acts as if the most probable state were certain",
    PolicyName.IGNORE: "ignores information: the best way of acting without any test",
    PolicyName.RANDOM: "random: each act drawn evenly among those that can be done",
}


def build_world_documents(
    found: GeneratedWorld, scenario_id: str, *, seed: int, stamps: ClockReadings
) -> ScenarioDocuments:
    """Return the documents of a generated world."""
    metadata = _build_metadata(found, scenario_id, seed, stamps)
    record = found.world.record.model_dump(mode="json", exclude_defaults=True)
    return ScenarioDocuments(
        public=_render_public(found, metadata),
        evaluation=_render_evaluation(found, metadata),
        trace=_render_trace(found, metadata),
        metadata=metadata,
        mechanics=json.dumps({"format": FORMAT, **record}, indent=2, ensure_ascii=False) + "\n",
    )


def _build_metadata(
    found: GeneratedWorld, scenario_id: str, seed: int, stamps: ClockReadings
) -> ScenarioMetadata:
    profile = compute_world_profile(found.world, found.measures)
    tier, is_exact = choose_difficulty_tier(profile.scores, STATUS)
    library = f"none ({FORMAT})"
    no_agents = "no agent took part in an uncertain world"
    return ScenarioMetadata(
        scenario_id=scenario_id,
        name=found.world.record.title,
        category=found.world.record.category,
        status=STATUS,
        tier=tier,
        tier_match="exact" if is_exact else "nearest",
        profile=str(profile),
        correct_outcome=OUTCOME,
        impossibility_type="I",
        agent_versions={},
        revision_loops={},
        human_review=False,
        library=library,
        canary=compute_canary(scenario_id, library, found.world.record.model_dump_json()),
        seed=seed,
        absent={
            "agent_versions": no_agents,
            "revision_loops": no_agents,
            "human_review_outcome": "no human was asked",
            "predicted": "the values of the policies are computed exactly and stand in the evaluation document",
            "twin": "uncertain worlds have no twins",
            "parent": "uncertain worlds have no variants",
            "blueprints": "families of uncertain worlds are no blueprints",
            "brief": "an uncertain world is drawn from a seed and has no brief",
        },
        stamps=stamps,
    )


def _render_public(found: GeneratedWorld, metadata: ScenarioMetadata) -> str:
    text, greedy = found.text, found.measures.values[PolicyName.GREEDY]
    likeliest = max(found.world.prior)
    return fill_document_template(
        "public",
        {
            "scenario_id": metadata.scenario_id,
            "name": metadata.name,
            "category": metadata.category,
            "tier": metadata.tier,
            "profile": metadata.profile,
            "status": metadata.status,
            "correct_outcome": metadata.correct_outcome,
            "narrative": text.narrative,
            "environment": text.unknown,
            "threat": text.limits,
            "position": text.start,
            "objects": text.acts,
            "capabilities": text.results,
            "looks_impossible": f"Even the most probable combination of hidden facts has a probability of only {float(likeliest):.4g}, "
            "no test is certain, and there is not enough time to try everything.",
            "wrong_answers": render_table(
                ("Wrong Answer", "Why It's Wrong"),
                [
                    (
                        "Act at once on the most probable facts",
                        f"This succeeds with a probability of only {greedy:.4f}.",
                    ),
                    (
                        "Do the test that helps most by itself",
                        "Some tests help only together, or after a preparation that helps nothing by itself.",
                    ),
                ],
            ),
            "canary": metadata.canary,
        },
    )


def _render_evaluation(found: GeneratedWorld, metadata: ScenarioMetadata) -> str:
    measures, world = found.measures, found.world
    optimal = PolicySet(world).get_policy(PolicyName.OPTIMAL)
    optimum = measures.optimum
    unused = [code for code in world.record.acts if code not in measures.used_acts]
    return fill_document_template(
        "evaluation",
        {
            "scenario_id": metadata.scenario_id,
            "solution_heading": "Verified Solution",
            "solution": f"The highest probability of success is {float(optimum):.6f} ({optimum.numerator}/{optimum.denominator}), computed "
            f"by dynamic programming over {measures.nodes:,} belief states.\n\n{_render_policy_table(found)}",
            "steps": render_policy(world, optimal),
            "physics": "The record states probabilities and no physical law. Every probability was checked to sum to 1 in every case.",
            "insights": render_bullet_list(
                [found.family.idea, f"The best first act is {measures.first_act}."]
            ),
            "distractors": f"The optimal policy never does: {', '.join(unused) or 'there is no such act'}.",
            "rubric": _RUBRIC,
            "variants": "Uncertain worlds have no counterfactual variants. Each seed draws other figures.",
            "profile": metadata.profile,
            "tier": metadata.tier,
            "tier_note": "The scores are computed from the values of the policies and the size of the optimal policy.",
            "canary": metadata.canary,
        },
    )


_RUBRIC: Final = """\
- Success: the share of seeded worlds in which the goal was reached. For a written policy, its exact probability of success.
- Regret: for each act, the highest probability of success before it minus the one after choosing it. The sum over an episode is what the \
player gave away, whatever chance did."""


def _render_policy_table(found: GeneratedWorld) -> str:
    return render_table(
        ("Policy", "Probability of success"),
        [(words, f"{found.measures.values[name]:.4f}") for name, words in POLICY_WORDS.items()],
    )


def _render_trace(found: GeneratedWorld, metadata: ScenarioMetadata) -> str:
    sections = (
        "contributions", "disagreements", "confidences", "votes", "decisions", "vetoes", "blind_findings", "open_points",
        "revisions", "human_reviews", "breakthroughs", "seed", "grounding", "classification", "reviews", "traces",
    )  # fmt: skip
    facts = [
        f"Scenario ID: {metadata.scenario_id}",
        f"Created: {metadata.stamps.created or f'not recorded ({metadata.stamps.missing})'}",
        f"Kind of record: {FORMAT}",
        f"Family and skin: {found.family.name}/{found.skin}",
        f"Seed: {metadata.seed}",
        f"Draws of figures until one was accepted: {found.draws}",
    ]
    checks = [
        "The record is well formed, every probability sums to 1, every case is covered, and every episode ends.",
        f"The belief graph was exhausted: {found.measures.nodes:,} states.",
        f"Optimum minus one-step lookahead: {found.measures.gap:.4f} (at least {LEAST_GAP}).",
        f"Optimum: {float(found.measures.optimum):.4f} (below {MOST_OPTIMUM}).",
        f"Words of the text: {found.text.count_words()}.",
    ]
    return fill_document_template(
        "trace",
        {
            "scenario_id": metadata.scenario_id,
            "metadata": render_bullet_list(facts),
            "validation": render_bullet_list(checks),
            **dict.fromkeys(sections, NO_AGENTS),
            "canary": metadata.canary,
        },
    )
