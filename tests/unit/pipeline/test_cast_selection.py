"""An agent that nothing can play is refused before a run begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from impossible_moments.agents.orchestrator import load_configuration
from impossible_moments.errors import ConfigurationError
from impossible_moments.library import load_everyday_library
from impossible_moments.pipeline import Pipeline, build_cast, select_models

AGENT = """
  diogenes:
    role: doubts everything
    prompt: agents/prompts/turing_v1.md
    phases: [REFINE, DOCUMENT]
gates:"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    packaged = Path(__file__).parents[3] / "src/impossible_moments/agents/orchestrator/config.yaml"
    path = tmp_path / "config.yaml"
    path.write_text(packaged.read_text(encoding="utf-8").replace("\ngates:", AGENT, 1), encoding="utf-8")
    return path


def test_a_configured_agent_without_a_performer_is_refused_at_the_start(tmp_path: Path, config: Path) -> None:
    with pytest.raises(
        ConfigurationError, match=r"DIOGENES is configured, but nothing plays it.*--model DIOGENES="
    ):
        Pipeline(config, output=tmp_path / "scenarios")
    assert not (tmp_path / "scenarios").exists()


def test_a_configured_agent_with_a_model_is_accepted(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    settings = load_configuration(config)
    models = select_models(["DIOGENES=openai:gpt-4o"], settings, {})
    assert build_cast(models, settings, load_everyday_library()) is not None
