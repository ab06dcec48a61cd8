"""Every category is defined, and ATHENA is shown the definition of the one that the brief asks for."""

from __future__ import annotations

from impossible_moments.domain.category_definitions import CATEGORY_DEFINITIONS
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, CATEGORIES
from support.scripted_runs import make_obliging_player, run_scenario


def test_every_category_has_a_definition() -> None:
    assert set(CATEGORY_DEFINITIONS) == set(CATEGORIES)
    assert len({str(each) for each in CATEGORY_DEFINITIONS.values()}) == len(CATEGORIES)


def test_athena_is_shown_what_the_category_means_and_no_other_agent_needs_it() -> None:
    story = run_scenario(make_obliging_player())
    (ask,) = story.list_asks_to(ATHENA, SeedDocument)
    assert ask.assignment.context["category"] == str(CATEGORY_DEFINITIONS["The Locked Room"])
    assert [each.key for each in story.asks if "category" in each.assignment.context] == [ask.key]
