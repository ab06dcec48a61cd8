"""Draws give numbers of a grid, words, and what is computed from them, each from a stream of its own."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.blueprints.parameter_draws import DrawError, draw_values, substitute_draws

SEEDS = range(200)
ONES = {"sill": "2.6..3.2 by 0.05", "hull": "a lighter | a coaster | a scow", "bolts": "4"}
names = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)


def one(text: str, seed: object = 0) -> str:
    return draw_values({"it": text}, seed)["it"]


def refusal(draws: dict[str, str]) -> str:
    with pytest.raises(DrawError) as caught:
        draw_values(draws, 0)
    return str(caught.value)


def test_a_grid_gives_each_of_its_numbers_as_a_person_writes_it() -> None:
    assert {one("2.6..2.8 by 0.05", seed) for seed in SEEDS} == {"2.6", "2.65", "2.7", "2.75", "2.8"}


def test_whole_numbers_are_written_without_a_point() -> None:
    assert {one("1..2 by 0.5", seed) for seed in SEEDS} == {"1", "1.5", "2"}


def test_zeros_before_the_point_stay() -> None:
    assert {one("100..200 by 50", seed) for seed in SEEDS} == {"100", "150", "200"}


def test_a_grid_never_passes_its_end() -> None:
    assert {one("0..1 by 0.4", seed) for seed in SEEDS} == {"0", "0.4", "0.8"}


def test_a_grid_may_lie_below_zero() -> None:
    assert {one("-2..0 by 1", seed) for seed in SEEDS} == {"-2", "-1", "0"}


def test_a_grid_of_one_number_is_that_number() -> None:
    assert one("3..3 by 1") == "3"


@given(
    low=st.integers(-1000, 1000),
    steps=st.integers(0, 500),
    step=st.integers(1, 50),
    places=st.integers(0, 3),
    seed=st.integers(),
)
def test_what_a_grid_gives_lies_on_it(low: int, steps: int, step: int, places: int, seed: int) -> None:
    scale = Decimal(10) ** -places
    start, end, grain = low * scale, (low + steps * step) * scale, step * scale
    value = Decimal(one(f"{start:f}..{end:f} by {grain:f}", seed))

    assert start <= value <= end
    assert (value - start) % grain == 0


@pytest.mark.parametrize("text", ["3..2 by 0.1", "1..2 by 0", "1..2 by -1", "0..100 by 0.001"])
def test_what_is_no_grid_is_said_in_a_sentence(text: str) -> None:
    said = refusal({"sill": text})

    assert "`sill: " in said
    assert "has no valid grid; write `low..high by step`" in said


def test_a_grid_may_have_ten_thousand_steps() -> None:
    assert 0 <= int(one("0..10000 by 1")) <= 10_000


def test_a_choice_gives_each_of_its_words() -> None:
    assert {one("a lighter | a coaster|a scow", seed) for seed in SEEDS} == {
        "a lighter",
        "a coaster",
        "a scow",
    }


@pytest.mark.parametrize("text", ["a | ", "| a", "a || b", "", "  "])
def test_an_empty_choice_is_refused(text: str) -> None:
    assert "offers an empty choice; write `this | that`" in refusal({"hull": text})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("= 1.4*$work", "16.8"),
        ("= 1.4*$work round 5", "15"),
        ("= $work + 1 round 0.5", "13"),
        ("= $work/7", "1.71429"),
        ("= $work - 20", "-8"),
        ("=$work", "12"),
        ("= max($work, 40)", "40"),
        ("= $work*1000 round 100", "12000"),
    ],
)
def test_a_computed_draw_is_computed_and_rounded(text: str, value: str) -> None:
    assert draw_values({"work": "12", "fuse": text}, 0)["fuse"] == value


def test_a_computed_draw_may_stand_before_what_it_needs() -> None:
    assert draw_values({"third": "= $second+1", "second": "= $first+1", "first": "1"}, 0)["third"] == "3"


def test_a_choice_may_hold_what_was_drawn() -> None:
    assert draw_values({"n": "3", "hull": "a raft of $n logs"}, 0)["hull"] == "a raft of 3 logs"


def test_draws_that_wait_for_each_other_are_named() -> None:
    said = refusal({"sill": "= $rim", "rim": "= $sill", "free": "2"})

    assert said.startswith("the draws rim, sill depend on each other")


def test_a_draw_that_waits_for_itself_is_named() -> None:
    assert refusal({"sill": "= $sill+1"}).startswith("the draws sill depend on each other")


def test_an_unknown_name_is_told_with_the_known_ones() -> None:
    said = refusal({"sill": "3", "fuse": "= 2*$sil"})

    assert said.startswith("the blueprint uses `$sil`, which is not drawn; the draws are $sill. ")
    assert "Write `sil: 2..3 by 0.5` (a range)" in said
    assert "in `draws` of the blueprint, the skin or the variant" in said


def test_a_name_without_its_sign_is_told_how_it_is_written() -> None:
    assert "write `$sill`" in refusal({"sill": "3", "fuse": "= 2*sill"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("= 1/0", "has no value"),
        ("= true", "is not a number"),
        ("= 'a'", "is not a number"),
        ("= 1 +", "cannot be"),
    ],
)
def test_what_cannot_be_computed_is_said_in_a_sentence(text: str, words: str) -> None:
    said = refusal({"fuse": text})

    assert "`fuse = " in said
    assert words in said


def test_rounding_to_nothing_is_said_in_a_sentence() -> None:
    assert "fuse" in refusal({"fuse": "= 6 round 0"})


def test_nothing_has_no_sign() -> None:
    assert one("= -0.01 round 0.05") == "0"


def test_a_negative_draw_is_one_number_in_a_formula() -> None:
    assert draw_values({"x": "-3", "square": "= $x**2"}, 0)["square"] == "9"


def test_a_grid_without_a_step_is_refused() -> None:
    assert "by step" in refusal({"sill": "1..2"})


@given(seed=st.integers(), attempt=st.integers(0, 9))
def test_the_same_names_draw_the_same(seed: int, attempt: int) -> None:
    assert draw_values(ONES, seed, attempt) == draw_values(ONES, seed, attempt)


@given(name=names, text=st.sampled_from(["1..9 by 1", "x | y", "= 2*3", "7"]), seed=st.integers())
def test_adding_a_draw_changes_no_other(name: str, text: str, seed: int) -> None:
    more = draw_values({name: text, **ONES}, seed)

    assert {each: more[each] for each in ONES} == draw_values(ONES, seed)


@given(order=st.permutations(list(ONES)), seed=st.integers())
def test_the_order_of_draws_does_not_matter(order: list[str], seed: int) -> None:
    assert draw_values({name: ONES[name] for name in order}, seed) == draw_values(ONES, seed)


def test_another_seed_draws_something_else() -> None:
    assert len({one("0..9999 by 1", seed) for seed in SEEDS}) > 190


@pytest.mark.parametrize("text", ["1..9 by 1", "a | b | c"], ids=["grid", "choice"])
def test_two_draws_of_one_form_go_their_own_ways(text: str) -> None:
    both = [draw_values({"left": text, "right": text}, seed) for seed in SEEDS]

    assert any(each["left"] != each["right"] for each in both)


def test_a_text_has_what_was_drawn_in_it() -> None:
    assert substitute_draws("$a and $b, $a.", {"a": "1", "b": "two"}) == "1 and two, 1."


def test_what_is_no_name_stays_in_a_text() -> None:
    assert substitute_draws("costs $5 or 5$", {}) == "costs $5 or 5$"


def test_a_text_with_an_unknown_name_says_that_there_are_none() -> None:
    with pytest.raises(DrawError, match="the draws are none"):
        substitute_draws("$a", {})


def test_what_is_drawn_anew_leaves_all_others_what_they_were() -> None:
    first = draw_values(ONES, 0)
    others = [draw_values(ONES, 0, redraws={"sill": anew}) for anew in range(1, 12)]

    assert {each["hull"] for each in others} == {first["hull"]}
    assert len({each["sill"] for each in others}) > 1


def test_drawn_anew_no_times_is_drawn_once() -> None:
    assert draw_values(ONES, 0, redraws=dict.fromkeys(ONES, 0)) == draw_values(ONES, 0)
