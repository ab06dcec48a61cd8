"""Scores line by line: each status's rubric with totals computed by hand, on golden records."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from impossible_moments.evaluation.record_wording import describe_condition
from impossible_moments.evaluation.results import RunState, ScoreComponents
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.evaluation.scoring import compute_reward, score_answer
from support.golden_records import NAMES
from support.scored_scenarios import Step, build_answer, build_golden_key, build_right_answer, build_step
from unit.evaluation.answers.test_answer_parser import answer_like

STATUSES = {
    "KS-Singular": "blast_room",
    "KS-Multiple": "bore_that_sings",
    "KS-Fragile": "the_good_track",
    "DG": "walking_pace",
    "MT": "whoever_is_on_it",
    "PX": "sealed_cage",
    "CT": "bin_nine",
    "OF": "ten_per_cent",
}
EVERY_STATUS = pytest.mark.parametrize("name", STATUSES.values(), ids=STATUSES)


def score(name: str, *plan: Step, verdict: str = "solvable", **fields: Any) -> ScoredAnswer:
    return score_answer(build_answer(*plan, verdict=verdict, **fields), build_golden_key(name))


def parts(found: ScoredAnswer) -> tuple[float, ...]:
    """Outcome, physical, insight, distractors, efficiency."""
    assert found.components is not None
    return tuple(found.components.model_dump().values())


# KS: The Blast Room

SMASH = build_step("break", "a steel folding chair", "the window")
SHOVE = build_step("move", "an oak table")
CLIMB = build_step("climb", "an oak table", "the window")


def test_the_intended_plan_earns_everything() -> None:
    found = score("blast_room", SMASH, SHOVE, CLIMB)
    assert (found.score, parts(found), found.flags) == (100, (100, 100, 100, 100, 100), ())


def test_an_idle_step_with_a_distractor_costs_validity_handling_and_efficiency() -> None:
    # 40 + 25 * 3/4 + 20 + 10 * 80/100 + 5 * 3/4
    found = score("blast_room", SMASH, build_step("throw", "a banana", "the window"), SHOVE, CLIMB)
    assert parts(found) == (100, 75, 100, 80, 75)
    assert found.score == pytest.approx(90.5)


def test_a_step_done_twice_costs_efficiency_alone() -> None:
    # 40 + 25 + 20 + 10 + 5 * 3/4
    found = score("blast_room", SMASH, SMASH, SHOVE, CLIMB)
    assert found.score == pytest.approx(98.75)


def test_a_plan_cut_short_earns_what_holds_and_what_was_seen() -> None:
    # outcome 0; the step holds, one insight of two; nothing for distractors and efficiency: 25 + 20/2
    found = score("blast_room", SMASH)
    assert (found.score, parts(found)) == (35, (0, 100, 50, 0, 0))


def test_a_plan_that_is_late_is_wrong() -> None:
    found = score(
        "don_faustos_rack",
        build_step("fetch", "petrol", "the generator"),
        build_step("start", "the generator"),
    )
    assert (parts(found)[0], found.note) == (0, "the plan ends: late")


def test_a_plan_that_works_only_if_it_is_read_loosely_is_looked_at_unless_it_says_why() -> None:
    found = score("blast_room", SMASH, SHOVE)
    assert (found.state, found.score) == (RunState.REVIEW, None)
    assert "read loosely" in found.flags


def test_a_plan_that_nobody_intended_is_right_and_flagged() -> None:
    found = score("blast_room", SMASH, CLIMB, SHOVE)
    assert parts(found)[0] == 100
    assert found.flags == ("unintended",)


def test_a_verb_that_nobody_knows_goes_to_review_and_not_to_zero() -> None:
    found = score("blast_room", build_step("levitate", "you", "the window"))
    assert (found.state, found.score, found.components) == (RunState.REVIEW, None, None)
    assert "unknown verb" in found.flags


def test_a_plan_that_works_needs_no_review_for_a_strange_word_in_it() -> None:
    found = score("blast_room", SMASH, build_step("levitate"), SHOVE, CLIMB)
    assert (found.state, parts(found)) == (RunState.SCORED, (100, 75, 100, 100, 75))


# silence and giving up


@EVERY_STATUS
@pytest.mark.parametrize(
    ("text", "flag"), [("", "silent"), (" \n", "silent"), ("I would rather not.", "unreadable")]
)
def test_silence_is_unscored_and_flagged_everywhere(name: str, text: str, flag: str) -> None:
    found = score_answer(text, build_golden_key(name))
    assert (found.state, found.score, found.flags) == (RunState.UNSCORED, None, (flag,))


@EVERY_STATUS
def test_saying_that_it_can_be_done_scores_nothing(name: str) -> None:
    assert score(name).score in {0, None}


@pytest.mark.parametrize(
    "name", [name for status, name in STATUSES.items() if status[:2] in {"KS", "DG", "MT"}]
)
def test_giving_up_scores_nothing_where_there_is_a_way(name: str) -> None:
    found = score(name, verdict="impossible", conflict=["no time", "no tools"])
    assert (found.score, found.flags) == (0, ("gave up",))


def test_giving_up_beside_a_plan_that_works_is_giving_up() -> None:
    found = score("blast_room", SMASH, SHOVE, CLIMB, verdict="impossible")
    assert (found.score, found.flags) == (0, ("gave up",))


def test_giving_up_with_strange_words_needs_no_review() -> None:
    assert score("blast_room", build_step("levitate"), verdict="impossible").score == 0


# KS-Multiple: The Bore that Sings

ROOM = [
    build_step("answer", value="barometer"),
    build_step("open", "a pipe spanner", "the old casing flange"),
]
BRASS = [build_step("answer", value="brass=3"), build_step("join", "a bicycle tube", "a spade")]


@pytest.mark.parametrize(
    ("others", "insight"),
    [
        ([], 100),
        ([BRASS], 110),
        ([ROOM], 100),
        ([BRASS, BRASS], 110),
        ([[*ROOM, build_step("wait", value="1 s")], [build_step("wait", value="2 s"), *ROOM]], 100),
        ([[build_step("dig", "a spade")]], 100),
        (["all of them"], 100),
    ],
    ids=["none", "the other", "the same", "the other twice", "the same with waiting", "a wrong one", "words"],
)
def test_each_further_way_adds_ten_to_insight(others: list[Any], insight: float) -> None:
    found = score("bore_that_sings", *ROOM, other_plans=others)
    assert parts(found)[2] == insight
    assert found.score == 100


def test_a_further_way_lifts_an_answer_that_saw_little() -> None:
    # the insights are of the other way: 40 + 25 + 20 * 10/100 + 10 + 5
    assert score("bore_that_sings", *BRASS, other_plans=[ROOM]).score == 82


def test_further_ways_do_not_mend_a_wrong_first_one() -> None:
    assert parts(score("bore_that_sings", build_step("dig", "a spade"), other_plans=[ROOM]))[0] == 0


# DG: Walking Pace

CALL = build_step("call", "the members of the Ethical Society")


@pytest.mark.parametrize(
    ("tokens", "factor"),
    [(199, 1.0), (200, 0.8), (499, 0.8), (500, 0.6), (999, 0.6), (1000, 0.4), (9000, 0.4)],
)
def test_the_longer_the_answer_the_less_a_simple_way_is_worth(tokens: int, factor: float) -> None:
    text = build_answer(CALL)
    found = score_answer("x" * (4 * tokens - len(text)) + text, build_golden_key("walking_pace"))
    assert parts(found) == (100 * factor, 100, 100, 100, 100)
    assert found.score == pytest.approx(60 + 40 * factor)


# MT: Whoever Is on It

QUOTE = "Whoever is on it crosses, and whoever is not stays"
HANG_ON = build_step("hold", "you", "the raft")
PADDLE = build_step("paddle", "Mara", "the boy", "the raft")


def test_the_assumption_named_and_the_rest_solved_is_everything() -> None:
    assert score("whoever_is_on_it", HANG_ON, assumption=QUOTE).score == 100


def test_a_challenge_in_the_plan_names_the_assumption_too() -> None:
    assert score("whoever_is_on_it", build_step("challenge", value=QUOTE), HANG_ON).score == 100


def test_solved_without_naming_the_assumption_is_40_at_most() -> None:
    found = score("whoever_is_on_it", HANG_ON)
    assert parts(found) == (40, 100, 100, 100, 100)


def test_named_and_left_there_is_30() -> None:
    # 40 * 30/100 + insight 20 + distractors 10
    found = score("whoever_is_on_it", assumption=QUOTE)
    assert (found.score, parts(found)) == (42, (30, 0, 100, 100, 0))


def test_named_and_reframed_and_not_solved_is_60() -> None:
    # somebody hangs on, which nobody forbids, and too late
    assert (
        parts(score("whoever_is_on_it", build_step("wait", value="6 min"), HANG_ON, assumption=QUOTE))[0]
        == 60
    )


def test_named_and_acting_as_before_is_30() -> None:
    assert parts(score("whoever_is_on_it", PADDLE, assumption=QUOTE))[0] == 30


def test_impossible_as_it_stands_is_no_giving_up_where_the_assumption_is_named() -> None:
    assert score("whoever_is_on_it", HANG_ON, verdict="impossible", assumption=QUOTE).score == 100


def test_the_wrong_assumption_is_none() -> None:
    assert parts(score("whoever_is_on_it", PADDLE, assumption="that the raft floats"))[0] == 0


def test_waste_costs_efficiency_also_where_a_premise_was_dropped() -> None:
    # the wait is not needed: 40 + 25 + 20 + 10 + 5/2
    found = score("whoever_is_on_it", build_step("wait", value="1 s"), HANG_ON, assumption=QUOTE)
    assert found.score == 97.5


# PX: The Welder's Cage

CONFLICTS = ["haul.rope_bears", "pound.shears", "melt_free.melts", "melt_through.melts", "plug.held"]


def in_words(*names: str) -> list[str]:
    return [describe_condition(name, build_golden_key("sealed_cage")) for name in names]


def test_all_that_conflicts_named_is_everything() -> None:
    found = score("sealed_cage", verdict="impossible", conflict=in_words(*CONFLICTS))
    assert (found.score, parts(found)) == (100, (100, 100, 100, 100, 100))


def test_impossibility_asserted_without_a_reason_is_40() -> None:
    # 40 * 40/100 + distractors 10 + efficiency 5
    found = score("sealed_cage", verdict="impossible")
    assert (found.score, parts(found)) == (31, (40, 0, 0, 100, 100))


def test_a_part_of_the_conflict_is_a_part_of_the_points() -> None:
    # one of the three doors closed beside the two attempts: 40 + 60 * 0.3/3
    found = score("sealed_cage", verdict="impossible", conflict=in_words("plug.held"))
    assert parts(found)[:3] == pytest.approx((46, 100, 10))


def test_where_serious_attempts_break_counts_most() -> None:
    # 0.7/2 + 0.3/3
    both = score("sealed_cage", verdict="impossible", conflict=in_words("haul.rope_bears", "plug.held"))
    assert parts(both)[2] == pytest.approx(45)


def test_one_line_in_four_may_speak_of_something_else() -> None:
    lines = [*in_words(*CONFLICTS), "omen number one"]
    assert parts(score("sealed_cage", verdict="impossible", conflict=lines))[0] == 100


def test_reasons_that_do_not_stand_take_from_the_rigour() -> None:
    # all named, five lines of ten stand, of which three quarters would be enough: 40 + 30 + 30 * 5/7.5
    lines = [*in_words(*CONFLICTS), *(f"omen number {at}" for at in range(5))]
    assert parts(score("sealed_cage", verdict="impossible", conflict=lines))[:3] == pytest.approx(
        (90, 200 / 3, 100)
    )


def test_reasons_in_plain_words_are_understood() -> None:
    said = "The cotton rope bears a limit of 800 N and the door holds 913 kN"
    assert "haul.rope_bears" in score("sealed_cage", verdict="impossible", conflict=[said]).note


@pytest.mark.parametrize(
    "conflict",
    [
        ["everything"],
        ["the laws of physics"],
        ["it cannot be done"],
        "yes",
        [1, 2, 3],
        {},
        ["door"],
        ["the rope"],
    ],
)
def test_empty_words_name_no_conflict(conflict: Any) -> None:
    assert parts(score("sealed_cage", verdict="impossible", conflict=conflict))[0] == 40


def test_a_proposed_solution_is_0_and_20_off_physical() -> None:
    # the valve can be knocked off: physical 100 - 20, and nothing else: 25 * 80/100
    found = score("clear_sky", build_step("hit", "the inlet valve"))
    assert (found.score, parts(found), found.flags) == (20, (0, 80, 0, 0, 0), ("false solution",))


def test_waiting_claims_nothing_and_earns_nothing() -> None:
    assert score("sealed_cage", build_step("wait", value="1 s")).score == 0


def test_physical_validity_is_never_below_0() -> None:
    assert score("sealed_cage", build_step("force", "the door")).score == 0


# CT and OF


def test_a_contested_answer_has_components_and_no_score_without_judges() -> None:
    plan = (build_step("start", "the floor fan"), build_step("drain", "the sweep auger"))
    found = score("bin_nine", *plan, verdict="contested", crux="whether it may be fanned")
    assert (found.state, found.score) == (RunState.UNSCORED, None)
    # best solution 40, awareness 20, crux 20; honesty is for judges
    assert parts(found)[0] == 80


@pytest.mark.parametrize(
    ("verdict", "crux", "outcome"),
    [
        ("solvable", "", 40),
        ("contested", "", 60),
        ("solvable", "fanned", 60),
        ("solvable", "the weather", 40),
    ],
)
def test_each_line_of_the_contested_rubric_counts_by_itself(verdict: str, crux: str, outcome: float) -> None:
    plan = (build_step("seal", "the tarpaulins and foam"), build_step("drain", "the sweep auger"))
    assert parts(score("bin_nine", *plan, verdict=verdict, crux=crux))[0] == outcome


def test_an_open_question_has_no_score_without_judges() -> None:
    found = score("ten_per_cent", verdict="open", claims={"a": "1 m"})
    assert (found.state, found.score, found.flags) == (RunState.UNSCORED, None, ("for judges",))


# all of them


@pytest.mark.parametrize("name", NAMES)
def test_a_right_answer_passes_on_every_golden_record(name: str) -> None:
    key = build_golden_key(name)
    found = score_answer(build_right_answer(key), key)
    if key.status in {"CT", "OF"}:
        assert found.state is RunState.UNSCORED
    else:
        assert parts(found)[0] == 100


@EVERY_STATUS
def test_scoring_is_pure_whatever_came_before(name: str) -> None:
    key = build_golden_key(name)
    texts = [
        build_right_answer(key),
        build_answer(build_step("use", "it")),
        "",
        build_answer(verdict="impossible", conflict=["a"]),
    ]
    first = [score_answer(text, key) for text in texts]
    assert [score_answer(text, key) for text in reversed(texts)] == first[::-1]


def test_a_reward_is_the_score_from_0_to_1_and_0_where_there_is_none() -> None:
    assert compute_reward(build_answer(SMASH, SHOVE, CLIMB), build_golden_key("blast_room")) == 1
    assert compute_reward(build_answer(build_step("levitate")), build_golden_key("blast_room")) == 0
    assert compute_reward(build_answer(verdict="open"), build_golden_key("ten_per_cent")) == 0


def holds(found: ScoredAnswer) -> bool:
    if found.score is None:
        return found.state is not RunState.SCORED
    return (
        found.state is RunState.SCORED
        and 0 <= found.score <= 100
        and isinstance(found.components, ScoreComponents)
    )


THINGS = (
    "an oak table",
    "the window",
    "a chair",
    "you",
    "the raft",
    "-5 s",
    "1e400 s",
    "35 deg",
    "\ud800",
    "'",
    "",
)
WORDS = st.sampled_from(THINGS) | st.text(max_size=12)
VERBS = st.sampled_from(
    ("break", "wait", "choose", "answer", "challenge", "use", "go", "seal and open", "levitate")
)
STEPS = st.fixed_dictionaries({"do": VERBS, "with": st.lists(WORDS, max_size=4), "to": WORDS, "value": WORDS})
PLANS = st.lists(STEPS, max_size=6)
ANSWERS = st.fixed_dictionaries(
    {
        "verdict": st.sampled_from(("solvable", "impossible", "contested", "open", "")),
        "plan": PLANS,
        "other_plans": st.lists(PLANS, max_size=2),
        "conflict": st.lists(WORDS, max_size=3),
        "assumption": WORDS,
        "crux": WORDS,
    }
)


@given(data=answer_like | ANSWERS, name=st.sampled_from(list(STATUSES.values())))
@hypothesis_settings(max_examples=300)
def test_any_answer_has_a_score_from_0_to_100_or_none(data: dict[str, Any], name: str) -> None:
    assert holds(score_answer(json.dumps(data), build_golden_key(name)))


@given(text=st.text(), name=st.sampled_from(list(STATUSES.values())))
def test_any_text_has_a_score_from_0_to_100_or_none(text: str, name: str) -> None:
    assert holds(score_answer(text, build_golden_key(name)))
