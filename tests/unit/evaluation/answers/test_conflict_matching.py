"""Why something cannot be done, in an answer's own words and figures, held against the record's conflict."""

from __future__ import annotations

from functools import cache

import pytest

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict, ParsedAnswer
from impossible_moments.evaluation.answers.conflict_matching import (
    MAIN_CONDITION_WEIGHT,
    NamedConflict,
    match_conflict,
)
from support.scored_scenarios import build_small_key
from support.small_worlds import build_action, build_approach, build_thing


@cache
def quiet_hour() -> AnswerKey:
    """An hour that was too loud already: nothing brings its mean down, and asking takes too long."""
    return build_small_key(
        quantities=[
            "clock = 64[min]",
            "work = 4[min]",
            "reply = 7[h]",
            "past = 42[min]",
            "rest = 18[min]",
            "loud = 98",
            "soft = 90",
            "counted = 120 (0..140) state",
        ],
        things=[
            build_thing("songs", "passed = false", "sneaked = false", label="the last songs", kind="place"),
            build_thing("law", "limit = 95", label="the city's hourly mean", kind="rule"),
            build_thing("officer", label="the duty commissioner", kind="person"),
        ],
        actions=[
            build_action(
                "play_on(s: songs)", "counted = (past*loud + rest*soft)/(past + rest)", takes="rest"
            ),
            build_action(
                "present(s: songs, r: law)", "s.passed = true", when=("within = counted <= r.limit",)
            ),
            build_action("petition(o: officer, r: law)", "songs.passed = true", takes="reply"),
            build_action("slip_past(s: songs)", "s.passed = true", "s.sneaked = true"),
        ],
        never="caught = songs.sneaked @ the city's box logs every second",
        goal="songs.passed",
        deadline="clock",
        approaches=[
            build_approach("softly", "play_on(songs); present(songs, law)", ends="blocked present.within"),
            build_approach("ask", "petition(officer, law)", ends="late"),
            build_approach("sneak", "slip_past(songs)", ends="never caught"),
        ],
        status={"claim": "PX", "conflict": ["present.within", "deadline", "caught"], "chains": ["softly"]},
        prose={
            "narrative": "The city's box logs every second.",
            "environment": "Minutes already played: {past|min}. Mean of those minutes: {loud|plain}. "
            "An exception takes: {reply|h}.",
            "objects": "{thing:law}: allows at most {law.limit|plain}.",
        },
    )


def named(*lines: str) -> NamedConflict:
    return match_conflict(ParsedAnswer(AnswerVerdict.IMPOSSIBLE, conflict=lines), quiet_hour())


@pytest.mark.parametrize(
    ("line", "condition"),
    [
        ("42 min at 98 are already more than 95 allows", "present.within"),
        ("the hourly mean of the city allows less than was already played", "present.within"),
        ("an exception takes 7 h, the square goes back in 64 min", "deadline"),
        ("the commissioner answers in 420 minutes of 1.07 h", "deadline"),
        ("it comes too late, past the deadline", "deadline"),
        ("the box of the city logs every second", "caught"),
    ],
)
def test_a_condition_is_named_by_its_words_or_its_figures(line: str, condition: str) -> None:
    assert named(line).conditions == {condition}


@pytest.mark.parametrize(
    "line",
    [
        "it cannot be done",
        "the songs",
        "7 h",
        "64 min",
        "42 18 98 95 64 7 4 120 60 10 5 3 2 1",
        "2 h in 64 h",
    ],
)
def test_an_empty_or_half_line_names_nothing(line: str) -> None:
    assert not named(line).conditions


def test_a_time_that_is_short_enough_is_no_conflict() -> None:
    assert not named("showing it takes 4 min of 64 min").conditions


def test_what_serious_attempts_break_at_weighs_most() -> None:
    assert named("42 min at 98 are more than 95 allows").share == pytest.approx(MAIN_CONDITION_WEIGHT)
    assert named("the box logs every second").share == pytest.approx((1 - MAIN_CONDITION_WEIGHT) / 2)


def test_an_aside_in_four_lines_costs_nothing() -> None:
    lines = (
        "42 min at 98 against 95",
        "the box logs every second",
        "7 h are more than 64 min",
        "what a pity",
    )
    assert (named(*lines).share, named(*lines).relevance) == (1, 1)


def test_more_asides_cost_rigour() -> None:
    assert named("42 min at 98 against 95", "what a pity", "so it goes").relevance == pytest.approx(
        1 / (0.75 * 3)
    )


def test_nothing_said_is_nothing_named() -> None:
    assert named() == NamedConflict(frozenset(), 0, 0)
