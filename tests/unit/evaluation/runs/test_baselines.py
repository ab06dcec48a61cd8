"""The baselines: they answer every scenario in the plan form, the same each time, and earn what they should."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.answers.answer_parser import parse_answer
from impossible_moments.evaluation.runs.baselines import BASELINES, find_baseline
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.evaluation.scoring import score_answer
from support.scored_scenarios import load_published_keys, load_scenarios

EVERY_BASELINE = pytest.mark.parametrize("name", BASELINES)


@cache
def said(name: str) -> Mapping[str, str]:
    return {each.scenario_id: find_baseline(f"builtin:{name}")(each) for each in load_scenarios()}


def found(name: str) -> dict[str, ScoredAnswer]:
    return {each: score_answer(text, load_published_keys()[each]) for each, text in said(name).items()}


def status(scenario_id: str) -> str:
    return load_published_keys()[scenario_id].status


@EVERY_BASELINE
def test_a_baseline_answers_every_scenario_in_the_form(name: str) -> None:
    assert [each for each, text in said(name).items() if parse_answer(text) is None] == []


@EVERY_BASELINE
def test_a_baseline_says_the_same_each_time(name: str) -> None:
    scenario = load_scenarios()[0]
    assert find_baseline(name)(scenario) == said(name)[scenario.scenario_id]


def test_the_solver_solves_what_can_be_computed() -> None:
    passed = {
        each
        for each, result in found("solver").items()
        if result.components is not None and result.components.outcome >= 80
    }
    assert {status(each) for each in passed} >= {"KS", "PX"}


def test_the_quitter_earns_something_only_where_there_is_no_way() -> None:
    scores = {status(each): result.score for each, result in found("quitter").items()}
    # a quarter of the points of the assertion, because no reason is given
    assert scores.pop("PX") == 4
    assert set(scores.values()) <= {0, None}


@pytest.mark.parametrize("name", ["optimist", "random", "quitter"])
def test_who_does_not_think_passes_nothing(name: str) -> None:
    passed = [
        each
        for each, result in found(name).items()
        if result.components is not None and result.components.outcome >= 80
    ]
    assert passed == []


def test_chance_uses_things_of_the_text() -> None:
    for scenario in load_scenarios():
        plan = json.loads(said("random")[scenario.scenario_id])["plan"]
        named = {thing for step in plan for thing in (*step["with"], step["to"])}
        assert [thing for thing in named if thing not in scenario.sections["Available Objects"]] == []


@pytest.mark.parametrize("name", ["builtin:nobody", "builtin:", "nobody"])
def test_a_name_that_is_no_baseline_is_one_sentence(name: str) -> None:
    with pytest.raises(
        ConfigurationError, match=r"is not a built-in model\. The models are builtin:solver, .*\.$"
    ):
        find_baseline(name)
