"""Weaker strategies come to less, and an attempt is counted by what it comes to."""

from __future__ import annotations

import pytest

from impossible_moments.blueprints.instance_trials import draw_and_check_instance
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.solver.public_text import PublicText
from impossible_moments.solver.strategies import (
    STRATEGIES,
    StrategyAttempt,
    build_depth_limited_strategy,
    build_node_limited_strategy,
    is_successful_attempt,
    try_most_salient_plan,
    try_patient_search,
)
from support.small_blueprints import (
    build_garden_offer,
    build_room_situations,
    build_situations,
    draw_room,
    extract_prose,
    extract_public_text,
    load_room,
)

NAMES = [offer.name.partition("/")[2] for offer in load_room().iterate_offers()]
NOTHING = PublicText({"narrative": "Nothing is told."}, ())


def test_strategies_go_from_the_weakest_to_the_strongest() -> None:
    assert list(STRATEGIES) == [
        "the first idea",
        "one step",
        "two steps",
        "a glance",
        "a first reading",
        "a patient search",
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_patient_search_answers_what_it_reads(name: str) -> None:
    tried = draw_room(name)
    attempt = try_patient_search(extract_public_text(tried), build_room_situations())

    assert attempt.status == tried.status
    assert is_successful_attempt(attempt, tried.status)


def test_one_step_is_too_few_for_a_way_of_three() -> None:
    attempt = build_depth_limited_strategy(1)(extract_public_text(draw_room()), build_room_situations())

    assert attempt == StrategyAttempt("OF")


def test_more_steps_find_it() -> None:
    attempt = build_depth_limited_strategy(3)(extract_public_text(draw_room()), build_room_situations())

    assert attempt.works
    assert attempt.plan[0] == "swing_at(hammer, opening)"


def test_the_first_idea_uses_what_the_story_speaks_of_most() -> None:
    fields = extract_public_text(draw_room())
    story = f"{fields.parts['narrative']} {'an ice scoop ' * 30}"
    attempt = try_most_salient_plan(
        PublicText({**fields.parts, "narrative": story}, fields.rows), build_room_situations()
    )

    assert "swing_at(tapper, opening)" in attempt.plan
    assert (attempt.status, attempt.works) == ("KS", False)


def test_the_first_idea_always_believes_that_something_works() -> None:
    attempt = try_most_salient_plan(
        extract_public_text(draw_room("organ_loft/nothing_holds")), build_room_situations()
    )

    assert (attempt.status, attempt.works) == ("KS", False)
    assert attempt.plan


@pytest.mark.parametrize("name", STRATEGIES)
def test_who_recognises_nothing_calls_it_open(name: str) -> None:
    assert STRATEGIES[name](NOTHING, build_room_situations()) == StrategyAttempt("OF")


def test_a_first_reading_sees_through_a_custom() -> None:
    offer = build_garden_offer("Guests here keep to the gravel")
    text = extract_prose(draw_and_check_instance(offer, load_everyday_library(), 0, 0))

    assert build_node_limited_strategy(30)(text, build_situations(offer)) == StrategyAttempt("MT")


def test_a_glance_sees_less_than_a_first_reading() -> None:
    text = extract_public_text(draw_room())

    assert build_node_limited_strategy(1)(text, build_room_situations()) == StrategyAttempt("OF")
    assert build_node_limited_strategy(30)(text, build_room_situations()).works


def test_a_plan_of_an_undecided_search_counts_as_a_solution() -> None:
    attempt = build_node_limited_strategy(30)(
        extract_public_text(draw_room("press_archive/damp")), build_room_situations()
    )

    assert attempt.works
    assert attempt.status.startswith("KS")


@pytest.mark.parametrize(
    ("attempt", "status", "good"),
    [
        (StrategyAttempt("KS", ("go()",), works=True), "KS-Singular", True),
        (StrategyAttempt("KS", ("go()",)), "KS-Singular", False),
        (StrategyAttempt("OF", ("go()",), works=True), "DG", True),
        (StrategyAttempt("DG"), "DG", False),
        (StrategyAttempt("PX"), "PX", True),
        (StrategyAttempt("OF"), "PX", False),
        (StrategyAttempt("OF"), "OF", True),
        (StrategyAttempt("CT"), "CT", True),
        (StrategyAttempt("MT"), "MT", True),
        (StrategyAttempt("KS", works=True), "MT", False),
    ],
)
def test_an_attempt_succeeds_by_its_plan_or_by_the_right_word(
    attempt: StrategyAttempt, status: str, *, good: bool
) -> None:
    assert is_successful_attempt(attempt, status) is good
