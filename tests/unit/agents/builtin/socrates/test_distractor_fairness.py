"""Fairness of distractors: fair if the public text states what excludes it."""

from __future__ import annotations

import pytest

from impossible_moments.agents.builtin.socrates.distractor_fairness import review_distractor_fairness
from impossible_moments.domain.seed import Distractor
from support.planted_faults import HEALTHY, build_healthy_seed, replace_words

UNSTATED = Distractor(
    name="an umbrella",
    canonical_affordance="rain",
    why_it_misleads="Umbrellas open.",
    why_irrelevant="Its ribs were eaten by moths.",
    strength="moderate",
)


@pytest.mark.parametrize("name", HEALTHY)
def test_the_distractors_of_a_healthy_scenario_are_fair_with_a_quotation(name: str) -> None:
    seed = build_healthy_seed(name)
    for distractor in seed.distractor_inventory:
        finding = review_distractor_fairness(distractor, seed)
        assert (finding.verdict, "“" in finding.remark) == ("right", True), finding.remark


def test_a_distractor_that_nothing_in_the_text_excludes_is_unfair() -> None:
    finding = review_distractor_fairness(UNSTATED, build_healthy_seed("cellar"))
    assert finding.verdict == "unfair"
    assert "eaten by moths" in finding.remark


def test_a_figure_that_excludes_it_makes_it_fair_and_is_quoted() -> None:
    seed = build_healthy_seed("cellar")
    mallet = next(each for each in seed.distractor_inventory if "mallet" in each.name)
    assert "strikes with 24 J" in review_distractor_fairness(mallet, seed).remark
    silent = replace_words("24 J", "hardly anything")(seed)
    assert "strikes with 24 J" not in review_distractor_fairness(mallet, silent).remark


def test_a_harmful_distractor_is_unfair_even_if_the_text_excludes_it() -> None:
    harmful = UNSTATED.model_copy(update={"why_it_misleads": "To call for help is useless, only fools do."})
    finding = review_distractor_fairness(harmful, build_healthy_seed("cellar"))
    assert finding.verdict == "unfair"
    assert "ethically doubtful" in finding.remark
