"""Files that a stranger prepared: links, copies, control characters, many equal documents and half written ranges."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from impossible_moments.cli.main import app
from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios import Scenario, ScenarioRegistry, hold_file_lock
from support.built_documents import build_golden_documents

RUNNER = CliRunner()
ESCAPE = "\x1b[2J"
COPIES = 1_000


@pytest.fixture
def published(tmp_path: Path) -> Path:
    folder = tmp_path / "scenarios"
    ScenarioRegistry(folder).publish(build_golden_documents())
    return folder


def test_a_link_in_the_place_of_a_lock_is_refused_and_its_target_stays(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("keep", encoding="utf-8")
    (tmp_path / "lock").symlink_to(target)

    with pytest.raises(ConfigurationError, match="symbolic link"), hold_file_lock(tmp_path / "lock"):
        pass
    assert target.read_text(encoding="utf-8") == "keep"


def test_two_files_with_one_title_are_refused(published: Path) -> None:
    (first,) = (published / "public").glob("IM-*.md")
    shutil.copy(first, first.with_name("IM-9999.md"))

    with pytest.raises(ConfigurationError, match="both titled"):
        Scenario.load_directory(published)


def test_a_folder_is_verified_by_its_records_and_not_by_its_registry(published: Path) -> None:
    result = RUNNER.invoke(app, ["verify", str(published), "--json"])

    assert "registry.json" not in result.stdout
    assert result.stdout.count("_mechanics.json") == 1


def test_control_characters_of_a_document_do_not_reach_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"# A{ESCAPE}\nIt weighs 5 kg{ESCAPE} and 6 kg.\n", encoding="utf-8")
    result = RUNNER.invoke(app, ["audit", str(tmp_path / "a.md")])

    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert ESCAPE not in result.output


def test_many_equal_documents_give_a_report_that_grows_with_their_number_only(tmp_path: Path) -> None:
    """All pairs of a thousand documents once took a minute and 346 MB of JSON."""
    sizes = []
    for count in (COPIES // 2, COPIES):
        rows = [
            json.dumps({"id": f"IM-{number:04}", "markdown": "# A\nMass 5 kg"}) for number in range(count)
        ]
        path = tmp_path / f"{count}.jsonl"
        path.write_text("\n".join(rows), encoding="utf-8")
        sizes.append(len(RUNNER.invoke(app, ["audit", "--json", str(path)]).stdout))

    assert sizes[1] < 3 * sizes[0]


@pytest.mark.parametrize("text", ["between 5 m and", "from 3 to", "5 to m", "between and 7 kg"])
def test_a_range_without_its_second_end_is_audited(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"# A\nThe wall is {text}\n", encoding="utf-8")
    result = RUNNER.invoke(app, ["audit", str(tmp_path / "a.md"), "--json"])

    assert json.loads(result.stdout)["documents"]
