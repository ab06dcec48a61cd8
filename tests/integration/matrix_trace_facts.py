"""Two traces of every category are true of their ledgers."""

from __future__ import annotations

from collections import Counter

import pytest

from impossible_moments.domain.vocabulary import CATEGORIES
from support.trace_facts import find_false_statements
from support.traced_scenarios import PER_CATEGORY, TracedScenario, publish_scenarios, select_briefs


@pytest.fixture(scope="module")
def scenarios(tmp_path_factory: pytest.TempPathFactory) -> list[TracedScenario]:
    folder = tmp_path_factory.mktemp("traced")
    return [
        each
        for category in CATEGORIES
        for each in publish_scenarios(folder, select_briefs(category), most=PER_CATEGORY)
    ]


def test_there_are_two_traces_of_every_category(scenarios: list[TracedScenario]) -> None:
    assert Counter(each.category for each in scenarios) == dict.fromkeys(CATEGORIES, PER_CATEGORY)


def test_every_statement_of_every_trace_is_true(scenarios: list[TracedScenario]) -> None:
    problems = {each.scenario: find_false_statements(each.trace, each.run) for each in scenarios}
    assert problems == {each.scenario: [] for each in scenarios}
