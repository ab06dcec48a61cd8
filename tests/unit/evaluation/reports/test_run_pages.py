"""The runs in the HTML report: every score can be followed, and no word of others does anything."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from impossible_moments.evaluation.evaluator import Evaluator
from impossible_moments.evaluation.record_wording import convert_call_to_step
from impossible_moments.evaluation.reports import (
    ScenarioMaterials,
    build_comparison_report,
    build_report_card,
    build_run_pages,
    load_scenario_materials,
    render_html,
)
from impossible_moments.evaluation.reports.page_parts import render_long_text
from impossible_moments.evaluation.reports.scenario_section import ANSWER_BUDGET
from impossible_moments.evaluation.results import Results
from impossible_moments.evaluation.runs.answer_collection import Reply
from impossible_moments.scenarios import Scenario
from support.sample_results import build_many_results, build_results, build_run, build_scenario
from support.worded_scenarios import MIX, MIX_TWIN, build_bottles_key, create_bottles_folder

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a>',
    "</pre></details></script></style><svg onload=alert(1)>",
    "https://evil.example \u202e \x00 \x1b[31m \u2028 | a | b",
    "' onmouseover='alert(1)",
)


class Tags(HTMLParser):
    """All tags with their attributes, and the text of the page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return create_bottles_folder(tmp_path_factory.mktemp("pages") / "scenarios")


def score(folder: Path, approach: str, model: str = "maker:model", before: str = "") -> Results:
    """Score the same approach to both scenarios, with some words before the answer."""
    replies = {}
    for name in (MIX, MIX_TWIN):
        key = build_bottles_key(name)
        plan = [convert_call_to_step(move.text, key) for move in key.analysis.plans[approach]]
        replies[name, 1] = Reply(before + json.dumps({"verdict": "solvable", "plan": plan}))
    return Evaluator(folder / "evaluation").score(Scenario.load_directory(folder), replies, model=model)


def render(folder: Path, *results: Results) -> str:
    named = {each.model: each for each in results}
    report = build_report_card(results[0]) if len(results) == 1 else build_comparison_report(named)
    return render_html(replace(report, runs=build_run_pages(named, load_scenario_materials(folder, results))))


def test_a_score_can_be_followed_to_the_step_that_failed(folder: Path) -> None:
    page = render(folder, score(folder, "half_and_half"))

    for words in (
        "What the solver was shown",
        "How it was read",
        "blocked, because this does not hold: the mixture stays liquid at 34 K of frost",
        "not counted, because the outcome is below 50",
        "The key, for comparison",
        "The goal cannot be reached, because these conditions exclude each other:",
    ):
        assert words in page
    shown = " ".join(Tags(page.partition('id="scenarios"')[2].partition("<script>")[0]).texts)
    assert not re.search(r"\b(?:blend|use_alone|carry_on)[.(]", shown)


def test_every_link_leads_somewhere_and_every_run_is_listed(folder: Path) -> None:
    found = Tags(render(folder, score(folder, "half_and_half"), score(folder, "the_right_share", "other")))
    ids = [attributes["id"] for _, attributes in found.tags if "id" in attributes]

    assert len(ids) == len(set(ids))
    links = [str(attributes["href"]) for tag, attributes in found.tags if tag == "a"]
    assert links
    assert {link.removeprefix("#") for link in links} <= set(ids)
    rows = [attributes for tag, attributes in found.tags if tag == "tr" and "data-outcome" in attributes]
    assert [row["data-outcome"] for row in rows] == ["failed", "passed", "failed", "failed"]
    assert [row["data-differs"] for row in rows][:2] == ["yes", "yes"]


def test_links_of_figures_name_filters_and_values_that_exist(folder: Path) -> None:
    found = Tags(render(folder, score(folder, "half_and_half")))
    selects = {attributes["name"] for tag, attributes in found.tags if tag == "select"}
    links = [attributes for tag, attributes in found.tags if tag == "a" and "data-name" in attributes]

    assert {"category", "tier", "status", "outcome"} <= selects
    assert {each["data-name"] for each in links} <= selects


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_answers_titles_and_models_stay_text(folder: Path, text: str) -> None:
    def build(words: str) -> Tags:
        results = score(folder, "half_and_half", before=f"{words}\n")
        scenarios = tuple(each.model_copy(update={"title": words}) for each in results.scenarios)
        runs = tuple(run.model_copy(update={"flags": (words,)}) for run in scenarios[0].runs)
        first = scenarios[0].model_copy(update={"runs": runs})
        wild = results.model_copy(update={"model": words, "scenarios": (first, *scenarios[1:])})
        materials = load_scenario_materials(folder, [results])
        report = build_report_card(wild)
        return Tags(render_html(replace(report, runs=build_run_pages({words: wild}, materials))))

    calm, found = build("calm"), build(text)

    assert [tag for tag, _ in found.tags] == [tag for tag, _ in calm.tags]
    # short cells have a class of their own, which depends on the length of a text
    names = [[set(attributes) - {"class"} for _, attributes in each.tags] for each in (found, calm)]
    assert names[0] == names[1]


def test_only_the_filter_script_may_run(folder: Path) -> None:
    page = render(folder, score(folder, "half_and_half"))
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL)
    policy = next(
        str(attributes["content"])
        for tag, attributes in Tags(page).tags
        if "http-equiv" in attributes and tag == "meta"
    )

    assert len(scripts) == 1
    digest = b64encode(sha256(scripts[0].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in policy
    assert "default-src 'none'" in policy
    assert "innerHTML" not in scripts[0]


def test_the_page_stands_without_the_scenarios_and_says_so() -> None:
    results = build_many_results(20)
    page = render_html(replace(build_report_card(results), runs=build_run_pages({"m": results})))

    assert "Name their folder with --scenarios." in page
    assert page.count('<details class="scenario">') == 20


def test_scenarios_of_another_set_are_not_mixed_in(folder: Path) -> None:
    other = build_results(build_scenario(MIX, [90.0], title="Another one"))
    found = load_scenario_materials(folder, [other])

    assert found.materials == {}
    assert "another title" in found.note


def test_changed_texts_are_reported(folder: Path) -> None:
    results = score(folder, "half_and_half").model_copy(update={"benchmark": "2 scenarios (000000000000)"})

    assert "have changed since" in load_scenario_materials(folder, [results]).note


def test_a_key_that_cannot_be_read_leaves_the_other_scenario_explained(folder: Path, tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.mkdir()
    name = f"{MIX}_mechanics.json"
    (keys / name).write_bytes((folder / "evaluation" / name).read_bytes())
    results = score(folder, "half_and_half")
    pages = build_run_pages({"m": results}, load_scenario_materials(folder, [results], keys)).scenarios

    assert pages[0].sides[0].answers[0].explanation is not None
    assert pages[1].sides[0].answers[0].explanation is None
    assert "No such file" in pages[1].sides[0].answers[0].why_not_explained


def test_equal_answers_are_shown_once_and_long_ones_are_cut() -> None:
    runs = tuple(build_run(90.0, number, answer="x" * 100_000) for number in (1, 2, 3))
    results = build_results(build_scenario("IM-0001", [], runs=runs))
    (page,) = build_run_pages({"m": results}, ScenarioMaterials({})).scenarios

    assert [len(each.runs) for each in page.sides[0].answers] == [3]
    assert "80000 characters left out" in render_long_text("x" * 100_000)


def test_720_long_answers_stay_within_the_budget() -> None:
    scenarios = [
        build_scenario(
            f"IM-{at:04d}",
            [],
            runs=tuple(build_run(50.0, n, answer=f"{at} {n} " + "x" * 30_000) for n in (1, 2, 3)),
        )
        for at in range(240)
    ]
    results = build_results(*scenarios)
    page = render_html(replace(build_report_card(results), runs=build_run_pages({"m": results})))

    assert len(page) < ANSWER_BUDGET + 2_000_000
