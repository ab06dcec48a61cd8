"""Evaluations with a translator and judges behind one local server, killed at given moments and resumed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from impossible_moments.scenarios.scenario import Scenario
from support.eval_commands import interrupt_when, kill_when, read_results, start_command, wait_for_output
from support.instruments import (
    JUDGES,
    REPLY_USAGE,
    TRANSLATOR,
    ScriptedProvider,
    build_judge_options,
    extract_answer,
    list_model_names,
    write_prices,
)
from support.providers.conversation import Question, Reply
from support.providers.server import Server
from support.worded_scenarios import confirm_everything, is_second_pass

AT_ONCE = 8
"""The most requests that each model has under way at once."""
_TIMES = frozenset({"created", "seconds", "duration", "started", "finished", "elapsed", "took"})


@dataclass
class RecordedProvider:
    """Answers in plain words, readings and verdicts, each request counted by its content."""

    folder: Path
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        blind = {each.scenario_id: each.blind.strip() for each in Scenario.load_directory(self.folder)}
        self.count = len(blind)

        def answer(question: Question) -> Reply:
            shown = question.messages[0].text
            name = next(name for name, text in blind.items() if text in shown)
            return Reply(text=f"Yes, {name} can be done. I look at everything first.", usage=REPLY_USAGE)

        self._provider = ScriptedProvider(answer, translated=read_verdict_alone)

    def __call__(self, question: Question) -> Reply:
        content = "".join(message.text for message in question.messages)
        self.asked[question.model, sha256(content.encode()).hexdigest()] += 1
        return self._provider(question)

    def count_requests(self, *models: str) -> int:
        """Return how many requests the models got."""
        return sum(count for (model, _), count in self.asked.items() if model in models)

    def list_repeated(self) -> list[str]:
        """Return the models of the requests that came more than once."""
        return [model for (model, _), count in self.asked.items() if count > 1]


def read_verdict_alone(question: Question) -> dict[str, Any]:
    """Read an answer as its verdict and one harmless step, and confirm every mapping."""
    if is_second_pass(question):
        return confirm_everything(question)
    words = extract_answer(question.messages[0].text)
    harmless = {"quote": "I look at everything first", "kind": "harmless"}
    return {"verdict": "solvable", "verdict_quote": words.partition(".")[0], "plan": [harmless]}


def build_command(server: Server, folder: Path) -> list[str | Path]:
    """Return the arguments of `im eval` with free answers, a translator, judges and prices."""
    return [
        "eval", "--model", *list_model_names(server, "small-1"), "--runs", "1", "--answer", "free",
        "--translator", *list_model_names(server, TRANSLATOR), *build_judge_options(server),
        "--prices", write_prices(folder), "--output", folder / "r.json",
    ]  # fmt: skip


def run_whole(provider: RecordedProvider, server: Server, folder: Path) -> dict[str, Any]:
    """Run an evaluation to its end, and return its results without times."""
    folder.mkdir(exist_ok=True)
    wait_for_output(start_command(*build_command(server, folder), scenarios_in=provider.folder))
    found: dict[str, Any] = remove_times(read_results(folder / "r.json").model_dump(mode="json"))
    return found


def kill_after(provider: RecordedProvider, server: Server, folder: Path, count: int, *models: str) -> None:
    """Start an evaluation and kill it as soon as the models got so many requests in all."""
    folder.mkdir(exist_ok=True)
    process = start_command(*build_command(server, folder), scenarios_in=provider.folder)
    kill_when(process, when=lambda: provider.count_requests(*models) >= count)


def interrupt_after(
    provider: RecordedProvider, server: Server, folder: Path, count: int, *models: str
) -> str:
    """Start an evaluation, interrupt it as soon as the models got so many requests in all, and return its output."""
    process = start_command(*build_command(server, folder), scenarios_in=provider.folder)
    return interrupt_when(process, when=lambda: provider.count_requests(*models) >= count)


def remove_times(value: Any) -> Any:
    """Return a document without the fields that say when or how long."""
    if isinstance(value, dict):
        return {name: remove_times(each) for name, each in value.items() if name not in _TIMES}
    return [remove_times(each) for each in value] if isinstance(value, list) else value


INSTRUMENTS = (TRANSLATOR, *JUDGES)
