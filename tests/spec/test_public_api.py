"""Specification 8.4: the names of the interface, and its first code block, executed with scripted agents."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import impossible_moments
from impossible_moments.pipeline.performers import ScriptedPerformer
from impossible_moments.pipeline.pipeline import Pipeline
from impossible_moments.pipeline.publishing.generation_results import GenerationResult
from impossible_moments.scenarios.metadata import ScenarioMetadata
from support.played_scenarios import make_obliging_player

BLOCK = (
    (Path(__file__).with_name("tables") / "generation_api.md")
    .read_text(encoding="utf-8")
    .partition("```python\n")[2]
    .partition("```")[0]
)


@pytest.fixture
def executed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[GenerationResult, str]:
    """What the block ends with, and what it prints; nothing of it is changed but who plays the roles and where files go."""
    scripted = partial(Pipeline, performer=ScriptedPerformer(make_obliging_player()), output=tmp_path)
    monkeypatch.setattr(impossible_moments, "Pipeline", scripted)
    names: dict[str, Any] = {}
    exec(BLOCK, names)  # noqa: S102 - the specification's own block
    result = names["result"]
    assert isinstance(result, GenerationResult)
    return result, capsys.readouterr().out


def test_the_block_gives_the_public_document(executed: tuple[GenerationResult, str]) -> None:
    assert executed[0].public_document.startswith("# IM-0001: ")


def test_the_block_gives_the_answer_key(executed: tuple[GenerationResult, str]) -> None:
    assert executed[0].evaluation_document.startswith("# EVALUATION: IM-0001")


def test_the_block_gives_the_trace(executed: tuple[GenerationResult, str]) -> None:
    assert executed[0].methodology_trace.startswith("# METHODOLOGY TRACE: IM-0001")


def test_the_block_gives_the_metadata(executed: tuple[GenerationResult, str]) -> None:
    assert isinstance(executed[0].metadata, ScenarioMetadata)


@pytest.mark.parametrize("head", ["# IM-0001", "# EVALUATION", "# METHODOLOGY TRACE", "scenario_id="])
def test_the_block_prints_all_four(executed: tuple[GenerationResult, str], head: str) -> None:
    assert f"\n{head}" in f"\n{executed[1]}"


def test_the_public_names_are_those_of_the_specification() -> None:
    assert impossible_moments.__all__ == ["Evaluator", "GenerationBrief", "Pipeline", "Scenario"]


@pytest.mark.parametrize("name", impossible_moments.__all__)
def test_a_public_name_can_be_imported(name: str) -> None:
    assert getattr(impossible_moments, name).__name__ == name


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Pipelin'"):
        _ = impossible_moments.Pipelin  # type: ignore[attr-defined]  # it is not there


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import sys, impossible_moments; print(sorted({'numpy', 'pydantic', 'z3'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout.strip() == "[]"
