"""The scorer attacked on every golden record: mutants of winning answers, answers of others and injections lose."""

from __future__ import annotations

import json

import pytest

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.scorer_attack import (
    INJECTIONS,
    generate_winning_answers,
    reaches_goal_in_reference_executor,
)
from impossible_moments.evaluation.scoring import score_answer
from support.golden_records import NAMES, load_claims
from support.scored_scenarios import build_golden_key, build_plan, build_right_answer, is_passing

SOLVED = [name for name, claim in load_claims().items() if claim.partition("-")[0] in {"KS", "DG", "MT"}]
EVERY_SOLVED = pytest.mark.parametrize("name", SOLVED)


def passes_as_it_should_not(text: str, key: AnswerKey) -> bool:
    """Whether a mutant passes, and not as another plan that works as well: that one is right and flagged."""
    found = score_answer(text, key)
    return is_passing(text, key) and not (
        "unintended" in found.flags and reaches_goal_in_reference_executor(key, found.calls, frozenset())
    )


def test_the_solved_records_are_those_with_a_solved_status() -> None:
    assert [name for name in NAMES if build_golden_key(name).status in {"KS", "DG", "MT"}] == SOLVED


@EVERY_SOLVED
def test_the_scorer_accepts_the_ways_of_the_record(name: str) -> None:
    key = build_golden_key(name)
    assert [text for text in generate_winning_answers(key) if not is_passing(text, key)] == []


# mutants, made here by hand


@EVERY_SOLVED
def test_a_way_with_a_step_left_out_loses(name: str) -> None:
    key = build_golden_key(name)
    plan, rest = build_plan(key)
    cut = [json.dumps({**rest, "plan": plan[:at] + plan[at + 1 :]}) for at in range(len(plan))]
    assert [text for text in cut if passes_as_it_should_not(text, key)] == []


@EVERY_SOLVED
def test_a_way_with_other_things_loses(name: str) -> None:
    key = build_golden_key(name)
    plan, rest = build_plan(key)
    things = [f"the {word}" for word in ("crowbar", "helicopter", "magic wand")]
    for at, each in enumerate(plan):
        if each.get("with"):
            changed = [*plan[:at], {**each, "with": things[: len(each["with"])]}, *plan[at + 1 :]]
            assert not passes_as_it_should_not(json.dumps({**rest, "plan": changed}), key)


@EVERY_SOLVED
def test_a_way_with_another_answer_loses(name: str) -> None:
    key = build_golden_key(name)
    plan, rest = build_plan(key)
    for at, each in enumerate(plan):
        if each["do"] == "answer":
            changed = [*plan[:at], {**each, "value": "something else"}, *plan[at + 1 :]]
            assert not passes_as_it_should_not(json.dumps({**rest, "plan": changed}), key)


@pytest.mark.parametrize("name", NAMES)
def test_answers_of_other_scenarios_lose(name: str) -> None:
    key = build_golden_key(name)
    others = [build_right_answer(build_golden_key(each)) for each in NAMES if each != name]
    assert [text for text in others if is_passing(text, key)] == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", INJECTIONS, ids=range(len(INJECTIONS)))
def test_injections_lose(name: str, text: str) -> None:
    assert not is_passing(text, build_golden_key(name))
