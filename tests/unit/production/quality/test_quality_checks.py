"""Each quality check passes on a sound set, and names the fault of a damaged one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from impossible_moments.production import CoverageTargets
from impossible_moments.production.quality import CheckState, QualityCheck, ReleasedScenarios
from impossible_moments.production.quality.completeness import check_completeness
from impossible_moments.production.quality.distinctness import check_distinctness
from impossible_moments.production.quality.distributions import check_distributions
from impossible_moments.production.quality.public_texts import check_public_texts
from impossible_moments.production.quality.scorer_resistance import check_scorer_resistance
from impossible_moments.production.quality.stated_claims import check_claims
from impossible_moments.production.quality.tells import check_tells
from impossible_moments.production.quality.verified_mechanics import check_mechanics
from impossible_moments.scenarios import ScenarioRegistry
from support.released_folder import copy_released_folder

Check = Callable[[ReleasedScenarios], QualityCheck]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_released_folder(tmp_path)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    "check",
    [check_completeness, check_claims, check_public_texts, check_distinctness, check_mechanics],
)
def test_a_sound_set_passes(folder: Path, check: Check) -> None:
    found = check(ReleasedScenarios(folder))
    assert (found.state, found.problems) == (CheckState.PASSED, ())


def test_missing_files_and_sections_and_unregistered_files_are_named(folder: Path) -> None:
    (folder / "traces/IM-0001_trace.md").unlink()
    edit(folder / "evaluation/IM-0002_eval.md", "### Key Insights", "### Thoughts")
    (folder / "public/IM-0009.md").write_text("# IM-0009: Left over\n", encoding="utf-8")
    problems = "\n".join(check_completeness(ReleasedScenarios(folder)).problems)
    assert "traces/IM-0001_trace.md is missing" in problems
    assert "evaluation/IM-0002_eval.md has no section 'Key Insights'" in problems
    assert "public/IM-0009.md belongs to no registered scenario" in problems


def test_a_document_that_cannot_be_read_does_not_stop_the_others(folder: Path) -> None:
    (folder / "public/IM-0001.md").write_bytes(b"\xff\xfe broken")
    released = ReleasedScenarios(folder)
    assert set(released.scenarios) == {"IM-0002"}
    assert any("public/IM-0001.md cannot be read" in each for each in check_completeness(released).problems)


def test_a_shared_canary_is_found(folder: Path) -> None:
    entries = ScenarioRegistry(folder).entries
    ScenarioRegistry(folder).change_entry("IM-0002", canary=entries["IM-0001"].canary)
    problems = "\n".join(check_completeness(ReleasedScenarios(folder)).problems)
    assert "IM-0001 shares its canary" in problems
    assert "public/IM-0002.md does not contain its canary" in problems


def test_a_verdict_other_than_valid_fails(folder: Path) -> None:
    edit(folder / "evaluation/IM-0001_eval.md", "| VALID:", "| DOUBTFUL:")
    found = check_claims(ReleasedScenarios(folder))
    assert found.state is CheckState.FAILED
    assert "IM-0001 C1: a verdict is not VALID: DOUBTFUL" in found.problems[0]


def test_counts_off_target_are_named_with_both_figures(folder: Path) -> None:
    targets = CoverageTargets.model_validate(
        {
            "format": "im-coverage/1",
            "total": 2,
            "categories": {"The Babel Problem": 2},
            "tiers": {"FRACTURE": 2},
            "statuses": {"KS": 1, "PX": 1},
        }
    )
    found = check_distributions(ReleasedScenarios(folder), targets)
    assert found.problems == ("category The Babel Problem: 0 instead of 2",)


def test_another_status_than_the_computed_one_fails(folder: Path) -> None:
    ScenarioRegistry(folder).change_entry("IM-0002", status="KS")
    found = check_mechanics(ReleasedScenarios(folder))
    assert found.problems == ("IM-0002 is published as KS, and the record is PX",)


def test_a_changed_record_fails(folder: Path) -> None:
    path = folder / "evaluation/IM-0001_mechanics.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    record["status"]["claim"] = "PX"
    path.write_text(json.dumps(record), encoding="utf-8")
    assert check_mechanics(ReleasedScenarios(folder)).state is CheckState.FAILED


def test_a_copy_of_a_text_is_found(folder: Path) -> None:
    first = (folder / "public/IM-0001.md").read_text(encoding="utf-8")
    (folder / "public/IM-0002.md").write_text(first.replace("IM-0001", "IM-0002"), encoding="utf-8")
    problems = check_distinctness(ReleasedScenarios(folder)).problems
    assert any("IM-0001 and IM-0002 have a similarity of 1.00" in each for each in problems)


def test_twins_in_one_set_are_found(folder: Path) -> None:
    ScenarioRegistry(folder).change_entry("IM-0001", twin="IM-0002")
    problems = check_distinctness(ReleasedScenarios(folder)).problems
    assert problems == ("IM-0001 and IM-0002 are twins; a set holds one of them unless twins are wanted",)


def test_a_wrong_sum_in_a_text_fails(folder: Path) -> None:
    edit(folder / "public/IM-0001.md", "### Environment", "He says: 12 kg + 7 kg = 21 kg.\n\n### Environment")
    found = check_public_texts(ReleasedScenarios(folder))
    assert found.state is CheckState.FAILED
    assert "IM-0001:" in found.problems[0]


def test_the_scorer_is_attacked_on_a_sample(folder: Path) -> None:
    found = check_scorer_resistance(ReleasedScenarios(folder), sample=1, seed=0)
    assert found.state is CheckState.PASSED
    assert "hostile answers to 1 scenarios, 0 false accepts" in found.summary
    assert check_scorer_resistance(ReleasedScenarios(folder), sample=0, seed=0).state is CheckState.SKIPPED


def test_few_texts_say_nothing_about_tells(folder: Path) -> None:
    assert check_tells(ReleasedScenarios(folder)).state is CheckState.SKIPPED
