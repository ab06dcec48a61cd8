"""The works: enough, complete, each once, each with a word on where its data were seen."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from typing import get_args

import yaml

from impossible_moments.library.bibliography import (
    CitedWork,
    load_figure_sources,
    load_research_works,
    parse_bibtex,
)
from impossible_moments.mechanics.records.record import Category
from support.every_case import find_failures


def test_there_are_enough_works_whose_data_were_seen() -> None:
    assert sum(work.is_checked for work in load_research_works().values()) >= 150


def check_work(work: CitedWork) -> None:
    assert work.authors
    assert work.year.isdigit()
    assert work.title
    assert work.venue
    assert work.keywords
    assert work.fields["finding"].endswith(".")
    assert work.fields["checked"]


def test_a_research_work_has_authors_year_title_venue_and_a_finding() -> None:
    assert find_failures(check_work, load_research_works()) == []


def test_every_work_behind_a_figure_says_where_it_was_seen() -> None:
    for work in load_figure_sources().values():
        assert work.authors, work.key
        assert work.title, work.key
        assert work.is_checked, work.key


def test_no_title_stands_twice() -> None:
    titles = Counter(work.title.lower() for work in load_research_works().values())
    assert [title for title, count in titles.items() if count > 1] == []


def test_a_work_with_braces_in_its_title_is_read() -> None:
    text = "@article{a2020b,\n  author = {Doe, J. and Roe, R.},\n  title = {On {ARC} and {Z3}},\n  year = {2020},\n}\n"
    (work,) = parse_bibtex(text)
    assert work.title == "On ARC and Z3"
    assert work.fields["author"] == "Doe, J. and Roe, R."


def test_there_are_enough_benchmarks_each_with_what_it_tests_and_lacks() -> None:
    text = files("impossible_moments.library").joinpath("benchmarks.yaml").read_text(encoding="utf-8")
    found = yaml.safe_load(text)
    assert len(found) >= 25
    for each in found:
        assert each["cite"] in load_research_works(), each["name"]
        assert each["tests"], each["name"]
        assert each["lacks"], each["name"]
        assert each["verification"], each["name"]
        assert set(each["categories"]) <= set(get_args(Category)), each["name"]
