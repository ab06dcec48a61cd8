"""Faults of seed documents from language models, in terms that a designer can act on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from impossible_moments.agents.adapters.seed_review import find_unpublished_prose
from impossible_moments.agents.orchestrator.context.status_policies import get_status_policy
from impossible_moments.agents.orchestrator.gates.public_text_comparison import (
    find_public_numbers_missing_from_record,
    find_record_values_missing_from_scenario,
)
from impossible_moments.agents.orchestrator.seed_computation import SeedComputation
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.difficulty_tiers import BOUNDS, IMPOSSIBLE, choose_difficulty_tier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.seed_revision import SeedRevision
from impossible_moments.domain.vocabulary import Tier


def find_seed_faults(
    seed: SeedDocument, computation: SeedComputation, brief: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the faults of a seed document against its brief and its record. An empty brief asks for nothing."""
    yield from _find_departures_from_brief(seed, brief)
    yield from map(str, computation.report.findings.errors)
    verdict = computation.report.verdict
    if computation.report.findings.errors:
        return  # other faults follow from these, or are found once these are fixed
    requested_status = brief.get("solution_status")
    if verdict is None or computation.status is None:
        yield "the status cannot be computed from the record; check_record says why"
    elif requested_status is not None and computation.status != requested_status:
        yield (
            f"the record computes as {computation.full_status}, but the brief asks for {requested_status}: {verdict.reason}. "
            "Change the facts of the record until the requested status is computed"
        )
    for unknown_number in find_public_numbers_missing_from_record(seed, computation.report):
        yield (
            f"a number does not belong to any quantity of the record, in the {unknown_number}. "
            "Write it as a placeholder of a quantity, or write the sentence without a number"
        )
    yield from find_record_values_missing_from_scenario(seed, computation.report)
    yield from find_unpublished_prose(seed, computation)
    for name in computation.false_claims:
        yield (
            f"claim {name} computes as false at the values of the record: correct the claim or its expression, or change the record"
        )


def _find_departures_from_brief(seed: SeedDocument, brief: Mapping[str, Any]) -> Iterator[str]:
    concept = seed.concept_summary
    for field, stated in (("category", concept.category), ("difficulty_tier", concept.difficulty_tier)):
        requested = brief.get(field)
        if requested is not None and stated != requested:
            yield f"concept_summary/{field} is {stated}, and the brief asks for {requested}: design for the brief"
    if brief.get("solution_status") is not None:
        yield from get_status_policy(brief["solution_status"]).list_sketch_deficiencies(seed.solution_sketch)


def find_tier_faults(profile: Profile, brief: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence if the tier of ATHENA's own profile is not the tier of the brief."""
    requested, status = brief.get("difficulty_tier"), brief.get("solution_status")
    if requested is None or status is None:
        return
    tier, is_exact = choose_difficulty_tier(profile.scores, status)
    if tier == requested:
        return
    match_word = "matches" if is_exact else "is nearest to"
    yield (
        f"your profile {profile} {match_word} {tier}, and the brief asks for {requested}: {_describe_needed_scores(profile, requested)}. "
        "Change the situation until honest scores reach the tier; do not change the scores alone"
    )


def _describe_needed_scores(profile: Profile, tier: Tier) -> str:
    bounds = BOUNDS.get(tier)
    if bounds is None:
        return f"{tier} needs {IMPOSSIBLE}"
    outside = [
        f"{letter} is {score} and needs {low} to {high}"
        for letter, score, (low, high) in zip("IDCBTX", profile.scores, bounds, strict=True)
        if not low <= score <= high
    ]
    return ", ".join(outside) or "a harder tier also matches"


def find_unanswered_demands(revision: SeedRevision, demands: int) -> Iterator[str]:
    """Yield a fault for each demand of the context without exactly one answer."""
    answered = [each.demand for each in revision.answers]
    for number in range(1, demands + 1):
        if number not in answered:
            yield f"demand {number} has no answer: add to `answers` how it is done, or why it is refused"
    for number in sorted({each for each in answered if each > demands or answered.count(each) > 1}):
        problem = "is answered twice" if number <= demands else f"does not exist; there are {demands}"
        yield f"demand {number} {problem}: give one answer to each demand"
