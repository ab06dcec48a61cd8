"""Answers that were once scored unfairly: right ones are accepted, near misses are not."""

from __future__ import annotations

import json
from functools import cache

import pytest

from impossible_moments.blueprints import draw_instance, load_shipped_catalogue
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.reader import read_answer
from impossible_moments.evaluation.results import RunState
from impossible_moments.evaluation.scoring import score_answer
from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.language import TIME
from unit.evaluation.test_menus import worded_key

HUER = "say_it_wrong/huer_on_the_cliff/inverted"
WINDOW = "little_of_another/marshrutka_glass/right_kind"
SLEDGE = "two_strangers/sledge_log/brittle"
COMET = "both_of_its_duties/comet_at_khovd/several"
RULE = "long_sleep/winch_and_ice/contested"
CHEST = "as_nature_sorts/harbour_mural/slow_lock"


@cache
def drawn(name: str) -> AnswerKey:
    offer = next(each for each in load_shipped_catalogue().iterate_offers() if each.name == name)
    instance = draw_instance(offer, load_everyday_library(), 1, 0)
    return AnswerKey.from_record("IM-0001", instance.record, load_everyday_library())


def plan(*steps: object, **more: object) -> str:
    return json.dumps({"verdict": "solvable", "plan": list(steps), **more})


def outcome(text: str, key: AnswerKey) -> float | None:
    found = score_answer(text, key)
    return (
        None if found.state is not RunState.SCORED or found.components is None else found.components.outcome
    )


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        (
            WINDOW,
            (
                "Pick the ceramic crumb of the broken spark plug out of the tin",
                "Press it hard, point first, against the side window so that the glass crazes",
                "Climb out through the window",
            ),
        ),
        (
            SLEDGE,
            (
                "Soak the wool blanket strips with the melt water",
                "Wind the wet strips round the broken runner and let every layer freeze solid",
            ),
        ),
        (COMET, ("Wind the plumber's tape round the worm", "Close the gearbox and take the plate")),
    ],
)
def test_a_right_plan_in_other_words_is_accepted(name: str, steps: tuple[str, ...]) -> None:
    assert outcome(plan(*steps), drawn(name)) == 100


def test_the_name_of_a_thing_does_not_say_a_deed() -> None:
    """The broken spark plug breaks nothing."""
    text = plan("Leave the broken spark plug in the tin", "Climb out through the window")
    assert outcome(text, drawn(WINDOW)) != 100


@pytest.mark.parametrize("form", ["{0} m", "{1} cm", "{2} km"])
def test_a_computed_value_counts_in_any_unit_although_the_record_offers_steps(form: str) -> None:
    key = drawn(HUER)
    values = {
        name: key.analysis.world.quantities[name].value for name in ("now_at", "swims", "talk", "rowing")
    }
    numbers = {name: float(value) for name, value in values.items() if isinstance(value, int | float)}
    metres = round(numbers["now_at"] + numbers["swims"] * (numbers["talk"] + numbers["rowing"]))
    right = form.format(metres, 100 * metres, metres / 1000)
    assert outcome(plan(f"Point the crew to a mark {right} past the chapel rock"), key) == 100
    wrong = round(numbers["now_at"] + numbers["swims"] * numbers["rowing"])
    assert outcome(plan(f"Point the crew to a mark {wrong} m past the chapel rock"), key) != 100


def test_the_deed_with_another_thing_is_left_for_review() -> None:
    text = json.dumps(
        {
            "verdict": "contested",
            "plan": ["Cool the revived in the tub of meltwater"],
            "other_plans": [["Keep them warm and without fever"]],
        }
    )
    assert score_answer(text, drawn(RULE)).state is RunState.REVIEW


def test_telling_filming_and_signalling_cost_nothing() -> None:
    steps = (
        "Tell the pilot what you are about to do", "Film it", "Signal to the people on the platform",
        "Tie the magnet to the boot lace", "Fish the keys up",
    )  # fmt: skip
    assert score_answer(plan(*steps), worded_key()).score == 100


def test_using_every_object_is_no_answer() -> None:
    steps = [{"do": "use", "with": [each]} for each in ("magnet", "boot lace", "umbrella", "keys")]
    assert outcome(plan(*steps), worded_key()) != 100


def test_a_deciding_step_is_not_added_for_the_solver() -> None:
    assert outcome(plan("Fish the keys up"), worded_key()) != 100


def test_what_is_taken_back_is_left_for_review() -> None:
    steps = ("Tie the magnet to the boot lace", "Take the magnet off again", "Fish the keys up")
    assert score_answer(plan(*steps), worded_key()).state is RunState.REVIEW


@pytest.mark.parametrize("verb", ["tie", "knot", "fasten"])
def test_the_fields_of_a_step_may_all_be_used(verb: str) -> None:
    steps = (
        {"do": verb, "with": ["magnet"], "to": "boot lace"},
        {"do": "lift", "with": ["keys"], "to": "you"},
    )
    assert outcome(plan(*steps), worded_key()) == 100


def test_a_time_of_the_record_that_is_too_long_names_the_deadline_and_a_wrong_one_does_not() -> None:
    key = drawn(CHEST)
    times = [
        float(each.value)
        for each in key.analysis.world.quantities.values()
        if each.display_unit is not None
        and each.display_unit.dimension == TIME
        and isinstance(each.value, int | float)
    ]
    assert key.time is not None
    longer = next(each for each in times if 1.1 * key.time < each < 3 * key.time) / 60
    reasons = [f"the way to the registry takes {longer:g} min", f"the way takes {longer * 7.3:g} min"]
    right, wrong = read_answer(json.dumps({"verdict": "impossible", "conflict": reasons}), key).conflict
    assert "deadline" in right
    assert "deadline" not in wrong
