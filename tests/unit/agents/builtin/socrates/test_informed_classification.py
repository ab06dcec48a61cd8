"""The informed classification: judged from the evidence, free to disagree with the computation."""

from __future__ import annotations

import pytest

from impossible_moments.agents.builtin.socrates.informed_classification import (
    RevealedEvidence,
    build_informed_classification,
    judge_revealed_evidence,
)
from impossible_moments.agents.builtin.socrates.informed_difficulty import score_informed_profile
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.validation import JointAssessment
from impossible_moments.domain.vocabulary import parse_main_status
from support.difficulty_evidence import collect_seed_evidence
from support.planted_faults import (
    HEALTHY,
    build_healthy_seed,
    build_seed_of_offer,
    replace_status,
    run_euler,
    run_newton,
    run_socrates,
)

PROFILE = Profile(I=2, D=2, C=2, B=2, T=2, X=2)


def _collect(name: str, computed: str = "") -> RevealedEvidence:
    seed = build_healthy_seed(name)
    joint = JointAssessment(status="VALIDATED", computed_status=computed)
    return RevealedEvidence(seed, run_newton(seed), run_euler(seed), joint)


@pytest.mark.parametrize("name", HEALTHY)
def test_the_evidence_supports_the_status_that_the_scenario_has(name: str) -> None:
    claimed = parse_main_status(str(build_healthy_seed(name).mechanics["status"]["claim"]))
    assert judge_revealed_evidence(_collect(name))[0] == claimed


@pytest.mark.parametrize("name", ["cellar", "no_step", "lobby", "nerve", "chiefs", "icehouse"])
def test_another_claim_and_another_computed_status_do_not_change_the_judgement(name: str) -> None:
    evidence = _collect(name, computed="KS-Fragile")
    relabelled = RevealedEvidence(
        replace_status(claim="KS-Fragile")(evidence.seed),
        evidence.physics,
        evidence.mathematics,
        evidence.joint,
    )
    assert judge_revealed_evidence(relabelled)[0] == judge_revealed_evidence(evidence)[0]


def test_a_disagreement_with_the_computation_is_stated() -> None:
    informed = build_informed_classification(_collect("no_step", computed="KS-Singular"), None, PROFILE)
    assert informed.status == "PX"
    assert "The record computes as KS-Singular, and I disagree" in informed.justification


def test_two_independent_ways_are_ks_multiple_and_a_fragile_one_is_ks_fragile() -> None:
    words = {
        name: build_informed_classification(_collect(name), None, PROFILE).justification
        for name in ("loft", "damp", "cellar")
    }
    assert "so it is KS-Multiple" in words["loft"]
    assert "so it is KS-Fragile" in words["damp"]
    assert "so it is KS-Singular" in words["cellar"]


def test_a_failed_validation_lowers_the_confidence() -> None:
    evidence = _collect("cellar")
    vetoed = RevealedEvidence(
        evidence.seed, evidence.physics, evidence.mathematics, JointAssessment(status="VETOED")
    )
    assert (
        build_informed_classification(vetoed, None, PROFILE).confidence
        < build_informed_classification(evidence, None, PROFILE).confidence
    )


@pytest.mark.parametrize("name", HEALTHY)
def test_the_delta_names_every_dimension_that_moved_and_no_other(name: str) -> None:
    evidence, blind = _collect(name), run_socrates(build_healthy_seed(name))
    profile, _ = score_informed_profile(collect_seed_evidence(evidence.seed), blind.profile)
    delta = build_informed_classification(evidence, blind, profile).delta
    names = ("Insight", "Distractor", "Counter", "Domain", "Temporal", "Trap")
    moved = [before != after for before, after in zip(blind.profile.scores, profile.scores, strict=True)]
    changes = delta.partition("By dimension: ")[2]
    assert [word in changes for word in names] == moved


@pytest.mark.parametrize("name", HEALTHY)
def test_a_score_falls_at_most_one_below_the_blind_impression(name: str) -> None:
    highest = Profile(I=5, D=5, C=5, B=5, T=5, X=5)
    evidence = collect_seed_evidence(build_healthy_seed(name))
    alone, _ = score_informed_profile(evidence, None)
    profile, reasons = score_informed_profile(evidence, highest)
    assert min(profile.scores) == 4
    raised = [letter for letter in "IDCBX" if getattr(alone, letter) < 4]
    assert [letter for letter in "IDCBX" if "do not undercut" in reasons[letter]] == raised


def test_a_dispute_that_decides_nothing_leaves_the_scenario_solvable() -> None:
    seed = build_seed_of_offer("disputed_makeshift", "statue_on_ropes", "contested")
    evidence = RevealedEvidence(seed, run_newton(seed), run_euler(seed), None)
    status, words = judge_revealed_evidence(evidence)
    assert status == "CT"
    assert evidence.optimum_of_dispute in words
    assert evidence.mathematics is not None
    settled = evidence.mathematics.model_copy(update={"optimization": ""})
    status, words = judge_revealed_evidence(RevealedEvidence(seed, evidence.physics, settled, None))
    assert status == "KS"
    assert "EULER finds no value of it at which another plan becomes the best" in words
