"""What a translator sees of a record: codes, deeds and needed words, and nothing about what wins."""

from __future__ import annotations

import re

import pytest

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.judging.answer_quotes import QuotableAnswer
from impossible_moments.evaluation.translation import build_coded_record, build_reading_task
from impossible_moments.evaluation.translation.record_codes import DeedKind
from impossible_moments.library.everyday_library import load_everyday_library
from support.worded_record import build_worded_record
from support.worded_scenarios import (
    MIX,
    MIX_TWIN,
    build_bottles_key,
    build_grate_key,
    build_grate_scenario,
    find_code,
)

ANSWER = "I tie the magnet to the lace and fish the keys up."


def render_prompt(key: AnswerKey) -> str:
    return build_reading_task(build_grate_scenario(), ANSWER, build_coded_record(key)).user


def test_every_call_with_a_wording_has_a_code() -> None:
    deeds = build_coded_record(build_grate_key()).deeds
    assert {deed.call for deed in deeds} == {
        "tie(magnet, lace)", "tie(magnet, umbrella)", "fish(magnet, keys)", "reach_down(keys)", "wait",
    }  # fmt: skip
    assert len({deed.code for deed in deeds}) == len(deeds)


def test_the_same_scenario_has_the_same_codes_and_another_has_other_ones() -> None:
    first = AnswerKey.from_record("IM-0001", build_worded_record(), load_everyday_library())
    again = AnswerKey.from_record("IM-0001", build_worded_record(), load_everyday_library())
    assert build_coded_record(first) == build_coded_record(again)
    orders = set()
    for number in range(8):
        key = AnswerKey.from_record(f"IM-{number:04}", build_worded_record(), load_everyday_library())
        orders.add(tuple(deed.call for deed in build_coded_record(key).deeds))
    assert len(orders) > 1


def test_the_prompt_says_of_each_deed_what_it_needs_and_what_it_is_not() -> None:
    text, code = render_prompt(build_grate_key()), find_code(build_grate_key(), "tie(magnet, lace)")
    assert f"{code}: A fridge magnet is knotted to one end of a boot lace." in text
    assert "needs 'joined': tie | knot | fasten | hook" in text
    assert "needs 'line': boot lace | shoe lace | shoestring" in text
    assert "also: make a fishing line of a boot lace with a fridge magnet as its hook" in text
    assert "goes without saying: takes a boot lace out of the boot" in text
    assert "not this: hold a fridge magnet over the grate by hand" in text
    assert "- count your money" in text
    assert QuotableAnswer(ANSWER).fenced_text in text
    assert "1.2 m below the grate" in text


def test_values_have_a_label_and_a_unit_and_unsaid_steps_are_marked() -> None:
    text = render_prompt(build_bottles_key())
    assert "V1: share of glycerine in the filling (in percent)" in text
    code = find_code(build_bottles_key(), "carry_on(work)")
    assert re.search(rf"{code}: The loop is bled .*\n  - follows by itself", text)


def test_statements_conditions_and_uncertainties_are_coded_lists() -> None:
    text = render_prompt(build_grate_key())
    assert re.search(r"P\d: the umbrella is rolled up", text)
    assert re.search(r"C\d: the line reaches down 1.2 m", text)
    assert re.search(r"U\d: how far down an arm reaches", text)
    assert "fish.hangs" not in text


SECRETS = (
    "UNSEEN", "magnet_on_a_lace", "KS-Singular", "ways", "traps", "blocked", "reach_down", "tie(",
    "It comes out well", "A shoe lace is a line", "neither is a tool",
)  # fmt: skip


@pytest.mark.parametrize("secret", SECRETS)
def test_it_reveals_no_name_of_the_record_and_nothing_about_what_wins(secret: str) -> None:
    assert secret not in render_prompt(build_grate_key())


@pytest.mark.parametrize(
    "secret", ["the_right_share", "use_alone", "send_for", "0.66)", "KS", "half_and_half"]
)
def test_a_drawn_scenario_reveals_none_either(secret: str) -> None:
    assert secret not in render_prompt(build_bottles_key())


def test_the_prompts_of_twins_have_the_same_lists() -> None:
    """The premises, conditions and uncertainties do not show which of the two can be solved."""
    sections = [
        re.findall(r"^# .*$", render_prompt(build_bottles_key(each)), re.MULTILINE)
        for each in (MIX, MIX_TWIN)
    ]
    assert sections[0] == sections[1]


def test_hypotheses_of_a_diagnosis_are_conclusions() -> None:
    wording = {
        "answers": [
            "source.battery = the battery is flat | an empty battery",
            "source.bulb = the bulb is gone",
        ]
    }
    puzzle = {
        "kind": "diagnosis", "name": "source", "observations": ["dark = true @ it is dark"],
        "hypotheses": [
            {"name": "battery", "predicts": ["dark = true"]}, {"name": "bulb", "predicts": ["dark = false"]},
        ],
    }  # fmt: skip
    record = build_worded_record(**wording)
    record["prose"]["narrative"] += " In the cellar it is dark."
    key = AnswerKey.from_record("IM-0001", {**record, "puzzles": [puzzle]}, load_everyday_library())
    found = {deed.call: deed for deed in build_coded_record(key).deeds if deed.kind is DeedKind.CONCLUSION}
    assert set(found) == {"answer(source, 'battery')", "answer(source, 'bulb')"}
    flat = found["answer(source, 'battery')"]
    assert (flat.text, flat.also) == (
        "The answer concludes, or gives as its reason: the battery is flat.",
        ("an empty battery",),
    )
