"""A stream depends on its names and on nothing else."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from impossible_moments.blueprints.random_streams import create_random_stream

PROGRAM = """
from impossible_moments.blueprints.parameter_draws import draw_values
from impossible_moments.blueprints.random_streams import create_random_stream
print(create_random_stream(7, "offer", "sill").random())
print(draw_values({"sill": "2..9 by 0.01", "hull": "a | b | c | d | e", "twice": "= 2*$sill"}, 7, "offer"))
"""


def test_the_same_names_give_the_same_numbers() -> None:
    assert create_random_stream(7, "sill").random() == create_random_stream(7, "sill").random()


@pytest.mark.parametrize("other", [(8, "sill"), (7, "hull"), (7,), (7, "sill", 0)], ids=str)
def test_other_names_give_other_numbers(other: tuple[object, ...]) -> None:
    assert create_random_stream(*other).random() != create_random_stream(7, "sill").random()


def test_names_are_not_run_together() -> None:
    assert create_random_stream("ab", "c").random() != create_random_stream("a", "bc").random()


def test_drawing_from_one_stream_moves_no_other() -> None:
    first, second = create_random_stream("a"), create_random_stream("b")
    first.random()

    assert second.random() == create_random_stream("b").random()


def test_what_is_drawn_does_not_depend_on_the_hash_seed() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }

    assert len(printed) == 1


def test_what_was_drawn_once_is_drawn_for_ever() -> None:
    drawn = (
        create_random_stream(7, "sill").randint(0, 10**6),
        create_random_stream("IM-0042", "objects").randint(0, 10**6),
    )

    assert drawn == (533567, 9412)
