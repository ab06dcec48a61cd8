"""What a model under test is shown: the situation and nothing that gives its answer away."""

from __future__ import annotations

import pytest

from impossible_moments.domain.seed import NO_BODILY_LIMIT
from impossible_moments.evaluation.answers.answer_parser import parse_answer
from impossible_moments.evaluation.runs.presentation import AnswerForm, Presentation, build_answer_prompt
from impossible_moments.scenarios.markdown import NOTHING
from impossible_moments.scenarios.scenario import BLIND, CAPABILITIES, Scenario
from support.scored_scenarios import load_published_keys, load_scenarios

EVERY = pytest.mark.parametrize("number", range(8))


def scenario_of(number: int) -> Scenario:
    return load_scenarios()[number]


@EVERY
def test_the_blind_presentation_shows_the_situation(number: int) -> None:
    scenario = scenario_of(number)
    prompt = build_answer_prompt(scenario)
    has_capabilities = NO_BODILY_LIMIT[1] not in scenario.sections[CAPABILITIES]
    assert (f"### {CAPABILITIES}" in prompt) == has_capabilities
    cells = [
        cell.strip()
        for name in BLIND
        if name != CAPABILITIES or has_capabilities
        for line in scenario.sections[name].splitlines()
        for cell in (line.strip("|").split("|") if line.startswith("|") else [line])
    ]
    unfilled = {"Mass", "Dimensions", "Material", NOTHING}
    assert [cell for cell in cells if cell not in prompt and cell not in unfilled] == []


@EVERY
def test_the_blind_presentation_hides_what_gives_the_answer_away(number: int) -> None:
    scenario = scenario_of(number)
    prompt = build_answer_prompt(scenario)
    hidden = [
        scenario.title,
        scenario.sections["Why This Looks Impossible"],
        scenario.sections["Common Wrong Answers"],
        scenario.correct_outcome,
        f"**Status**: {scenario.status}",
        scenario.tier,
        scenario.canary,
        scenario.scenario_id,
    ]
    assert [each for each in hidden if each and each in prompt] == []


@EVERY
def test_no_prompt_tells_the_insights(number: int) -> None:
    key = load_published_keys()[scenario_of(number).scenario_id]
    for presentation in Presentation:
        prompt = build_answer_prompt(scenario_of(number), presentation)
        assert [each.text for each in key.insights if each.text and each.text in prompt] == []


@EVERY
def test_what_surrounds_the_situation_is_the_same_for_every_scenario(number: int) -> None:
    scenario, other = scenario_of(number), scenario_of(number - 1)
    before, after = build_answer_prompt(scenario).split(scenario.blind.strip())
    assert build_answer_prompt(other) == f"{before}{other.blind.strip()}{after}"


def test_the_full_presentation_shows_all_that_is_public() -> None:
    scenario = scenario_of(0)
    assert scenario.text.strip() in build_answer_prompt(scenario, Presentation.FULL)


def test_the_plan_form_asks_for_a_json_object_and_the_free_form_does_not() -> None:
    plan, free = (
        build_answer_prompt(scenario_of(0), form=form) for form in (AnswerForm.PLAN, AnswerForm.FREE)
    )
    assert "one JSON object" in plan
    assert "JSON" not in free


def test_braces_in_a_situation_do_no_harm() -> None:
    scenario = scenario_of(0)
    odd = Scenario.parse(
        scenario.text.replace("\n## Scenario\n\n", "\n## Scenario\n\n{verbs} {0} {{}} "), "odd"
    )
    assert "{verbs} {0} {{}}" in build_answer_prompt(odd)


def test_who_repeats_the_prompt_has_answered_nothing() -> None:
    found = parse_answer(build_answer_prompt(scenario_of(0)))
    assert found is None or not found.plan
