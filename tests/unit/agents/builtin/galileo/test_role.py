"""GALILEO: cites what there is, compares with what exists, and its figures compute."""

from __future__ import annotations

import re
from itertools import combinations_with_replacement
from typing import Final

import pytest

from impossible_moments.agents.builtin.galileo.cognitive_constructs import load_habits_and_skills
from impossible_moments.blueprints.file_models import FIXEDNESS
from impossible_moments.domain.vocabulary import CATEGORIES
from impossible_moments.library.bibliography import load_research_works
from impossible_moments.library.existing_benchmarks import load_existing_benchmarks
from support.planted_faults import HEALTHY, build_healthy_seed, replace_insights, run_galileo

_CHAIN: Final = re.compile(
    r"(?P<count>\d+) insights? must be found, each by about p = (?P<share>[\d.]+) .* p\^N = "
    r"(?P<base>[\d.]+)\^(?P<power>\d+) = (?P<all>[\d.]+) find all"
)


@pytest.mark.parametrize("name", HEALTHY)
def test_only_what_stands_in_the_bibliography_is_cited_and_at_least_five_works(name: str) -> None:
    cited = run_galileo(build_healthy_seed(name)).cited_keys
    assert [key for key in cited if key not in load_research_works()] == []
    assert len(set(cited)) >= 5


def test_every_habit_and_every_category_can_be_grounded() -> None:
    habits, skills = load_habits_and_skills()
    assert set(habits) == set(FIXEDNESS)
    assert set(skills) == set(CATEGORIES)
    keys = {key for habit in (*habits.values(), *skills.values()) for key in (habit.seminal, habit.recent)}
    assert keys <= set(load_research_works())


@pytest.mark.parametrize("name", HEALTHY)
def test_at_least_three_benchmarks_that_exist_are_compared(name: str) -> None:
    names = [each.benchmark for each in run_galileo(build_healthy_seed(name)).benchmarks]
    assert len(set(names)) >= 3
    assert set(names) <= set(load_existing_benchmarks())


@pytest.mark.parametrize("name", HEALTHY)
def test_every_insight_is_mapped_to_a_construct_and_three_constructs_are_named(name: str) -> None:
    seed = build_healthy_seed(name)
    constructs = run_galileo(seed).constructs
    assert {each.insight for each in constructs} == set(range(1, len(seed.insight_chain) + 1))
    assert len({each.construct_tested for each in constructs}) >= 3


def _told(text: str) -> tuple[int, float, float, int, float]:
    found = _CHAIN.search(text)
    assert found is not None, text
    return (
        int(found["count"]),
        float(found["share"]),
        float(found["base"]),
        int(found["power"]),
        float(found["all"]),
    )


@pytest.mark.parametrize("name", HEALTHY)
def test_the_chain_computes_to_what_the_text_says(name: str) -> None:
    seed = build_healthy_seed(name)
    count, share, base, power, found = _told(run_galileo(seed).compositional_chain)
    assert (count, power, share) == (len(seed.insight_chain), len(seed.insight_chain), base)
    # p is printed with two digits, and the error of its rounding grows with the chain
    assert found == pytest.approx(base**power, abs=0.005 * (power + 1))


def test_the_chain_is_the_product_of_what_each_habit_is_worth() -> None:
    habits, _ = load_habits_and_skills()
    for kinds in combinations_with_replacement(("surprise", "mental set", "inversion", "frame"), 3):
        seed = replace_insights(*((f"It is {kind}.", kind, ()) for kind in kinds))(
            build_healthy_seed("cellar")
        )
        product = 1.0
        for kind in kinds:
            product *= habits[kind].share
        assert _told(run_galileo(seed).compositional_chain)[4] == pytest.approx(product, abs=0.0051)


@pytest.mark.parametrize("name", HEALTHY)
def test_predicted_scores_rise_from_a_direct_answer_to_an_agent_with_tools(name: str) -> None:
    scores = run_galileo(build_healthy_seed(name)).predicted
    assert (
        0 < scores.direct_answer < scores.chain_of_thought < scores.extended_reasoning < scores.agentic <= 100
    )


def test_a_longer_chain_of_the_same_habit_is_predicted_to_be_harder() -> None:
    told = tuple((f"Number {number}.", "mental set", ()) for number in range(1, 5))
    scores = [
        run_galileo(replace_insights(*told[:length])(build_healthy_seed("cellar"))).predicted.direct_answer
        for length in range(1, 5)
    ]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 4


@pytest.mark.parametrize("name", HEALTHY)
def test_the_name_of_the_scenario_and_what_it_is_compared_with_stand_in_the_claim_of_novelty(
    name: str,
) -> None:
    seed = build_healthy_seed(name)
    report = run_galileo(seed)
    assert seed.scenario.name in report.novelty_claim
    assert all(each.benchmark in report.novelty_claim for each in report.benchmarks)


@pytest.mark.parametrize("name", HEALTHY)
def test_every_construct_gives_its_works_in_full(name: str) -> None:
    works = load_research_works()
    for construct in run_galileo(build_healthy_seed(name)).constructs:
        assert construct.references == tuple(works[key].full_reference for key in construct.citations)
        assert not any(sign in line for line in construct.references for sign in ("{", "\\"))
        assert not any(" and " in line.partition(" (")[0] for line in construct.references)
        assert all(
            works[key].year in line
            for key, line in zip(construct.citations, construct.references, strict=True)
        )
