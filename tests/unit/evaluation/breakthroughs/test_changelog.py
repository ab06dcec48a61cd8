"""The changelog of a folder: a verified candidate is proposed there once, and what stands there stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.breakthroughs.candidates import BreakthroughCandidate
from impossible_moments.evaluation.breakthroughs.changelog import (
    FILE,
    format_changelog_entry,
    write_changelog_entry,
)
from support.breakthrough_answers import (
    build_collected_event,
    build_confirmed_candidate,
    build_verified_event,
)

EVENT = build_collected_event("An answer.", title="Ice <b> [at](noon)\n## Noon")
NAME = EVENT.candidate


def done() -> BreakthroughCandidate:
    return build_confirmed_candidate(EVENT).apply_event(build_verified_event(NAME))


def written(folder: Path, before: str | None = None, line: str = "- the line") -> str:
    if before is not None:
        (folder / FILE).write_text(before, encoding="utf-8")
    write_changelog_entry(folder, NAME, line)
    return (folder / FILE).read_text(encoding="utf-8")


def test_an_entry_says_what_by_whom_and_why_on_one_harmless_line() -> None:
    line = format_changelog_entry(done(), ("maker:model",), further=False)
    assert "proposed to change from OF to KS" in line
    assert f"{NAME} by maker:model, verified by tier B (computational: fourth expert)" in line
    assert line.endswith("Evidence: A simulation, repeated.")
    assert "\n" not in line
    assert "<b>" not in line
    assert "](" not in line


def test_a_further_way_turns_nothing_a_second_time() -> None:
    line = format_changelog_entry(done(), (), further=True)
    assert "OF to KS" not in line
    assert "a further solution" in line


def test_a_missing_changelog_is_made(tmp_path: Path) -> None:
    text = written(tmp_path)
    assert text.startswith("# Changelog\n")
    assert text.endswith("## Unreleased\n\n- the line\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "## Unreleased\n\n- the line\n"),
        ("# Changes\n", "# Changes\n\n## Unreleased\n\n- the line\n"),
        ("# C\n\n## 1.0\n\n- old\n", "# C\n\n## Unreleased\n\n- the line\n\n## 1.0\n\n- old\n"),
        ("# C\n\n## Unreleased\n", "# C\n\n## Unreleased\n\n- the line\n"),
        ("## [Unreleased]\n\n- one\n", "## [Unreleased]\n\n- one\n- the line\n"),
        (
            "## Unreleased\n\n- one\n\n## 1.0\n\n- old\n",
            "## Unreleased\n\n- one\n- the line\n\n## 1.0\n\n- old\n",
        ),
    ],
    ids=["empty", "head", "released", "open", "entry", "both"],
)
def test_an_entry_goes_under_unreleased_and_the_rest_stays(tmp_path: Path, before: str, after: str) -> None:
    assert written(tmp_path, before) == after


def test_the_same_candidate_is_entered_once(tmp_path: Path) -> None:
    line = format_changelog_entry(done(), ("maker:model",), further=False)
    once = written(tmp_path, line=line)
    assert written(tmp_path, line=line) == once


def test_a_changelog_that_is_no_text_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigurationError, match="Cannot update"):
        write_changelog_entry(tmp_path, NAME, "- the line")
