"""Works and benchmarks are found by words, and only those that stand in the bibliography."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from impossible_moments.agents.tools import literature_search
from impossible_moments.agents.tools.argument_checks import ToolRefusal
from impossible_moments.agents.tools.call_guard import Call
from impossible_moments.agents.tools.literature_search import stem_word
from impossible_moments.domain.vocabulary import GALILEO
from impossible_moments.library.bibliography import load_research_works
from impossible_moments.library.existing_benchmarks import load_existing_benchmarks


@pytest.fixture
def galileo(box: Callable[..., Mapping[str, Call]]) -> Mapping[str, Call]:
    return box(GALILEO)


def test_works_come_with_key_authors_year_title_and_venue(galileo: Mapping[str, Call]) -> None:
    found: Any = galileo["find_works"](topic="Duncker problem solving")["works"]
    assert found[0]["key"] == "duncker1945problem"
    for work in found:
        assert set(work) == {"key", "authors", "year", "title", "venue"}
        assert work["title"] == load_research_works()[work["key"]].title


def test_works_that_meet_more_words_come_first(galileo: Mapping[str, Call]) -> None:
    found: Any = galileo["find_works"](topic="functional fixedness", limit=3)
    assert len(found["works"]) == 3
    assert found["matching"] >= 9
    for work in found["works"]:
        assert "functional_fixedness" in load_research_works()[work["key"]].keywords


def test_many_words_met_count_more_than_one_in_a_better_place() -> None:
    parts = {"one": ((4, "alpha"),), "all": ((1, "alpha beta gamma"),)}
    assert literature_search._rank_matches(("alpha", "beta", "gamma"), parts) == ["all", "one"]


def test_endings_do_not_matter(galileo: Mapping[str, Call]) -> None:
    one = galileo["find_works"](topic="unsolvable plan")
    assert one == galileo["find_works"](topic="Unsolvable PLANNING")
    assert one["works"]
    assert stem_word("planning") == stem_word("plans") == stem_word("plan") == "plan"


def test_where_nothing_matches_keywords_are_offered(galileo: Mapping[str, Call]) -> None:
    found = galileo["find_works"](topic="afordanzz")
    assert found["works"] == []
    assert "affordance" in str(found["note"])


def test_benchmarks_are_found_with_what_they_leave_untested(galileo: Mapping[str, Call]) -> None:
    found: Any = galileo["find_benchmarks"](topic="escape rooms", limit=2)["benchmarks"]
    assert found[0]["name"] == "EscapeBench"
    assert len(found) == 2
    assert found[0]["lacks"] == load_existing_benchmarks()["EscapeBench"].lacks
    assert "MacGyver" in str(galileo["find_benchmarks"](topic="zzzz")["note"])


@pytest.mark.parametrize("topic", ["", "   ", "of the and", "!?", "x" * 301, 7, None, ["insight"]])
def test_a_topic_without_words_is_refused(galileo: Mapping[str, Call], topic: object) -> None:
    for name in ("find_works", "find_benchmarks"):
        with pytest.raises(ToolRefusal, match="`topic`"):
            galileo[name](topic=topic)


@pytest.mark.parametrize("limit", [0, -3, 1.5, True, "3", None, float("nan"), float("inf")])
def test_a_limit_is_a_whole_number_from_one(galileo: Mapping[str, Call], limit: object) -> None:
    with pytest.raises(ToolRefusal, match="`limit`"):
        galileo["find_works"](topic="insight", limit=limit)


def test_a_limit_above_the_most_is_the_most(galileo: Mapping[str, Call]) -> None:
    found: Any = galileo["find_works"](topic="benchmark", limit=10**9)
    assert found["matching"] > 20
    assert len(found["works"]) <= 20
