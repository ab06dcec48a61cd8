"""Signals over a noisy line: which are safe, and why sometimes none is."""

import itertools
import json
import pickle

import pytest

from impossible_moments.mechanics.findings.finding import Finding, Findings
from impossible_moments.mechanics.puzzles.signal_puzzle_solver import solve_signal_puzzle
from impossible_moments.mechanics.records.puzzle_forms import SignalPuzzle
from impossible_moments.mechanics.world.puzzle_solution import SolvedPuzzle
from support.fake_context import FakeContext

WHERE = "/puzzles/pulls"
PULLS = "one = one | none; two = two | one; three = three | two; four = four | three; five = five | four"


def pulls(**changes: object) -> SignalPuzzle:
    written: dict[str, object] = {
        "kind": "signal",
        "name": "pulls",
        "states": ["low_air", "snagged"],
        "acts": "low_air = haul; snagged = slack",
        "signals": PULLS,
        "told": ["swallows a pull now and then"],
        "agreed": False,
        "reads": "none = hold; one = hold; two = slack; three = slack; four = haul; five = haul",
    }
    return SignalPuzzle.model_validate(written | changes)


def solved(**changes: object) -> tuple[SolvedPuzzle, list[Finding]]:
    findings = Findings()
    result = solve_signal_puzzle(pulls(**changes), FakeContext(), findings, WHERE)
    return result, list(findings)


def agreed(**changes: object) -> tuple[SolvedPuzzle, list[Finding]]:
    return solved(agreed=True, reads=[], **changes)


def test_by_the_tenders_book_only_five_and_three_are_safe() -> None:
    result, found = solved()
    assert result.answers == ("low_air=five, snagged=three",)
    assert result.facts["right_signals"] == {"low_air": ["five"], "snagged": ["three"]}
    assert found == []


@pytest.mark.parametrize(
    "text", ["low_air=five, snagged=three", "Snagged = THREE;low_air=five", "snagged: three, low_air: five"]
)
def test_a_right_code_is_accepted_however_it_is_written(text: str) -> None:
    assert solved()[0].accepts_answer(text)


@pytest.mark.parametrize(
    "text",
    [
        "low_air=four, snagged=two",
        "low_air=five",
        "five",
        "low_air=five, snagged=three, idle=one",
        "low_air=six, snagged=three",
    ],
)
def test_a_wrong_or_partial_code_is_refused(text: str) -> None:
    assert not solved()[0].accepts_answer(text)


def test_without_a_safe_signal_there_is_no_answer_and_the_misreading_is_named() -> None:
    result, found = solved(
        reads="none = hold; one = hold; two = slack; three = hold; four = haul; five = haul"
    )
    assert result.answers == ()
    assert result.exhausted
    assert "No signal is safe for `snagged`" in result.explanation
    assert found == []


def test_states_with_one_act_may_share_a_signal() -> None:
    result, _ = solved(states=["low_air", "cold"], acts="low_air = haul; cold = haul")
    assert result.answers == ("low_air=five, cold=five",)


def test_by_agreement_every_code_whose_signals_stay_apart_is_right() -> None:
    result, found = agreed()
    assert found == []
    # of five signals in a chain of confusions, ten ordered pairs less the four neighbours twice
    assert result.facts["codes"] == len(result.answers) == 12
    assert result.accepts_answer("low_air=one, snagged=five")
    assert not result.accepts_answer("low_air=one, snagged=two")
    assert not result.accepts_answer("low_air=one, snagged=one")


def test_by_agreement_four_acts_do_not_fit_where_three_signals_stay_apart() -> None:
    result, _ = agreed(states=["a", "b", "c", "d"], acts="a = w; b = x; c = y; d = z")
    assert result.answers == ()
    assert result.exhausted
    assert result.facts["largest_apart"] == ["five", "one", "three"]
    assert result.explanation.startswith(
        "Four acts must be distinguished, but at most three signals stay apart"
    )


def test_signals_that_all_sound_alike_carry_one_message() -> None:
    result, _ = agreed(signals="one = bang; two = bang | hiss; three = hiss | bang")
    assert result.answers == ()
    assert "at most one signal stays apart" in result.explanation


def test_the_largest_set_apart_agrees_with_trying_every_set() -> None:
    ring = [f"s{n} = h{n} | h{(n + 1) % 7} | h{(n * 3) % 7}" for n in range(7)]
    result, _ = agreed(signals=ring)
    heard = {n: {n, (n + 1) % 7, (n * 3) % 7} for n in range(7)}
    best = max(
        size
        for size in range(1, 8)
        for some in itertools.combinations(range(7), size)
        if all(not heard[one] & heard[other] for one, other in itertools.combinations(some, 2))
    )
    largest = result.facts["largest_apart"]
    assert isinstance(largest, list)
    assert len(largest) == best


def test_a_right_code_beyond_the_listed_ones_is_accepted() -> None:
    result, _ = agreed(
        states=["a", "b", "c"], acts="a = x; b = y; c = z", signals=[f"s{n:02} = h{n}" for n in range(16)]
    )
    assert len(result.answers) == 64
    assert result.facts["codes"] == 16 * 15 * 14
    assert "a=s15, b=s14, c=s13" not in result.answers
    assert result.accepts_answer("a=s15, b=s14, c=s13")


@pytest.mark.parametrize(
    ("changes", "code", "where", "says"),
    [
        ({"states": []}, "puzzle.form", "/states", "no states"),
        ({"states": ["low_air", "low_air"]}, "name.twice", "/states", "low_air"),
        ({"acts": "low_air = haul"}, "puzzle.form", "/acts", "`snagged` has no act"),
        (
            {"acts": "low_air = haul; snaged = slack"},
            "name.unknown",
            "/acts/snaged",
            "did you mean `snagged`",
        ),
        ({"acts": "low_air = hual; snagged = slack"}, "puzzle.form", "/acts/low_air", "did you mean `haul`"),
        ({"signals": []}, "puzzle.form", "/signals", "no signals"),
        ({"signals": "one = one | "}, "puzzle.form", "/signals/one", "hearing of `one` is empty"),
        ({"signals": "one"}, "line.form", "/signals/0", "name = value"),
        ({"signals": [f"s{n} = one" for n in range(17)]}, "puzzle.not-exhausted", "/signals", "too many"),
        ({"states": [f"s{n}" for n in range(5000)]}, "puzzle.not-exhausted", "/states", "too many"),
        (
            {"reads": "one = hold; two = slack; three = slack; four = haul; five = haul"},
            "puzzle.form",
            "/reads",
            "`none`",
        ),
        ({"agreed": True}, "puzzle.form", "/reads", "agreed"),
    ],
)
def test_a_puzzle_whose_parts_do_not_fit_is_not_solved_and_says_why(
    changes: dict[str, object], code: str, where: str, says: str
) -> None:
    result, found = solved(**changes)
    named = [each for each in found if each.code == code and each.where == WHERE + where]
    assert named
    assert says in named[0].what
    assert named[0].expected
    assert (result.answers, result.exhausted) == ((), False)


def test_many_states_and_signals_end_within_the_bound() -> None:
    states = [f"t{n}" for n in range(24)]
    result, _ = agreed(
        states=states,
        acts=[f"t{n} = act{n % 8}" for n in range(24)],
        signals=[f"s{n:02} = h{n} | h{n + 1}" for n in range(16)],
    )
    assert result.exhausted
    assert result.answers
    assert all(result.accepts_answer(answer) for answer in result.answers)


def test_the_same_puzzle_gives_the_same_result_and_survives_storage() -> None:
    (one, found), (other, again) = agreed(), agreed()
    assert (one, found) == (other, again)
    stored = pickle.loads(pickle.dumps(one))  # noqa: S301 - written a moment ago
    assert stored.accepts_answer("low_air=one, snagged=five")
    assert json.loads(json.dumps(one.facts)) == one.facts
