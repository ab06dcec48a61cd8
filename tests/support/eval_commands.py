"""Run `im eval` and `im score` in this process, or in a separate process that can be killed."""

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
from support.scored_scenarios import (
    build_right_answer,
    create_published_folder,
    load_published_keys,
    load_scenarios,
)

COMMAND_TIMEOUT = 900.0
"""Seconds after which waiting for a command is given up."""
NOTHING_SCORED = 5
"""The exit status of a run in which no answer could be scored."""
INTERRUPTED = 130
"""The exit status after Ctrl-C."""


def run_command(*arguments: str | Path, scenarios_in: Path | None = None, ends_with: int = 0) -> str:
    """Run a command that must end with a status, by default success, and return its output."""
    folder = scenarios_in or create_published_folder()
    result = CliRunner().invoke(
        app, [*map(str, arguments), "--scenarios", str(folder)], catch_exceptions=False
    )
    assert result.exit_code == ends_with, result.output
    return result.stdout


def run_failing_command(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> str:
    """Run a command that must end with status 2 and return its one-sentence error."""
    monkeypatch.setattr(sys, "argv", ["im", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    shown = capsys.readouterr()
    assert ended.value.code == 2, shown
    assert shown.err.startswith("im: ")
    assert shown.err.count("\n") == 1
    assert shown.err.rstrip().endswith(".")
    return shown.err


def start_command(*arguments: str | Path, scenarios_in: Path | None = None) -> subprocess.Popen[str]:
    """Start a command in a separate process, over the eight scenarios unless another folder is named."""
    # A shell may start its background jobs with Ctrl-C ignored, which child processes inherit.
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from impossible_moments.cli.main import main; sys.argv[0] = 'im'; main()"
    )
    command = [
        sys.executable,
        "-c",
        code,
        *map(str, arguments),
        "--scenarios",
        str(scenarios_in or create_published_folder()),
    ]
    environment = {**os.environ, "OPENAI_API_KEY": SECRET}
    return subprocess.Popen(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def kill_when(process: subprocess.Popen[str], *, when: Callable[[], bool]) -> None:
    """Kill a process without warning as soon as a condition holds."""
    _signal_when(process, signal.SIGKILL, when)
    assert process.returncode == -signal.SIGKILL, "it had ended before it could be killed"


def interrupt_when(process: subprocess.Popen[str], *, when: Callable[[], bool]) -> str:
    """Interrupt a process as with Ctrl-C as soon as a condition holds, and return its output."""
    shown = _signal_when(process, signal.SIGINT, when)
    assert process.returncode == INTERRUPTED, shown
    return shown


def _signal_when(process: subprocess.Popen[str], number: signal.Signals, when: Callable[[], bool]) -> str:
    until = time.monotonic() + COMMAND_TIMEOUT
    while not when() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(number)
    shown, _ = process.communicate()
    return shown


def wait_for_output(process: subprocess.Popen[str]) -> str:
    """Wait for a process that must succeed and return its output."""
    shown, _ = process.communicate(timeout=2 * COMMAND_TIMEOUT)
    assert process.returncode == 0, shown
    return shown


def read_results(path: Path) -> Results:
    return Results.model_validate_json(path.read_text(encoding="utf-8"))


def answer_correctly(question: Question) -> Reply:
    """Answer every scenario correctly."""
    return Reply(text=build_right_answer(load_published_keys()[find_scenario_id(question.messages[0].text)]))


def find_scenario_id(prompt: str) -> str:
    return next(each.scenario_id for each in load_scenarios() if each.sections["Scenario"] in prompt)
