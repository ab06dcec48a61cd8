"""The folder of scenarios that a command reads if none is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from impossible_moments.scenarios import find_shipped_benchmark, resolve_scenario_folder


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_named_folder_is_taken(elsewhere: Path) -> None:
    assert resolve_scenario_folder(elsewhere / "mine") == elsewhere / "mine"


@pytest.mark.usefixtures("elsewhere")
def test_the_shipped_benchmark_is_taken_where_there_is_no_working_folder() -> None:
    shipped = find_shipped_benchmark()
    assert shipped is not None
    assert (shipped / "public").is_dir()
    assert resolve_scenario_folder(None) == shipped
    assert resolve_scenario_folder("benchmark") == shipped


@pytest.mark.parametrize(("named", "folder"), [(None, "scenarios"), ("benchmark", "benchmark")])
def test_a_folder_of_the_user_comes_first(elsewhere: Path, named: str | None, folder: str) -> None:
    (elsewhere / folder).mkdir()

    assert resolve_scenario_folder(named) == Path(folder)
