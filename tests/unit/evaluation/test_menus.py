"""Tests of menus: exact lines, neutral order, values, and answers that are executed as they are written."""

from __future__ import annotations

import json
from functools import cache
from random import Random

import pytest

from impossible_moments.blueprints import draw_instance, load_shipped_catalogue
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation import StepKind, score_interpreted_answer
from impossible_moments.evaluation.menus import (
    ActionMenu,
    LineKind,
    build_action_menu,
    find_revealed_deeds,
    interpret_menu_answer,
    render_menu_answer_in_words,
    render_menu_instructions,
)
from impossible_moments.evaluation.results import RunState
from impossible_moments.evaluation.runs.greedy_search import find_greedy_plan
from impossible_moments.evaluation.runs.menu_baselines import generate_random_answer
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.library import load_everyday_library
from support.worded_record import build_worded_record


@cache
def worded_key() -> AnswerKey:
    return AnswerKey.from_record("IM-0001", build_worded_record(), load_everyday_library())


@cache
def drawn_key(variant: str) -> AnswerKey:
    """A scenario of a shipped family, in which a share has to be chosen."""
    offer = next(
        each
        for each in load_shipped_catalogue().iterate_offers("The Last Ingredient")
        if each.name == f"between_two_bottles/{variant}"
    )
    instance = draw_instance(offer, load_everyday_library(), 1, 0)
    return AnswerKey.from_record("IM-0002", instance.record, load_everyday_library())


def code_of(menu: ActionMenu, call: str) -> str:
    line = menu.find_line_of_call(call)
    assert line is not None, call
    return line.code


def score(key: AnswerKey, **answer: object) -> ScoredAnswer:
    menu = build_action_menu(key)
    return score_interpreted_answer(interpret_menu_answer(json.dumps(answer), menu, key), key)


def test_a_menu_has_calls_near_misses_and_harmless_deeds() -> None:
    menu = build_action_menu(worded_key())

    assert {line.kind for line in menu.lines} >= {LineKind.CALL, LineKind.NEAR_MISS, LineKind.HARMLESS}
    assert len(menu.lines) >= 12
    assert len({line.text for line in menu.lines}) == len(menu.lines)


def test_the_order_of_a_menu_says_nothing_and_is_always_the_same() -> None:
    menu = build_action_menu(worded_key())
    kinds = [line.kind for line in menu.lines]

    assert menu == build_action_menu(worded_key())
    assert kinds != sorted(kinds)


def test_the_instructions_name_no_call_and_no_kind() -> None:
    text = render_menu_instructions(build_action_menu(worded_key()))

    assert "Tie a fridge magnet to a boot lace" in text
    assert "tie(" not in text
    assert "near miss" not in text


def test_the_right_lines_reach_the_goal() -> None:
    menu = build_action_menu(worded_key())
    plan = [code_of(menu, "tie(magnet, lace)"), code_of(menu, "fish(magnet, keys)")]

    assert score(worded_key(), verdict="solvable", plan=plan).score == 100


@pytest.mark.parametrize(
    "calls",
    [
        ["fish(magnet, keys)", "tie(magnet, lace)"],
        ["tie(magnet, umbrella)", "fish(magnet, keys)"],
        ["fish(magnet, keys)"],
        ["reach_down(keys)"],
    ],
)
def test_other_lines_or_another_order_do_not(calls: list[str]) -> None:
    menu = build_action_menu(worded_key())
    found = score(worded_key(), verdict="solvable", plan=[code_of(menu, call) for call in calls])

    assert found.state is RunState.SCORED
    assert found.components is not None
    assert found.components.outcome == 0


def test_a_near_miss_has_no_effect_and_costs_efficiency_only() -> None:
    menu = build_action_menu(worded_key())
    near = next(line.code for line in menu.lines if line.kind is LineKind.NEAR_MISS)
    plan = [code_of(menu, "tie(magnet, lace)"), near, code_of(menu, "fish(magnet, keys)")]
    found = score(worded_key(), verdict="solvable", plan=plan)

    assert found.components is not None
    assert (found.components.outcome, found.components.physical) == (100, 100)
    assert found.components.efficiency < 100


def test_harmless_deeds_are_free() -> None:
    menu = build_action_menu(worded_key())
    idle = next(line.code for line in menu.lines if line.kind is LineKind.HARMLESS)
    plan = [idle, code_of(menu, "tie(magnet, lace)"), code_of(menu, "fish(magnet, keys)"), idle]

    assert score(worded_key(), verdict="solvable", plan=plan).score == 100


def test_a_code_that_is_not_on_the_menu_does_nothing() -> None:
    menu = build_action_menu(worded_key())
    text = json.dumps({"verdict": "solvable", "plan": ["A999", "tie(magnet, lace)", 7, None, {"do": "A1"}]})
    found = interpret_menu_answer(text, menu, worded_key())

    assert StepKind.CALL not in {step.kind for step in found.steps[:4]}


@pytest.mark.parametrize("text", ["", "no", "{}", "[]", '{"verdict": []}', '{"plan": {"a": 1}}'])
def test_an_answer_without_content_has_no_passing_score(text: str) -> None:
    found = score_interpreted_answer(
        interpret_menu_answer(text, build_action_menu(worded_key()), worded_key()), worded_key()
    )

    assert found.score in {None, 0}


def test_a_step_that_follows_by_itself_is_added_and_has_no_line() -> None:
    key = drawn_key("slide_in_kisumu/proportion")
    menu = build_action_menu(key)
    value = next(line.code for line in menu.lines if line.kind is LineKind.VALUE)
    blend = code_of(menu, "blend(first, second)")

    assert menu.find_line_of_call("carry_on(work)") is None
    assert score(key, verdict="solvable", plan=[f"{value}=70", blend]).score == 100
    assert score(key, verdict="solvable", plan=[f"{value}=50", blend]).score == 0
    assert score(key, verdict="solvable", plan=[f"{value}=seventy", blend]).score == 0


def test_a_paradox_is_scored_by_the_conditions_that_are_named() -> None:
    key = drawn_key("loop_in_yakutsk/same_side")
    menu = build_action_menu(key)
    codes = {name: code for code, name in menu.condition_names.items()}
    right = [codes[name] for name in key.conflict if name in codes]
    wrong = [code for code in menu.conditions if code not in right]
    bare = score(key, verdict="impossible")
    partly = score(key, verdict="impossible", conflict=right[:3])
    fully = score(key, verdict="impossible", conflict=right)
    lucky = score(key, verdict="impossible", conflict=[right[0], wrong[0]])
    everything = score(key, verdict="impossible", conflict=list(menu.conditions))

    assert "carry_on.begun" not in codes
    assert fully.score == 100
    assert partly.score is not None
    assert 20 < partly.score < 100
    assert lucky.score is not None
    assert lucky.score < 5
    assert (bare.score, everything.score) == (0, 0)


def test_random_answers_rarely_pass() -> None:
    key, chance = worded_key(), Random(1)  # noqa: S311 - the same answers every time
    menu = build_action_menu(key)
    scores = [
        score_interpreted_answer(interpret_menu_answer(generate_random_answer(menu, chance), menu, key), key)
        for _ in range(2_000)
    ]

    assert sum((each.score or 0) >= 80 for each in scores) / len(scores) < 0.03


def test_a_menu_is_safe_only_if_the_text_names_its_deeds() -> None:
    text = "your keys, a fridge magnet, a boot lace"

    assert find_revealed_deeds(worded_key(), text) == ("tie(magnet, lace): joined", "fish(magnet, keys): up")
    assert find_revealed_deeds(worded_key(), f"{text}; tie, pull up") == ()


def test_judges_read_the_lines_of_an_answer_in_words() -> None:
    menu = build_action_menu(worded_key())
    answer = {"verdict": "open", "plan": [code_of(menu, "tie(magnet, lace)")], "claims": {"reach": "2 m"}}
    words = render_menu_answer_in_words(f"Because it is magnetic.\n{json.dumps(answer)}", menu)
    data = json.loads(words[words.index("{") :])

    assert words.startswith("Because it is magnetic.")
    assert data["plan"] == [{"do": "Tie a fridge magnet to a boot lace"}]
    assert data["claims"] == {"reach": "2 m"}


def test_a_greedy_search_finds_only_lines_that_can_be_executed() -> None:
    key = worded_key()
    plan = find_greedy_plan(key)
    outcome = key.analysis.executor.run_plan(key.analysis.executor.parse_plan(plan))

    assert not outcome.end.startswith(("blocked", "never"))
