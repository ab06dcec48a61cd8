"""Tests of runner names: unique, and known to be gone only if the process of this machine is gone."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from impossible_moments.pipeline.runner_names import is_gone, make_runner_name


def test_no_two_runners_share_a_name() -> None:
    assert make_runner_name() != make_runner_name()


def test_this_process_is_not_gone() -> None:
    assert not is_gone(make_runner_name())


def test_a_process_that_ended_is_gone() -> None:
    code = "from impossible_moments.pipeline.runner_names import make_runner_name; print(make_runner_name())"
    name = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert is_gone(name.strip())


@pytest.mark.parametrize("name", ["", "somewhere else:1:2:3", "me"])
def test_of_other_runners_nothing_is_known(name: str) -> None:
    assert not is_gone(name)


@pytest.mark.parametrize("number", ["not a number", str(10**30)])
def test_a_process_number_that_cannot_be_read_is_not_gone(number: str) -> None:
    assert not is_gone(make_runner_name().replace(f":{os.getpid()}:", f":{number}:"))
