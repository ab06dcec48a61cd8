"""Answers to puzzles in other words than the record, and answers that state several values."""

from __future__ import annotations

import pytest

from impossible_moments.evaluation.answers.puzzle_answers import (
    _has_values_in_their_places,
    contradicts_puzzle,
    iterate_puzzle_answers,
)
from impossible_moments.mechanics.records import CluesPuzzle
from impossible_moments.mechanics.records.puzzle_forms import CodePuzzle
from impossible_moments.mechanics.world import SolvedPuzzle
from support.fair_answers import draw_key
from support.scored_scenarios import build_golden_key


def accepted(said: str, record: str, puzzle: str) -> bool:
    world = build_golden_key(record).analysis.world
    return any(
        name == puzzle and world.puzzles[name].accepts_answer(value)
        for name, value in iterate_puzzle_answers(said, world)
    )


@pytest.mark.parametrize(
    "said",
    [
        "4973",
        "4 9 7 3",
        "4-9-7-3",
        "the code is 4973",
        "4973.",
        "'4973'",
        "four, nine, seven, three",
        "Four nine seven and three.",
    ],
)
def test_a_right_answer_may_be_said_in_other_words(said: str) -> None:
    assert accepted(said, "the_painted_hives", "boards")


@pytest.mark.parametrize(
    "said",
    [
        "7493",
        "4973 or 7493",
        "7493, 4973",
        "4973/7493",
        "49730",
        "4973 4927 7493",
        "not 7493",
        "",
        "seven, four, nine, three",
        "four, nine, seven, thirteen",
    ],
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


@pytest.mark.parametrize(
    ("said", "is_right"),
    [
        ("first=1, second=7, third=4", True),
        ("second 7, first 1, third 4", True),
        ("one after the other: 1, 7, 4", True),
        ("first=1, second=4, third=7", False),
        ("7, 1, 4", False),
    ],
)
def test_values_belong_to_their_names(said: str, is_right: bool) -> None:  # noqa: FBT001 - a column of the table
    assert _has_values_in_their_places(said, "first=1, second=7, third=4") is is_right


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("letter=yes, call=no, place=halt", False),
        ("letter=yes, call=no, place=the railway halt", False),
        ("place=halt", False),
        ("place=where the train stops", False),
        ("letter=yes", False),
        ("place=ferry", True),
        ("letter=yes, call=no, place=the ferry", True),
        ("letter=no, place=halt", True),
    ],
)
def test_an_answer_contradicts_a_puzzle_only_by_another_of_its_values(text: str, *, is_wrong: bool) -> None:
    unknowns = ["letter = choose {'yes', 'no'}", "place = choose {'halt', 'ferry', 'home'}"]
    puzzle = CluesPuzzle(
        kind="clues", name="truth", unknowns=unknowns, clues=[], asks=["letter", "place"], gives=[]
    )
    solved = SolvedPuzzle(
        "truth", "clues", ("letter=yes, place=halt",), {}, "", exhausted=True, asks=("letter", "place")
    )
    assert contradicts_puzzle(text, solved, puzzle) is is_wrong


def test_a_code_contradicts_a_puzzle_if_it_has_its_length() -> None:
    solved = SolvedPuzzle("row", "code", ("31425",), {}, "", exhausted=True)
    puzzle = CodePuzzle(
        kind="code",
        name="row",
        items=["lamp", "gull", "kettle", "rope", "oar"],
        length=5,
        keep=["all_of_them(i) = i.tall > 0[cm]", "dusty(i) = i.dust == 1"],
        order=["by_size(i) = i.tall", "by_place(i) = i.place"],
        read=["rings(i) = i.rings", "knots(i) = i.knots"],
        clues=[],
        answer="all_of_them/by_size/rings",
    )
    assert not contradicts_puzzle("3-1-4-2-5", solved, puzzle)
    assert contradicts_puzzle("3-1-4-5-2", solved, puzzle)
    assert not contradicts_puzzle("the third ring first", solved, puzzle)


CELLAR = draw_key("what_silence_told/cellar_of_two_keys/told")


@pytest.mark.parametrize(
    ("said", "is_right"),
    [("beam={beam}, bin={bin}", True), ("bin={bin}, beam={beam}", True), ("beam={bin}, bin={beam}", False)],
)
def test_a_value_that_is_given_to_the_wrong_unknown_by_name_is_not_read(said: str, *, is_right: bool) -> None:
    world = CELLAR.analysis.world
    right = dict(part.strip().split("=") for part in world.puzzles["truth"].answers[0].split(","))
    answers = dict(iterate_puzzle_answers(said.format(**right), world))
    assert world.puzzles["truth"].accepts_answer(answers["truth"]) is is_right
