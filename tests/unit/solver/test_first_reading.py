"""A first reader takes the text at its word, has little patience, and looks again where nothing works."""

from __future__ import annotations

import pytest

from impossible_moments.blueprints.instance_trials import draw_and_check_instance
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.solver.first_reading import QUICK_SEARCH_NODES, FirstReading, perform_first_reading
from impossible_moments.solver.solver import solve_public_text
from support.small_blueprints import (
    build_garden_offer,
    build_room_situations,
    build_situations,
    draw_room,
    extract_prose,
    extract_public_text,
)

CUSTOM = "Guests here keep to the gravel"


def of_garden(sentence: str, nodes: int = QUICK_SEARCH_NODES) -> FirstReading:
    offer = build_garden_offer(sentence)
    return perform_first_reading(
        extract_prose(draw_and_check_instance(offer, load_everyday_library(), 0, 0)),
        build_situations(offer),
        nodes,
    )


def test_a_first_reader_who_looks_at_one_node_gives_up() -> None:
    reading = perform_first_reading(extract_public_text(draw_room()), build_room_situations(), 1)

    assert reading.limit_reached
    assert (reading.solved.plans, reading.solved.status, reading.premise) == ((), "undecided", "")


def test_a_first_reader_finds_a_short_way() -> None:
    reading = perform_first_reading(extract_public_text(draw_room()), build_room_situations())

    assert (
        reading.solved.plans
        == solve_public_text(extract_public_text(draw_room()), build_room_situations()).plans
        != ()
    )
    assert not reading.limit_reached


def test_a_first_reader_sees_that_nothing_works() -> None:
    reading = perform_first_reading(
        extract_public_text(draw_room("organ_loft/nothing_holds")), build_room_situations(), 1000
    )

    assert reading.solved.status == "PX"
    assert (reading.limit_reached, reading.premise) == (False, "")


def test_a_custom_that_nothing_imposes_is_seen_through() -> None:
    reading = of_garden(CUSTOM)

    assert (reading.solved.status, reading.premise) == ("MT", CUSTOM)


@pytest.mark.parametrize(
    "law",
    [
        "Guests must keep to the gravel",
        "Nobody treads on the grass",
        "Treading on the grass is forbidden",
        "Guests have to keep to the gravel",
        "The rules keep guests on the gravel",
        "Guests walk on gravel only",
    ],
)
def test_a_sentence_that_lays_something_down_is_taken_at_its_word(law: str) -> None:
    reading = of_garden(law)

    assert (reading.solved.status == "MT", reading.premise, reading.solved.plans) == (False, "", ())


def test_who_has_no_patience_does_not_look_again() -> None:
    reading = of_garden(CUSTOM, 0)

    assert (reading.limit_reached, reading.premise) == (True, "")


def test_a_patient_solver_needs_no_second_look() -> None:
    offer = build_garden_offer(CUSTOM)

    assert (
        solve_public_text(
            extract_prose(draw_and_check_instance(offer, load_everyday_library(), 0, 0)),
            build_situations(offer),
        ).status
        == "MT"
    )


def test_what_is_not_recognised_is_not_read() -> None:
    reading = perform_first_reading(
        extract_public_text(draw_room()), build_situations(build_garden_offer(CUSTOM))
    )

    assert reading.solved.status == "unread"
    assert not reading.limit_reached
