"""Figures that answers in the plan form claim: false ones keep an answer from passing, doubtful ones are left for review."""

from __future__ import annotations

import json
from typing import Any

import pytest

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.results import RunState
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.evaluation.scoring import score_answer
from support.worded_scenarios import build_grate_key, build_worded_golden_key

KS = build_grate_key()
BIN = build_worded_golden_key(
    "bin_nine",
    actions=[
        {"call": "start", "menu": "Run {f}", "deed": "{f} runs.", "needs_said": ["fan = {f}", "on = run"]},
        {
            "call": "seal",
            "menu": "Shut it",
            "deed": "It is shut.",
            "needs_said": ["with = {s}", "shut = shut"],
        },
        {
            "call": "empty",
            "menu": "Empty",
            "deed": "It is empty.",
            "needs_said": ["out = {a}", "done = empty"],
        },
    ],
    uncertainties=[
        "fanned = how much the air feeds the nest",
        "choked = how warm it gets shut",
        "unload = how long emptying takes",
    ],
)
BLOW = [{"do": "run", "with": ["the floor fan"]}, {"do": "empty", "with": ["the sweep auger"]}]
SHUT = [{"do": "shut", "with": ["the tarpaulins and foam"]}, {"do": "empty", "with": ["the sweep auger"]}]
GRATE = [
    {"do": "tie", "with": ["the fridge magnet"], "to": "the boot lace"},
    {"do": "fish up", "with": ["the keys", "the fridge magnet"]},
]


def score(key: AnswerKey, **answer: Any) -> ScoredAnswer:
    return score_answer(json.dumps(answer), key)


def score_bin(**answer: Any) -> ScoredAnswer:
    given = {"crux": "how much the air feeds the nest", **answer}
    return score(BIN, verdict="contested", plan=BLOW, other_plans=[SHUT], **given)


def get_outcome(scored: ScoredAnswer) -> float | None:
    return scored.components.outcome if scored.state is RunState.SCORED and scored.components else None


@pytest.mark.parametrize(
    ("claims", "outcome"),
    [
        ({}, 100),
        ({"how deep the keys lie": "1.2 m"}, 100),
        ({"how deep the keys lie": "120 cm"}, 100),
        ({"how deep the keys lie": "0.4 m"}, 60),
        ({"how old the grate is": "40 years"}, 100),
    ],
)
def test_a_false_claim_about_a_quantity_that_decides_does_not_pass(
    claims: dict[str, str], outcome: float
) -> None:
    scored = score(KS, verdict="solvable", plan=GRATE, claims=claims)
    assert get_outcome(scored) == outcome, scored.note


def test_a_figure_in_running_text_that_contradicts_the_record_is_left_for_review() -> None:
    right = score(KS, verdict="solvable", plan=GRATE, because=["the keys lie 1.2 m deep"])
    wrong = score(KS, verdict="solvable", plan=GRATE, because=["the keys lie 0.4 m deep"])
    assert get_outcome(right) == 100, right.note
    assert wrong.state is RunState.REVIEW


@pytest.mark.parametrize(
    "at", ["above 2.2 K/h I shut it", "above 2.46 K/h it burns", "how much the air feeds the nest"]
)
def test_a_right_turning_point_passes(at: str) -> None:
    assert get_outcome(score_bin(because=[at])) == 100


def test_a_wrong_turning_point_is_left_for_review() -> None:
    scored = score_bin(crux="how much the air feeds the nest, above 1.2 K/h")
    assert scored.state is RunState.REVIEW
    assert "at which the choice does not change" in scored.note
