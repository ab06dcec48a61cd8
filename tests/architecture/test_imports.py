"""The import contracts of pyproject.toml hold."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # each starts another interpreter

ROOT = Path(__file__).parents[2]
LINT_IMPORTS = (
    "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
)


def test_the_import_contracts_hold() -> None:
    run = subprocess.run(
        [sys.executable, "-c", LINT_IMPORTS, "--no-cache", "--no-logo"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 broken" in run.stdout


CLIENTS = ("anthropic", "genai_prices", "openai", "pydantic_ai")
"""Packages of the `[llm]` extra, which take seconds to import and may be missing."""


def run_python(code: str) -> str:
    """Return what a fresh interpreter prints."""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


@pytest.mark.parametrize("package", ["llm", "agents.adapters", "pipeline", "evaluation", "cli.main"])
def test_a_package_is_imported_without_the_clients_of_models(package: str) -> None:
    code = f"import sys, impossible_moments.{package}; print([each for each in {CLIENTS} if each in sys.modules])"

    assert run_python(code) == "[]"


def test_the_built_in_solver_is_evaluated_without_the_clients_of_models(tmp_path: Path) -> None:
    code = f"""
import sys
sys.modules.update(dict.fromkeys({CLIENTS}))  # as if they were not installed
from pathlib import Path

import pytest
from impossible_moments import Evaluator, GenerationBrief, Pipeline, Scenario
brief = GenerationBrief(category="The Locked Room", difficulty_tier="FRACTURE", solution_status="KS", seed=1)
Pipeline(output={str(tmp_path)!r}).generate(brief)
evaluator = Evaluator({str(tmp_path / "evaluation")!r}, runs_per_scenario=1, output={str(tmp_path / "kept")!r})
print(evaluator.evaluate(Scenario.load_directory(Path({str(tmp_path / "public")!r}))).unscored)
"""

    assert run_python(code) == "0"
