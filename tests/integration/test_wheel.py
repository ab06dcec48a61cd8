"""The built wheel evaluates, scores, imports and reports without optional packages and outside the repository."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest

from support.scored_scenarios import create_published_folder

ROOT: Final = Path(__file__).parents[2]
OPTIONAL: Final = (
    "pydantic_ai",
    "openai",
    "anthropic",
    "genai_prices",
    "inspect_ai",
    "pyarrow",
    "hypothesis",
    "pytest",
)
"""Modules that a plain installation does not have."""
BLOCK: Final = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Absent())
"""
MAIN: Final = "import sys; from impossible_moments.cli.main import main; sys.argv[0] = 'im'; main()"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the contents of the built wheel, in which optional packages cannot be imported."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    site = folder / "site"
    with ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(site)
    (site / "sitecustomize.py").write_text(BLOCK.format(names=OPTIONAL), encoding="utf-8")
    return site


def run_installed(site: Path, folder: Path, code: str, *arguments: str | Path) -> str:
    """Run code with the wheel alone, in another folder, and return what it prints."""
    ended = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_the_wheel_is_what_runs_and_optional_packages_are_absent(installed: Path, tmp_path: Path) -> None:
    code = "import impossible_moments; print(impossible_moments.__file__)\ntry: import pydantic_ai\nexcept ImportError: print('absent')"
    found, absent = run_installed(installed, tmp_path, code).split()
    assert Path(found).is_relative_to(installed)
    assert absent == "absent"


@pytest.mark.slow
def test_the_wheel_evaluates_scores_imports_and_reports(installed: Path, tmp_path: Path) -> None:
    scenarios = create_published_folder()
    where = ("--scenarios", scenarios)
    shown = run_installed(
        installed, tmp_path, MAIN, "eval", "--model", "builtin:solver", "--runs", "1", *where
    )
    assert "IM-Score" in shown
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert results["summary"]["scored"] > 0
    scenario = results["scenarios"][0]
    line = {"scenario_id": scenario["scenario_id"], "answer": scenario["runs"][0]["answer"]}
    (tmp_path / "answers.jsonl").write_text(json.dumps(line), encoding="utf-8")
    run_installed(installed, tmp_path, MAIN, "score", "answers.jsonl", "--output", "scored.json", *where)
    scored = json.loads((tmp_path / "scored.json").read_text(encoding="utf-8"))
    assert scored["scenarios"][0]["runs"][0]["components"] == scenario["runs"][0]["components"]
    run_installed(installed, tmp_path, MAIN, "report", "results.json", "--html", "report.html", *where)
    assert "All runs" in (tmp_path / "report.html").read_text(encoding="utf-8")
    document = next((scenarios / "public").glob("IM-*.md"))
    shown = run_installed(installed, tmp_path, MAIN, "import", document, "--output", "imported")
    assert "1 imported" in shown


@pytest.mark.slow
def test_the_wheel_evaluates_from_python(installed: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from impossible_moments import Evaluator, Scenario\n"
        "folder = sys.argv[1]; scenarios = Scenario.load_directory(folder)[:1]\n"
        "evaluator = Evaluator(rubrics_path=folder + '/evaluation', model_under_test='builtin:solver', runs_per_scenario=1)\n"
        "print(evaluator.evaluate(scenarios).im_score)"
    )
    assert float(run_installed(installed, tmp_path, code, create_published_folder())) > 0
