"""Proposals for open frontiers: EULER makes one where little is missing, and three agents compute what it is worth."""

from __future__ import annotations

from functools import cache

import pytest

from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.agents.builtin.euler.frontier_proposals import propose_extension, review_novelty
from impossible_moments.agents.builtin.euler.mathematics_report import analyse_mathematics
from impossible_moments.agents.builtin.galileo.prior_proposals import review_prior_proposals
from impossible_moments.agents.builtin.newton.frontier_review import review_physics_of_proposal
from impossible_moments.agents.builtin.newton.physics_report import analyse_physics
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.orchestrator import create_scenario
from impossible_moments.agents.orchestrator.rules import build_scenario_rules
from impossible_moments.agents.scripted_players import run_flow_with_player
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, Phase
from impossible_moments.scenarios.similarity.embedding import load_wordllama_embedder
from support.planted_faults import build_healthy_seed, perform_role

BRIEF = GenerationBrief.model_validate(
    {
        "scenario_id": "IM-0001",
        "category": "The Cascade",
        "solution_status": "OF",
        "difficulty_tier": "RUPTURE",
        "seed": 1,
    }
)
"""A frontier that 14 % more than what has been shown would reach: cooling by 2 K at a loss of 1.6 % of the rain."""
MEETING = "Mirrors: damage = 1.59 %, effect = 2.01 K."


@cache
def _build_open_seed() -> SeedDocument:
    seed = perform_role(Dossier.create_for_brief(BRIEF), ATHENA, Phase.SEED, SeedDocument)
    assert isinstance(seed, SeedDocument)
    return seed


def _review_as_euler(proposal: str) -> tuple[bool, str]:
    workings = analyse_mathematics(_build_open_seed(), load_builtin_cast().library).workings
    review = review_novelty(proposal, workings)
    return review.survives, review.text


def _review_as_newton(proposal: str) -> tuple[bool, str]:
    facts = analyse_physics(_build_open_seed(), load_builtin_cast().library).facts
    review = review_physics_of_proposal(proposal, facts)
    return review.survives, review.text


def test_a_frontier_that_little_separates_from_the_known_is_proposed_with_figures() -> None:
    workings = analyse_mathematics(_build_open_seed(), load_builtin_cast().library).workings
    proposed = propose_extension(workings)
    assert proposed is not None
    assert "damage = " in proposed.proposal
    assert "effect = " in proposed.proposal
    assert review_novelty(proposed.proposal, workings).survives


@pytest.mark.parametrize("name", ["nerve", "cellar"])
def test_a_frontier_far_away_and_a_solved_scenario_are_not(name: str) -> None:
    workings = analyse_mathematics(build_healthy_seed(name), load_builtin_cast().library).workings
    assert propose_extension(workings) is None


@pytest.mark.parametrize(
    ("proposal", "survives", "reason"),
    [
        (MEETING, True, "passes shown"),
        ("Mirrors: effect = 2.01 K.", False, "no figure for damage"),
        ("Mirrors: damage = 1.59 %, effect = 1.5 K.", False, "does not meet cooled"),
        ("Mirrors: damage = 1.59 kg, effect = 2.01 K.", False, "no figure for damage"),
    ],
)
def test_euler_checks_the_figures_against_envelope_and_known_limits(
    proposal: str, *, survives: bool, reason: str
) -> None:
    found, text = _review_as_euler(proposal)
    assert found is survives
    assert reason in text


@pytest.mark.parametrize(
    ("proposal", "survives", "reason"),
    [
        (MEETING, True, "`cooled`"),
        ("Mirrors: damage = 3 %, effect = 2.01 K.", False, "`still_rains`"),
        ("Mirrors reflect the light.", False, "damage, effect"),
    ],
)
def test_newton_computes_each_condition_at_the_figures(proposal: str, *, survives: bool, reason: str) -> None:
    found, text = _review_as_newton(proposal)
    assert found is survives
    assert reason in text


def test_galileo_refuses_what_was_tried_and_what_leaves_criteria_open() -> None:
    seed = _build_open_seed()
    criteria = " ".join(seed.solution_sketch.evaluation_criteria)
    assert review_prior_proposals(criteria, seed).survives
    assert not review_prior_proposals(MEETING, seed).survives
    tried = seed.wrong_answers[0]
    repeated = review_prior_proposals(f"{criteria} {tried.answer} {tried.why_wrong}", seed)
    assert not repeated.survives
    assert f"It repeats “{tried.answer}" in repeated.text


def test_before_ground_galileo_searches_the_bibliography_alone() -> None:
    assert review_prior_proposals(MEETING, None).survives
    known = review_prior_proposals("Innovation relies on the obscure.", None)
    assert "works of the bibliography" in known.text


def test_a_proposal_of_euler_goes_through_its_three_reviews_in_a_run() -> None:
    cast = load_builtin_cast()
    rules = build_scenario_rules(
        load_configuration(), cast.library, load_wordllama_embedder(), reader=cast.find_document_shortcoming
    )
    outcome = run_flow_with_player(create_scenario(BRIEF, rules), cast.answer)
    (case,) = outcome.dossier.breakthroughs
    assert (case.phase, case.proposed_by, case.state) == (Phase.VALIDATE, EULER, "REJECTED")
    assert set(case.reviews) == {ATHENA, NEWTON, GALILEO}
    assert "It says how the energy balance" in case.reviews[ATHENA]
    assert outcome.is_accepted
