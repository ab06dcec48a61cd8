"""Tests of the deterministic reader: nothing counts that an answer does not say."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from impossible_moments.evaluation.interpretation import StepKind
from impossible_moments.evaluation.reader import StepReader
from impossible_moments.evaluation.results import RunState
from impossible_moments.evaluation.scoring import score_answer
from unit.evaluation.test_menus import drawn_key, worded_key

RIGHT: list[list[object]] = [
    ["Tie the fridge magnet to the boot lace.", "Fish the keys up with it."],
    ["Take the shoestring out and knot it to the magnet", "Let it down and pull the keys up"],
    ["Knot the magnet to your shoe lace, let it down and haul the key ring up"],
    [{"do": "fasten", "with": ["magnet"], "to": "boot lace"}, {"do": "lift", "with": ["keys"]}],
]
WRONG_DEED: list[list[object]] = [
    ["Put the magnet and the boot lace into your bag.", "Fish the keys up."],
    ["Tie the magnet to the umbrella.", "Fish the keys up with it."],
    ["Hold the fridge magnet over the grate by hand.", "Pull the keys up."],
    ["Fish the keys up.", "Tie the magnet to the boot lace."],
    ["Do not tie the magnet to the boot lace.", "Fish the keys up."],
]


def answer(plan: Sequence[object], verdict: str = "solvable") -> str:
    return json.dumps({"verdict": verdict, "plan": plan})


@pytest.mark.parametrize("plan", RIGHT)
def test_a_right_answer_in_plain_words_is_accepted(plan: list[object]) -> None:
    found = score_answer(answer(plan), worded_key())

    assert (found.state, found.score) == (RunState.SCORED, 100), found.note


@pytest.mark.parametrize("plan", WRONG_DEED)
def test_the_right_things_with_another_deed_are_not(plan: list[object]) -> None:
    found = score_answer(answer(plan), worded_key())

    assert found.score is None or found.score < 80, found.note


def test_what_is_not_said_goes_to_review_with_the_true_reason() -> None:
    found = score_answer(answer(["Use the magnet with the boot lace.", "Fish the keys up."]), worded_key())

    assert found.state is RunState.REVIEW
    assert "it does not say: joined" in found.note


def test_telling_and_looking_are_free() -> None:
    plan = ["Look through the grate first.", "Tell a passer-by what happened.", *RIGHT[0]]

    assert score_answer(answer(plan), worded_key()).score == 100


def test_an_ambiguous_step_is_not_guessed() -> None:
    reader = StepReader(worded_key())
    (step,) = reader.read_step("Tie the fridge magnet to the boot lace or the rolled umbrella")

    assert (step.kind, step.call) == (StepKind.UNREAD, "")


def test_plain_sentences_without_the_form_are_read_if_they_reach_the_goal() -> None:
    found = score_answer("I tie the magnet to the boot lace. Then I fish the keys up with it.", worded_key())

    assert (found.state, found.score) == (RunState.SCORED, 100)


@pytest.mark.parametrize(
    "text",
    [
        "It cannot be done. I could tie the magnet to the boot lace and fish the keys up, but it is too short.",
        "If I tie the magnet to the boot lace, I can fish the keys up with it.",
    ],
)
def test_plain_sentences_that_weigh_an_act_are_left_for_review(text: str) -> None:
    assert score_answer(text, worded_key()).state is RunState.REVIEW


def test_garbage_is_unscored_or_open_and_never_zero() -> None:
    for text in ("I would rather not.", "lorem ipsum", "\x00"):
        assert score_answer(text, worded_key()).score is None


@pytest.mark.parametrize(
    ("share", "is_right"), [("70 %", True), ("50 %", False), ("70 percent", True), ("half", False)]
)
def test_a_value_is_read_with_its_unit(share: str, is_right: bool) -> None:  # noqa: FBT001 - a row of the table
    key = drawn_key("slide_in_kisumu/proportion")
    plan = [
        f"Make the share of clove oil in the mixture {share}.",
        "Mix the clove oil and the castor oil in a vial.",
    ]
    found = score_answer(answer(plan), key)

    assert (found.score == 100) == is_right, found.note
