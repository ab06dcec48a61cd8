"""Scores of answers as models write them: what is empty, unread or without wording, and scores line by line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from impossible_moments.evaluation.answer_key import NO_WORDING, AnswerKey
from impossible_moments.evaluation.record_wording import convert_call_to_step
from impossible_moments.evaluation.results import RunState, ScoreComponents
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.evaluation.scoring import compute_reward, is_scored_by_execution, score_answer
from impossible_moments.library.everyday_library import load_everyday_library
from support.golden_records import NAMES, load_golden_record
from support.scored_scenarios import build_answer, build_golden_key, build_right_answer, build_step
from support.worded_record import build_worded_record
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
SMASH, SHOVE, CLIMB = "smash(chair, window)", "shove(table)", "climb_from(table, window)"


def score(name: str, *calls: str, verdict: str = "solvable", **fields: Any) -> ScoredAnswer:
    """Score a plan whose steps are calls in the words of the record."""
    key = build_golden_key(name)
    plan = [convert_call_to_step(call, key) for call in calls]
    return score_answer(build_answer(*plan, verdict=verdict, **fields), key)


def parts(found: ScoredAnswer) -> tuple[float, ...]:
    """Outcome, physical, insight, distractors, efficiency."""
    assert found.components is not None, found.note
    return tuple(found.components.model_dump().values())


# KS: The Blast Room


def test_the_intended_plan_earns_everything() -> None:
    found = score("blast_room", SMASH, SHOVE, CLIMB)
    assert (found.score, parts(found), found.flags) == (100, (100, 100, 100, 100, 100), ())


def test_a_plan_cut_short_earns_what_holds_and_what_was_seen() -> None:
    # outcome 0; the step holds, one insight of two; nothing for distractors and efficiency: 25 + 20/2
    found = score("blast_room", SMASH)
    assert (found.score, parts(found)) == (35, (0, 100, 50, 0, 0))


def test_a_plan_that_lacks_a_decisive_step_fails() -> None:
    found = score("blast_room", SMASH, CLIMB)
    assert (parts(found)[0], found.note) == (0, "the plan ends: blocked climb_from.placed")


def test_a_deed_that_the_record_does_not_know_goes_to_review_and_not_to_zero() -> None:
    found = score_answer(
        build_answer(build_step("levitate", "you", "the window")), build_golden_key("blast_room")
    )
    assert (found.state, found.score, found.components) == (RunState.REVIEW, None, None)


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


@pytest.mark.parametrize("name", [name for status, name in STATUSES.items() if status[:2] in {"KS", "DG"}])
def test_giving_up_scores_nothing_where_there_is_a_way(name: str) -> None:
    found = score(name, verdict="impossible", conflict=["no time", "no tools"])
    assert (found.score, found.flags) == (0, ("gave up",))


def test_giving_up_beside_a_plan_that_works_is_giving_up() -> None:
    found = score("blast_room", SMASH, SHOVE, CLIMB, verdict="impossible")
    assert (found.score, found.flags) == (0, ("gave up",))


# MT: Whoever Is on It

QUOTE = "Whoever is on it crosses, and whoever is not stays"


def test_the_assumption_named_and_the_rest_solved_is_everything() -> None:
    key = build_golden_key("whoever_is_on_it")
    assert score_answer(build_right_answer(key), key).score == 100


def test_solved_without_naming_the_assumption_is_40_at_most() -> None:
    key = build_golden_key("whoever_is_on_it")
    data = json.loads(build_right_answer(key))
    assert data.pop("assumption") == QUOTE
    assert parts(score_answer(json.dumps(data), key))[0] == 40


def test_named_and_left_there_is_30() -> None:
    assert parts(score("whoever_is_on_it", assumption=QUOTE))[0] == 30


# CT and OF


def test_a_contested_answer_is_scored_without_judges() -> None:
    key = build_golden_key("bin_nine")
    found = score_answer(build_right_answer(key), key)
    assert (found.state, found.score) == (RunState.SCORED, 100)
    assert is_scored_by_execution(key)


def test_an_open_question_has_no_score_without_judges() -> None:
    found = score("ten_per_cent", verdict="open", claims={"a": "1 m"})
    assert (found.state, found.score, found.flags) == (RunState.UNSCORED, None, ("for judges",))
    assert not is_scored_by_execution(build_golden_key("ten_per_cent"))


# records without wording, or with one that cannot be read


@pytest.mark.parametrize("text", ["", "It cannot be done.", build_answer(build_step("break", "the window"))])
def test_no_answer_to_a_record_without_wording_is_scored(text: str) -> None:
    record = {**load_golden_record("blast_room"), "wording": None}
    key = AnswerKey.from_record("IM-0009", record, load_everyday_library())
    assert score_answer(text, key) == ScoredAnswer(RunState.UNSCORED, None, NO_WORDING)
    assert not is_scored_by_execution(key)
    assert compute_reward(text, key) is None


def test_a_wording_that_cannot_be_read_is_reported_and_not_raised() -> None:
    record = build_worded_record(harmless=["look at {nothing}", "rest", "sit"])
    found = score_answer("I give up.", AnswerKey.from_record("IM-0009", record, load_everyday_library()))
    assert (found.state, found.score) == (RunState.UNSCORED, None)
    assert "`wording` of the record cannot be read" in found.note
    assert "nothing" in found.note


# all of them

UNREAD = {"section_b", "varga_and_adeyemi", "the_painted_hives"}
"""Records whose plans wait for a moment, or whose words are also those of another action."""


@pytest.mark.parametrize("name", sorted(set(NAMES) - UNREAD))
def test_a_right_answer_passes_on_every_golden_record(name: str) -> None:
    key = build_golden_key(name)
    found = score_answer(build_right_answer(key), key)
    if key.status == "OF":
        assert found.state is RunState.UNSCORED
    else:
        assert parts(found)[0] >= 80


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


def test_a_reward_is_the_score_from_0_to_1_and_none_where_there_is_none() -> None:
    key = build_golden_key("blast_room")
    assert compute_reward(build_right_answer(key), key) == 1
    assert compute_reward(build_answer(verdict="impossible"), key) == 0
    assert compute_reward(build_answer(build_step("levitate")), key) is None
    assert compute_reward(build_answer(verdict="open"), build_golden_key("ten_per_cent")) is None


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
