"""The review sample: a tenth of the set, four questions each, answers that are kept and read."""

from __future__ import annotations

from pathlib import Path

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.production.quality import (
    REVIEW_FILE,
    CheckState,
    ReleasedScenarios,
    write_review_sample,
)
from impossible_moments.production.quality.review_sample import check_review_sample
from support.released_folder import copy_released_folder


@pytest.fixture
def released(tmp_path: Path) -> ReleasedScenarios:
    return ReleasedScenarios(copy_released_folder(tmp_path))


def answer(released: ReleasedScenarios, value: str) -> None:
    path = released.folder / REVIEW_FILE
    lines = path.read_text(encoding="utf-8").splitlines()
    names = ("solved", "physics", "ethics", "difficulty")
    changed = [
        f"    {name}: {value}"
        if (name := line.strip().partition(":")[0]) in names and line.startswith("    ")
        else line
        for line in lines
    ]
    path.write_text("\n".join(changed) + "\n", encoding="utf-8")


def test_a_sample_is_open_until_it_is_answered(released: ReleasedScenarios) -> None:
    assert check_review_sample(released).state is CheckState.OPEN
    write_review_sample(released, seed=1)
    found = check_review_sample(released)
    assert found.state is CheckState.OPEN
    assert "4 of 4 questions open" in found.summary
    answer(released, '"yes"')
    assert check_review_sample(released).state is CheckState.PASSED


def test_a_no_fails_and_names_the_question(released: ReleasedScenarios) -> None:
    write_review_sample(released, seed=1)
    answer(released, '"no"')
    found = check_review_sample(released)
    assert found.state is CheckState.FAILED
    assert "physics: a reviewer says no" in "\n".join(found.problems)


def test_drawing_again_keeps_the_answers(released: ReleasedScenarios) -> None:
    write_review_sample(released, seed=1)
    answer(released, '"yes"')
    write_review_sample(released, seed=2)
    assert check_review_sample(released).state is CheckState.PASSED


def test_a_mistake_in_the_file_is_named_with_its_place(released: ReleasedScenarios) -> None:
    write_review_sample(released, seed=1)
    answer(released, '"perhaps"')
    with pytest.raises(ConfigurationError, match=r"review_sample.yaml is not valid at sample.0.solved"):
        check_review_sample(released)
