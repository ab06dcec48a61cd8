"""Steps of an answer as calls of a record: by their things, then by their verb, and one reading each for a choice."""

from __future__ import annotations

import pytest

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerStep
from impossible_moments.evaluation.answers.common_verbs import list_common_verbs
from impossible_moments.evaluation.answers.step_resolution import (
    MOST_READINGS,
    StepReadings,
    find_named_premises,
    resolve_step,
)
from impossible_moments.evaluation.answers.step_values import iterate_puzzle_answers, parse_waiting_time
from support.every_case import find_failures
from support.scored_scenarios import build_golden_key, build_small_key
from support.small_worlds import build_action, build_approach, build_thing


def calls(do: str, *things: str, value: str = "", of: str = "blast_room") -> list[str]:
    return [move.text for move in read(do, *things, value=value, of=of).calls]


def read(do: str, *things: str, value: str = "", of: str = "blast_room") -> StepReadings:
    return resolve_step(AnswerStep(do, things, value), build_golden_key(of))


# verbs and things


@pytest.mark.parametrize(
    "do",
    ["break", "smash", "shatter", "Break!", "carefully break", "use", "hit and break", "use it to break"],
)
def test_a_verb_may_be_said_in_many_ways(do: str) -> None:
    assert calls(do, "the steel chair", "the window")[0] == "smash(chair, window)"


def test_things_may_come_in_any_order() -> None:
    assert calls("break", "the window", "a chair") == calls("break", "a chair", "the window")


def test_what_stands_fast_need_not_be_named_where_there_is_only_one_of_it() -> None:
    assert "smash(chair, window)" in calls("break", "a steel folding chair")


def test_what_it_is_done_with_has_to_be_named() -> None:
    assert "smash(chair, window)" not in calls("break", "the window")


def test_the_right_things_with_the_wrong_verb_are_no_call() -> None:
    assert "smash(chair, window)" not in calls("cool", "a steel folding chair", "the window")


def test_the_right_verb_with_the_wrong_thing_is_no_right_call() -> None:
    assert "smash(chair, window)" not in calls("break", "a banana", "the window")
    assert "climb_from(table, window)" not in calls("climb", "a banana", "the window")


def test_a_verb_alone_does_nothing_to_a_thing() -> None:
    def check(do: str) -> None:
        assert [move.text for move in read(do).calls if set(move.arguments) - {"you"}] == []

    assert find_failures(check, {each.verb: each.verb for each in list_common_verbs()}) == []


def test_a_list_of_verbs_is_no_step() -> None:
    every = ", ".join(each.verb for each in list_common_verbs() if each.verb not in {"break", "use", "hit"})
    assert "smash(chair, window)" not in calls(every[:150] + ", break", "a steel folding chair", "the window")


def test_a_step_has_so_many_readings_at_most() -> None:
    for do in ("use", "do", "move, take and break"):
        assert len(calls(do, "table", "chair", "window", "door", of="blast_room")) <= MOST_READINGS


# what is not known


def test_a_verb_that_nobody_knows_is_unknown() -> None:
    assert read("levitate", "an oak table").is_unknown


def test_a_thing_that_is_not_there_is_unknown() -> None:
    assert read("break", "the crowbar").is_unknown


def test_a_known_verb_with_a_known_thing_is_never_unknown() -> None:
    assert not read("cool", "a banana").is_unknown


# values


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("20 s", [20]),
        ("2 min", [120]),
        ("2 min 30 s", [150]),
        ("2 minutes and 30 seconds", [150]),
        ("1 hour, 5 minutes", [3900]),
        ("1,5 h", [5400]),
        ("half an hour", []),
        ("20", []),
        ("20 m", []),
        ("10 s or 20 s or 30 s", [10]),
        ("10 s, 20 s, 30 s", [10]),
        ("1 s, then 2 min", [1]),
        ("until 5 o'clock", []),
        ("", []),
    ],
)
def test_a_wait_is_one_time(said: str, seconds: list[float]) -> None:
    assert list(parse_waiting_time(said)) == seconds


def test_a_moment_waited_for_in_words_is_the_records() -> None:
    (move,) = read("wait", value="until the water level reaches the sill of the door", of="section_b").calls
    assert move.text == "wait_until('level + afloat >= door.sill')"


def test_a_moment_that_the_record_does_not_know_is_looked_at() -> None:
    found = read("wait", value="until help comes", of="section_b")
    assert (found.calls, found.is_unknown) == ((), True)


def accepted(said: str, record: str, puzzle: str) -> bool:
    world = build_golden_key(record).analysis.world
    return any(
        name == puzzle and world.puzzles[name].accepts_answer(value)
        for name, value in iterate_puzzle_answers(said, world)
    )


@pytest.mark.parametrize("said", ["4973", "4 9 7 3", "4-9-7-3", "the code is 4973", "4973.", "'4973'"])
def test_a_right_answer_may_be_said_in_other_words(said: str) -> None:
    assert accepted(said, "the_painted_hives", "boards")


@pytest.mark.parametrize(
    "said", ["7493", "4973 or 7493", "7493, 4973", "4973/7493", "49730", "4973 4927 7493", "not 7493", ""]
)
def test_who_gives_several_codes_gives_none(said: str) -> None:
    assert not accepted(said, "the_painted_hives", "boards")


@pytest.mark.parametrize("said", ["barometer", "the barometer", "Barometer, as the diary has it"])
def test_a_right_word_may_stand_among_others(said: str) -> None:
    assert accepted(said, "bore_that_sings", "breath_of")


@pytest.mark.parametrize(
    "said",
    [
        "warm_cave",
        "barometer or warm_cave",
        "warm cave, marsh gas, barometer",
        "barometer, gas",
        "barometer/gas",
    ],
)
def test_who_gives_several_words_gives_none(said: str) -> None:
    assert not accepted(said, "bore_that_sings", "breath_of")


@pytest.mark.parametrize("said", ["oxygen=2", "oxygen: 2", "oxygen = 2", "oxygen is 2"])
def test_a_pair_may_be_written_in_several_ways(said: str) -> None:
    assert accepted(said, "don_faustos_rack", "grey_row")


@pytest.mark.parametrize(
    "said", ["oxygen=4", "oxygen=2, oxygen=4", "oxygen=2 or 4", "oxygen 4 2", "2 3 4 5 oxygen"]
)
def test_who_gives_several_pairs_gives_none(said: str) -> None:
    assert not accepted(said, "don_faustos_rack", "grey_row")


@pytest.fixture(scope="module")
def choosing() -> AnswerKey:
    return build_small_key(
        quantities=["work = 5[s]", "tilt = choose {5[deg], 35[deg], 60[deg]}", "least = 30[deg]"],
        things=[build_thing("ramp", "up = false")],
        actions=[build_action("raise_it(r: ramp)", "r.up = true", when=("steep = tilt >= least",))],
        goal="ramp.up",
        approaches=[build_approach("way", "choose(tilt=35[deg])", "raise_it(ramp)")],
    )


@pytest.mark.parametrize(
    ("said", "chosen"),
    [
        ("35 deg", ["choose(tilt=35[deg])"]),
        ("tilt of 35 deg", ["choose(tilt=35[deg])"]),
        ("5 deg, 35 deg, 60 deg", ["choose(tilt=5[deg])"]),
        ("60 deg or 35 deg", ["choose(tilt=60[deg])"]),
        ("36 deg", []),
        ("35 kg", []),
        ("steep", []),
    ],
)
def test_a_choice_is_the_first_value_that_can_be_chosen(
    said: str, chosen: list[str], choosing: AnswerKey
) -> None:
    found = resolve_step(AnswerStep("choose", (), said), choosing)
    assert [move.text for move in found.calls] == chosen


# premises

QUOTE = "Whoever is on it crosses, and whoever is not stays"


@pytest.mark.parametrize(
    "said",
    [QUOTE, QUOTE.upper(), f"Nobody laid down that '{QUOTE.lower()}'.", "whoever is on it crosses and stays"],
)
def test_a_premise_is_named_by_its_words(said: str) -> None:
    assert find_named_premises(said, build_golden_key("whoever_is_on_it")) == {QUOTE}


TALE = """Old men at sea tell long tales of boats, weather, fish, nets, sails, ropes, tides, moons, gulls and home;
of storms that rose without warning, captains who drank, islands nobody found again, and wives who waited. """


@pytest.mark.parametrize("said", ["", "that the raft floats", "everything", f"{TALE}{QUOTE}"])
def test_who_says_something_else_or_recites_everything_names_no_premise(said: str) -> None:
    assert not find_named_premises(said, build_golden_key("whoever_is_on_it"))
