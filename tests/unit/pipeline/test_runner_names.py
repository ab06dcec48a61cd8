"""Tests of runner names: unique, and known to be gone only if the process of this machine is gone."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from impossible_moments.pipeline.runner_names import is_gone, make_runner_name

PRINT_NAME = (
    "from impossible_moments.pipeline.runner_names import make_runner_name; print(make_runner_name())"
)


def test_no_two_runners_share_a_name() -> None:
    assert make_runner_name() != make_runner_name()


def test_this_process_is_not_gone() -> None:
    assert not is_gone(make_runner_name())


def test_a_process_that_ended_is_gone() -> None:
    name = subprocess.run(
        [sys.executable, "-c", PRINT_NAME], capture_output=True, text=True, check=True
    ).stdout
    assert is_gone(name.strip())


def test_a_process_that_ended_and_was_not_waited_for_is_gone() -> None:
    with subprocess.Popen([sys.executable, "-c", PRINT_NAME], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        name = child.stdout.read().strip()
        while not is_gone(name):
            time.sleep(0.01)


def test_a_process_with_the_number_of_an_earlier_one_is_another_runner() -> None:
    host, system, process, started, at = make_runner_name().rsplit(":", 4)
    assert is_gone(f"{host}:{system}:{process}:{int(started) - 1}:{at}")


@pytest.mark.parametrize("name", ["", "somewhere else:1:2:3:4", "me"])
def test_of_other_runners_nothing_is_known(name: str) -> None:
    assert not is_gone(name)


@pytest.mark.parametrize("number", ["not a number", str(10**30)])
def test_a_process_number_that_cannot_be_read_is_not_gone(number: str) -> None:
    assert not is_gone(make_runner_name().replace(f":{os.getpid()}:", f":{number}:"))
