"""`im eval` and `im score` as a user runs them: in this process, or in one of their own that can be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from impossible_moments.cli.main import app, main
from impossible_moments.evaluation.results import Results
from support.model_conversations import SECRET
from support.providers.conversation import Question, Reply
from support.scored_scenarios import published_folder, published_keys, right_answer, scenarios

PATIENCE = 60.0
"""Seconds after which a command that does not come to its point is given up."""


def im(*arguments: str | Path, scenarios_in: Path | None = None) -> str:
    """What a command prints that ends well."""
    folder = scenarios_in or published_folder()
    result = CliRunner().invoke(
        app, [*map(str, arguments), "--scenarios", str(folder)], catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    return result.stdout


def failed(arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """The one sentence that a command ends with, and status 2."""
    monkeypatch.setattr(sys, "argv", ["im", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    shown = capsys.readouterr()
    assert ended.value.code == 2, shown
    assert shown.err.startswith("im: ")
    assert shown.err.count("\n") == 1
    assert shown.err.rstrip().endswith(".")
    return shown.err


def started(*arguments: str | Path) -> subprocess.Popen[str]:
    """A command in a process of its own, over the eight scenarios."""
    code = "import sys; from impossible_moments.cli.main import main; sys.argv[0] = 'im'; main()"
    command = [sys.executable, "-c", code, *map(str, arguments), "--scenarios", str(published_folder())]
    environment = {**os.environ, "OPENAI_API_KEY": SECRET}
    return subprocess.Popen(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def killed(process: subprocess.Popen[str], *, when: Callable[[], bool]) -> None:
    """Kill a process, without a word of warning, as soon as something holds."""
    until = time.monotonic() + PATIENCE
    while not when() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL, "it had ended before it could be killed"


def finished(process: subprocess.Popen[str]) -> str:
    """What a process has shown that ends well."""
    shown, _ = process.communicate(timeout=2 * PATIENCE)
    assert process.returncode == 0, shown
    return shown


def read(path: Path) -> Results:
    return Results.model_validate_json(path.read_text(encoding="utf-8"))


def knowing(question: Question) -> Reply:
    """A model that knows the right answer to every scenario."""
    return Reply(text=right_answer(published_keys()[asked_about(question.messages[0].text)]))


def asked_about(prompt: str) -> str:
    return next(each.scenario_id for each in scenarios() if each.sections["Scenario"] in prompt)
