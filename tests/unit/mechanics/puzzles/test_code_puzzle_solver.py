"""A code read off a shelf: what the solver computes, and which flaws it finds."""

import json
import pickle

import pytest

from impossible_moments.mechanics.findings.finding import Finding, Findings
from impossible_moments.mechanics.puzzles.code_puzzle_solver import solve_code_puzzle
from impossible_moments.mechanics.records.puzzle_forms import CodePuzzle
from impossible_moments.mechanics.world.puzzle_solution import SolvedPuzzle
from support.fake_context import FakeContext

WHERE = "/puzzles/shelf"
SHELF = {
    "lamp": "place = 1; dust = 0; tall = 31[cm]; knots = 4; letters = 4",
    "gull": "place = 2; dust = 3; tall = 40[cm]; knots = 1; letters = 4",
    "kettle": "place = 3; dust = 0; tall = 22[cm]; knots = 7; letters = 6",
    "bell": "place = 4; dust = 0; tall = 15[cm]; knots = 2; letters = 4",
    "globe": "place = 5; dust = 2; tall = 27[cm]; knots = 5; letters = 5",
    "mug": "place = 6; dust = 0; tall = 9[cm]; knots = 8; letters = 3",
    "flag": "place = 7; dust = 4; tall = 60[cm]; knots = 3; letters = 4",
    "box": "open = false",
}
KEEP = "c_keep = keep == 'used' @ what he needed he kept clean"
ORDER = "c_order = order == 'small_first' @ start with the small ones"
READ = "c_read = read == 'knot_count' @ he never could spell, but he could tie"


def shelf(**changes: object) -> CodePuzzle:
    written: dict[str, object] = {
        "kind": "code",
        "name": "shelf",
        "items": ["lamp", "gull", "kettle", "bell", "globe", "mug", "flag"],
        "length": 4,
        "keep": "used(i) = i.dust == 0; four_letters(i) = i.letters == 4; tallest(i) = i.tall >= 27[cm]",
        "order": "shelf_order(i) = i.place; small_first(i) = i.tall; fewest_knots(i) = i.knots",
        "read": "knot_count(i) = i.knots; letter_count(i) = i.letters; place_count(i) = i.place",
        "clues": [KEEP, ORDER, READ],
        "answer": "used/small_first/knot_count",
        "tempting": ["used/shelf_order/knot_count", "four_letters/shelf_order/knot_count"],
    }
    return CodePuzzle.model_validate(written | changes)


def solved(**changes: object) -> tuple[SolvedPuzzle, list[Finding]]:
    findings = Findings()
    context = FakeContext(SHELF)
    result = solve_code_puzzle(shelf(**changes), context, findings, WHERE)
    return result, [*findings, *context.findings]


def only(code: str, found: list[Finding]) -> Finding:
    (finding,) = [each for each in found if each.code == code]
    return finding


def test_the_keepers_shelf_reads_8274_and_nothing_is_wrong_with_it() -> None:
    result, found = solved()
    assert result.answers == ("8274",)
    assert found == []


def test_the_facts_count_readings_and_name_what_kills_each_tempting_one() -> None:
    facts = solved()[0].facts
    assert (facts["readings"], facts["well_formed"], facts["distinct_codes"]) == (27, 27, 25)
    assert facts["tempting"] == {
        "used/shelf_order/knot_count": {"code": "4728", "killed_by": ["c_order"]},
        "four_letters/shelf_order/knot_count": {"code": "4123", "killed_by": ["c_keep", "c_order"]},
    }


@pytest.mark.parametrize("text", ["8274", " 8 2 7 4 ", "'8274'", "82 74\n"])
def test_a_right_code_is_accepted_however_it_is_spaced(text: str) -> None:
    assert solved()[0].accepts_answer(text)


@pytest.mark.parametrize("text", ["4728", "08274", "", "8274.0", "8" * 10_000])
def test_a_wrong_code_is_refused(text: str) -> None:
    assert not solved()[0].accepts_answer(text)


def test_a_leading_zero_is_part_of_the_code() -> None:
    result, _ = solved(
        read="dust_count(i) = i.dust; knot_count(i) = i.knots",
        clues=[KEEP.replace("used", "tallest"), ORDER, READ.replace("knot_count", "dust_count")],
        answer="tallest/small_first/dust_count",
        tempting=[],
    )
    assert result.answers == ("2034",)
    reverse, _ = solved(
        order="shelf_order(i) = i.place; small_first(i) = i.tall",
        read="dust_count(i) = i.dust; knot_count(i) = i.knots",
        clues=["c = keep == 'tallest' and order == 'shelf_order' and read == 'dust_count' @ so"],
        answer="tallest/shelf_order/dust_count",
        tempting=[],
    )
    assert reverse.answers == ("0324",)
    assert reverse.accepts_answer("0324")
    assert not reverse.accepts_answer("324")


def test_a_shelf_that_lacks_a_clue_is_ambiguous_and_says_which_part_is_unclued() -> None:
    result, found = solved(clues=[KEEP, READ])
    assert len(result.answers) == 3
    assert "c_order = order == 'small_first'" in only("puzzle.ambiguous", found).expected
    unclued = [each for each in found if each.code == "puzzle.unclued"]
    assert [each.where for each in unclued] == ["/puzzles/shelf/order/small_first"] * 2
    assert unclued[0].expected == "c_order = order == 'small_first' @ exact words of the prose"


def test_the_stated_answer_must_be_the_one_the_clues_leave() -> None:
    result, found = solved(answer="used/shelf_order/knot_count", tempting=[])
    finding = only("puzzle.answer", found)
    assert finding.where == "/puzzles/shelf/answer"
    assert "c_order" in finding.what
    assert "used/small_first/knot_count (8274)" in finding.expected
    assert result.answers == ("8274",)


def test_an_answer_that_is_not_well_formed_says_why() -> None:
    _, found = solved(length=3, tempting=[])
    assert "keeps 4 items" in only("puzzle.answer", found).what


def test_clues_that_exclude_each_other_leave_no_answer_and_are_named() -> None:
    result, found = solved(clues=[KEEP, ORDER, READ, "c_not = keep != 'used' @ never the clean ones"])
    assert result.answers == ()
    assert result.exhausted
    assert result.facts["core"] == ["c_keep", "c_not"]
    assert "c_not" in result.explanation
    assert only("puzzle.answer", found).where == "/puzzles/shelf/answer"


def test_a_clue_that_changes_nothing_is_noted() -> None:
    _, found = solved(clues=[KEEP, ORDER, READ, "c_more = read != 'letter_count' @ he could not spell"])
    assert [each.where for each in found] == ["/puzzles/shelf/clues/c_more"]
    assert found[0].code == "puzzle.redundant"


@pytest.mark.parametrize(
    ("tempting", "says"),
    [
        ("used/small_first/knot_count", "intended code"),
        ("tallest/small_first/small", "no rule in read `small`"),
        ("used/small_first", "three rules"),
    ],
)
def test_a_reading_that_tempts_nobody_is_found(tempting: str, says: str) -> None:
    _, found = solved(tempting=[tempting])
    assert says in found[0].what
    assert found[0].where == "/puzzles/shelf/tempting/0"


def test_a_tempting_reading_that_no_clue_excludes_is_found() -> None:
    _, found = solved(clues=[KEEP, READ], tempting=["used/shelf_order/knot_count"])
    assert "no clue excludes it" in only("puzzle.tempting", found).what


def test_a_tie_in_the_order_gives_no_code() -> None:
    result, found = solved(
        order="by_dust(i) = i.dust; small_first(i) = i.tall",
        answer="used/by_dust/knot_count",
        clues=[KEEP, READ],
        tempting=[],
    )
    assert "the same place" in only("puzzle.answer", found).what
    assert result.answers == ("8274",)


@pytest.mark.parametrize(
    ("read", "why"),
    [
        ("knot_count(i) = i.knots/3; other(i) = i.place", "no whole number"),
        ("knot_count(i) = -i.knots; other(i) = i.place", "no whole number"),
        ("knot_count(i) = i.knots*50; other(i) = i.place", "no whole number"),
        ("knot_count(i) = i.knots/i.dust; other(i) = i.place", "has no value"),
    ],
)
def test_a_reading_needs_whole_numbers_from_0_to_99(read: str, why: str) -> None:
    _, found = solved(read=read, tempting=[])
    assert why in only("puzzle.answer", found).what


def test_an_item_that_lacks_a_property_gives_no_code() -> None:
    _, found = solved(items=[*SHELF], tempting=[])
    assert "no value for the item `box`" in only("puzzle.answer", found).what


@pytest.mark.parametrize(
    ("changes", "code", "where", "says"),
    [
        ({"items": ["lamp", "gul", "kettle", "bell"]}, "name.unknown", "/items", "`gull`"),
        ({"items": ["lamp", "lamp", "kettle", "bell"]}, "name.twice", "/items", "lamp"),
        ({"length": 9}, "puzzle.form", "/length", "longer"),
        ({"keep": []}, "puzzle.form", "/keep", "no rule"),
        ({"keep": "used = i.dust == 0"}, "line.form", "/keep/0", "used"),
        ({"keep": "used(i) = i.dust == 0; used(o) = o.dust == 1"}, "name.twice", "/keep/used", "twice"),
        ({"keep": "used(i) = i.dust =="}, "expression.form", "/keep/used", "cannot parse"),
        ({"keep": "used(i) = i.dust"}, "dimension.mismatch", "/keep/used", "condition"),
        ({"clues": ["c = keep == 'usd' @ clean"]}, "name.unknown", "/clues/c", "`used`"),
        ({"clues": ["c = keeps == 'used' @ clean"]}, "name.unknown", "/clues/c", "`keep`"),
        ({"clues": ["c = keep == order @ clean"]}, "puzzle.form", "/clues/c", "must compare keep"),
        ({"clues": ["keep is used"]}, "line.form", "/clues/0", "name = value"),
        ({"answer": "used"}, "puzzle.form", "/answer", "three rules"),
        ({"answer": "used/small/knot_count"}, "name.unknown", "/answer", "small"),
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


def test_a_clue_without_a_quote_is_found_and_the_puzzle_solved_all_the_same() -> None:
    result, found = solved(clues=[KEEP, ORDER, "c_read = read == 'knot_count'"])
    assert "exact words of the prose" in only("puzzle.form", found).expected
    assert result.answers == ("8274",)


def test_a_puzzle_with_one_reading_is_no_puzzle() -> None:
    _, found = solved(
        keep="used(i) = i.dust == 0", order="small_first(i) = i.tall", read="knot_count(i) = i.knots"
    )
    assert "only one reading" in only("puzzle.form", found).what


def test_clues_may_join_and_deny() -> None:
    result, _ = solved(
        clues=["c = not (keep != 'used' or order != 'small_first') and 'knot_count' == read @ so"]
    )
    assert result.answers == ("8274",)


def test_too_many_readings_are_not_tried() -> None:
    rules = [f"r{number}(i) = i.place + {number}" for number in range(300)]
    result, found = solved(order=rules, read=rules, clues=[KEEP], answer="used/r1/r1", tempting=[])
    assert only("puzzle.not-exhausted", found).found == "270000 readings of 7 items"
    assert not result.exhausted


def test_the_same_puzzle_gives_the_same_result_and_survives_storage() -> None:
    (one, found), (other, again) = solved(clues=[READ]), solved(clues=[READ])
    assert (one, found) == (other, again)
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301 - written a moment ago
    assert json.loads(json.dumps(one.facts)) == one.facts
