"""Unknowns and clues: one answer, none, several, or too many to try."""

import itertools
import json

import pytest

from impossible_moments.mechanics.findings.finding import Finding, Findings
from impossible_moments.mechanics.puzzles.clue_puzzle_solver import solve_clue_puzzle
from impossible_moments.mechanics.records.puzzle_forms import CluesPuzzle
from impossible_moments.mechanics.world.puzzle_solution import SolvedPuzzle
from support.fake_context import FakeContext

WHERE = "/puzzles/fuses"
THINGS = {"lamp": "tall = 31[cm]; lit = true", "bell": "tall = 15[cm]; lit = false", "rope": "long = 3[m]"}
LEFT = "left = red < blue @ the red fuse sits left of the blue one"
NEXT = "next = green == blue + 1 @ green comes right after blue"


def fuses(**changes: object) -> CluesPuzzle:
    written: dict[str, object] = {
        "kind": "clues",
        "name": "fuses",
        "unknowns": "red = choose {1, 2, 3}; blue = choose 1..3; green = choose 1..3",
        "different": ["red", "blue", "green"],
        "clues": [LEFT, NEXT],
        "asks": ["red", "blue"],
    }
    return CluesPuzzle.model_validate(written | changes)


def solved(**changes: object) -> tuple[SolvedPuzzle, list[Finding]]:
    findings = Findings()
    context = FakeContext(THINGS, ["slots = 3", "reach = 20[cm]", "gap = slots - 1", "broken = 1/0"])
    result = solve_clue_puzzle(fuses(**changes), context, findings, WHERE)
    return result, [*findings, *context.findings]


def only(code: str, found: list[Finding]) -> Finding:
    (finding,) = [each for each in found if each.code == code]
    return finding


def test_clues_that_leave_one_answer_have_nothing_wrong() -> None:
    result, found = solved()
    assert result.answers == ("red=1, blue=2",)
    assert result.exhausted
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "red=1, blue=2",
        "BLUE = 2 ; Red = 1.0",
        "blue: 2\nred: 1",
        "red=1, blue=2, green=9",
        '{"red": 1, "blue": 2}',
    ],
)
def test_a_right_answer_is_accepted_however_it_is_written(text: str) -> None:
    assert solved()[0].accepts_answer(text)


@pytest.mark.parametrize(
    "text", ["red=2, blue=1", "red=1", "1, 2", "", "red=1, red=2, blue=2", "red=1 blue=2", ",;="]
)
def test_a_wrong_or_partial_answer_is_refused(text: str) -> None:
    assert not solved()[0].accepts_answer(text)


def test_a_single_question_takes_the_bare_value() -> None:
    result, _ = solved(asks=["green"])
    assert result.answers == ("green=3",)
    assert result.accepts_answer("3")
    assert result.accepts_answer("green=3")
    assert not result.accepts_answer("2")


def test_only_what_is_asked_must_be_unique() -> None:
    result, found = solved(
        unknowns="red = choose 1..3; blue = choose 1..3; green = choose 1..2",
        different=[],
        clues=["low = red < 2 @ the lowest", LEFT],
        asks=["red"],
    )
    assert result.answers == ("red=1",)
    assert [each.code for each in found] == ["puzzle.redundant"]


def test_several_answers_are_ambiguous_and_two_are_named() -> None:
    result, found = solved(clues=[LEFT])
    assert only("puzzle.ambiguous", found).found == "red=1, blue=2; red=1, blue=3"
    assert result.answers == ("red=1, blue=2", "red=1, blue=3", "red=2, blue=3")
    assert result.facts["answers"] == 3


def test_clues_that_contradict_each_other_are_named_and_no_others() -> None:
    spare = "spare = green >= 1 @ green is somewhere"
    wrong = "wrong = red > blue + 0 @ red sits right of it"
    result, found = solved(clues=[spare, LEFT, NEXT, wrong])
    assert result.answers == ()
    assert result.exhausted
    assert result.facts["core"] == ["left", "wrong"]
    assert "`left`, `wrong` contradict each other" in result.explanation
    assert found == []


def test_a_clue_that_changes_nothing_is_noted() -> None:
    _, found = solved(clues=[LEFT, NEXT, "low = green >= 2 @ green is not first"])
    assert [(each.code, each.where) for each in found] == [("puzzle.redundant", "/puzzles/fuses/clues/low")]


def test_more_unknowns_that_differ_than_values_are_impossible_at_once() -> None:
    names = [f"u{number}" for number in range(12)]
    result, _ = solved(
        unknowns=[f"{name} = choose 1..11" for name in names], different=names, clues=[], asks=["u0"]
    )
    assert result.answers == ()
    assert result.exhausted
    assert "fewer than 12 values" in result.explanation


def test_words_truths_and_measures_can_be_asked_for() -> None:
    result, found = solved(
        unknowns="way = choose {North, South}; open = choose {true, false}; depth = choose 1..4[m]",
        different=[],
        clues=["a = way != 'South' @ not south", "b = not open @ shut", "c = depth > 350[cm] @ deep"],
        asks=["way", "open", "depth"],
    )
    assert found == []
    assert result.answers == ("way=North, open=false, depth=4[m]",)
    assert result.accepts_answer("way=north, open=False, depth=400[cm]")


def test_a_clue_may_read_the_records_quantities_and_the_properties_of_a_chosen_thing() -> None:
    result, found = solved(
        unknowns="which = choose {lamp, bell, rope}; slot = choose 1..3",
        different=[],
        asks=["which", "slot"],
        clues=["tall = which.tall >= reach @ above your reach", "last = slot == gap + 1 @ in the last slot"],
    )
    assert found == []
    assert result.answers == ("which=lamp, slot=3",)


@pytest.mark.parametrize(
    ("changes", "code", "where", "says"),
    [
        ({"unknowns": []}, "puzzle.form", "/unknowns", "one to 12"),
        ({"unknowns": "red = 3"}, "puzzle.form", "/unknowns/red", "is not an unknown"),
        ({"unknowns": "red = choose 1..2.5"}, "puzzle.form", "/unknowns/red", "whole"),
        ({"unknowns": "red = choose 1..1e999"}, "puzzle.form", "/unknowns/red", "whole"),
        ({"unknowns": "red = choose {a, A}"}, "name.twice", "/unknowns/red", "twice"),
        ({"unknowns": "red = choose"}, "quantity.form", "/unknowns/red", "is a decision"),
        ({"unknowns": "red = choose 1..61"}, "puzzle.not-exhausted", "/unknowns/red", "60"),
        ({"unknowns": [f"u{n} = choose 1..2" for n in range(13)]}, "puzzle.not-exhausted", "/unknowns", "12"),
        (
            {"clues": [f"c{n} = red < blue @ so" for n in range(61)]},
            "puzzle.not-exhausted",
            "/clues",
            "too many",
        ),
        ({"asks": ["rad"]}, "name.unknown", "/asks", "did you mean `red`"),
        ({"asks": []}, "puzzle.form", "/asks", "no unknown is asked for"),
        ({"asks": ["red", "red"]}, "name.twice", "/asks", "red"),
        ({"different": ["red", "bleu"]}, "name.unknown", "/different", "did you mean `blue`"),
        ({"clues": ["c = 1 < 2 @ so"]}, "puzzle.form", "/clues/c", "does not mention any unknown"),
        ({"clues": ["c = red < broken @ so"]}, "value.undefined", "/clues/c", "no value"),
        ({"clues": ["c = red < reach @ so"]}, "dimension.mismatch", "/clues/c", "compare"),
        ({"clues": [LEFT, LEFT]}, "name.twice", "/clues/left", "twice"),
    ],
)
def test_a_puzzle_whose_parts_do_not_fit_is_not_solved_and_says_why(
    changes: dict[str, object], code: str, where: str, says: str
) -> None:
    result, found = solved(**changes)
    named = [each for each in found if each.code == code and each.where == WHERE + where]
    assert named
    assert says in named[0].what
    assert (result.answers, result.exhausted) == ((), False)


def test_a_clue_without_a_quote_is_found() -> None:
    result, found = solved(clues=[LEFT, "next = green == blue + 1"])
    assert only("puzzle.form", found).where == "/puzzles/fuses/clues/next"
    assert result.answers == ("red=1, blue=2",)


HUGE = [f"u{number} = choose 1..60" for number in range(12)]
SUM = " + ".join(f"u{number}" for number in range(12))


@pytest.mark.parametrize(
    ("clues", "asks"),
    [
        ([], [f"u{number}" for number in range(12)]),
        ([f"total = {SUM} == 719.5 @ so"], ["u0"]),
        (
            [f"c{n} = max({', '.join([SUM] * 8)}) >= {n} @ so" for n in range(50)],
            ["u0", "u1", "u2", "u3"],
        ),
    ],
    ids=["nothing said", "nothing fits", "long clues"],
)
def test_a_search_that_is_too_large_is_given_up(clues: list[str], asks: list[str]) -> None:
    result, found = solved(unknowns=HUGE, different=[], clues=clues, asks=asks)
    assert only("puzzle.not-exhausted", found).where == WHERE
    assert not result.exhausted
    assert len(result.answers) <= 64


CONDITIONS = [
    "a + b == c",
    "a != b and b != c",
    "a < 3 or c > 2",
    "not a == d",
    "max(a, d) <= b + 1",
    "d*d >= b",
    "1/(a - b) > 0",
]


@pytest.mark.parametrize("some", list(itertools.combinations(range(len(CONDITIONS)), 3)), ids=str)
def test_the_search_finds_what_trying_everything_finds(some: tuple[int, ...]) -> None:
    def holds(condition: str, values: dict[str, int]) -> bool:
        try:
            return bool(eval(condition, {"max": max}, values))  # noqa: S307 - conditions of this file
        except ZeroDivisionError:
            return False

    every = (dict(zip("abcd", values, strict=True)) for values in itertools.product(range(1, 5), repeat=4))
    fitting = [each for each in every if all(holds(CONDITIONS[number], each) for number in some)]
    result, _ = solved(
        unknowns=[f"{name} = choose 1..4" for name in "abcd"],
        different=["c", "d"],
        clues=[f"c{number} = {CONDITIONS[number]} @ so" for number in some],
        asks=["d", "b"],
    )
    assert result.answers == tuple(
        sorted({f"d={each['d']}, b={each['b']}" for each in fitting if each["c"] != each["d"]})
    )


def test_the_same_puzzle_gives_the_same_result_as_plain_data() -> None:
    (one, found), (other, again) = solved(clues=[LEFT]), solved(clues=[LEFT])
    assert (one, found) == (other, again)
    assert json.loads(json.dumps(one.facts)) == one.facts
