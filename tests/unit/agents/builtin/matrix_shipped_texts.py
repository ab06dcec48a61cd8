"""The public text of every shipped offer can be solved by the built-in solver and raises no ethical concern."""

from __future__ import annotations

from functools import cache

import pytest

from impossible_moments.agents.builtin import load_builtin_cast
from impossible_moments.agents.builtin.athena.design_origin import DesignOrigin
from impossible_moments.agents.builtin.athena.scenario_draws import DesignDesk, ProposedDraw
from impossible_moments.agents.builtin.athena.seed_documents import build_seed_document
from impossible_moments.agents.builtin.socrates.ethical_review import review_ethics
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import TIERS, parse_main_status
from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.checks import verify_record
from impossible_moments.solver.public_text import PublicText
from impossible_moments.solver.publication_check import explain_solver_mismatch
from impossible_moments.solver.solver import solve_public_text

CAST = load_builtin_cast()
FAMILIES = sorted(CAST.catalogue.blueprints)
SEED = 5


@cache
def draw_seeds(family: str) -> dict[str, SeedDocument]:
    """A seed document of every offer of a family."""
    desk = DesignDesk(CAST.catalogue, load_everyday_library())
    seeds = {}
    for offer in CAST.catalogue.iterate_offers(CAST.catalogue.blueprints[family].category):
        if offer.blueprint.name != family:
            continue
        brief = GenerationBrief(
            category=offer.blueprint.category,
            difficulty_tier=TIERS[0],
            solution_status=parse_main_status(offer.claim),
            seed=SEED,
        )
        draft = desk.draw_origin(brief, DesignOrigin(offer.name, 0))
        assert draft is not None
        seeds[offer.name] = build_seed_document(ProposedDraw(draft, TIERS[0]))
    return seeds


@pytest.mark.parametrize("family", FAMILIES)
def test_the_text_alone_leads_to_the_result_of_the_record(family: str) -> None:
    library = load_everyday_library()
    problems = {}
    for name, seed in draw_seeds(family).items():
        solved = solve_public_text(PublicText.from_seed_document(seed.model_dump()), CAST.situations)
        problems[name] = explain_solver_mismatch(solved, verify_record(seed.mechanics, library))
    assert {name: problem for name, problem in problems.items() if problem} == {}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_text_raises_no_ethical_concern(family: str) -> None:
    reviews = {}
    for name, seed in draw_seeds(family).items():
        text = PublicText.from_seed_document(seed.model_dump())
        sentences = [
            sentence for part in text.parts.values() for sentence in part.replace("? ", ". ").split(". ")
        ]
        reviews[name] = review_ethics((*sentences, *("; ".join(row) for row in text.rows)))
    assert {name: each.notes for name, each in reviews.items() if each.status == "FAIL"} == {}
