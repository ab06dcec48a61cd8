"""Judges and translators behind a provider, each with its own model name."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any, Final

from impossible_moments.llm.consultation_tasks import HAND_IN
from support.eval_commands import find_scenario_id
from support.judge_scripts import EMPTY
from support.providers.conversation import Brain, Call, Question, Reply, Usage
from support.providers.server import Server

REPLY_USAGE: Final = Usage(2_000, 400)
"""Tokens charged for every reply of a judge or translator."""
REPLY_COST: Final = Decimal("0.009")
"""Cost of such a reply, in dollars."""
JUDGES: Final = ("judge-1", "judge-2")
TRANSLATOR: Final = "translator"
_ANSWER: Final = re.compile(r"<<<ANSWER (\w+)\n(.*)\nANSWER \1>>>", re.DOTALL)
_LINE: Final = re.compile(r"^- (['\"].*['\"]): 0 (?:to|or) ([\d.]+) \(", re.MULTILINE)


@dataclass
class ScriptedProvider:
    """The model under test, the judges and the translator of a provider, with the number of requests to each."""

    under_test: Brain
    share: dict[str, float] = field(default_factory=dict)
    """The share of all points that each judge gives; all points if it is not listed."""
    translated: Callable[[Question], dict[str, Any]] | None = None
    asked: Counter[str] = field(default_factory=Counter)

    def __call__(self, question: Question) -> Reply:
        self.asked[question.model] += 1
        if question.model.startswith("judge"):
            given = build_verdict(question, self.share.get(question.model, 1.0))
        elif question.model == TRANSLATOR:
            assert self.translated is not None, "a translator needs a script"
            given = self.translated(question)
        else:
            return self.under_test(question)
        return Reply(calls=(Call(HAND_IN, given),), usage=REPLY_USAGE)

    def count_judge_requests(self) -> int:
        """Return how often judges were asked."""
        return sum(count for name, count in self.asked.items() if name.startswith("judge"))


def build_verdict(question: Question, share: float = 1.0) -> dict[str, Any]:
    """Build a verdict that gives a share of all points and quotes the first words of the answer."""
    told = question.messages[0].text
    quote = " ".join(extract_answer(told).split()[:6])
    lines = [
        {"line": ast.literal_eval(name), "points": share * float(most), "quote": quote, "why": "So it is."}
        for name, most in _LINE.findall(told)
    ]
    return {"lines": lines, **EMPTY}


def extract_answer(told: str) -> str:
    """Return the answer in the prompt of a judge or translator."""
    found = _ANSWER.search(told)
    assert found is not None
    return found[2]


def list_model_names(server: Server, *names: str) -> list[str]:
    """Return the model names as given on the command line."""
    return [f"openai:{name}@{server.openai_url}" for name in names]


def build_judge_options(server: Server, *names: str) -> list[str]:
    """Return the options that name judges, by default the usual two."""
    return [part for model in list_model_names(server, *(names or JUDGES)) for part in ("--judge", model)]


def write_prices(folder: Path) -> Path:
    """Write a price table that lists all models."""
    names = ("small-1", *JUDGES, "judge-3", TRANSLATOR)
    path = folder / "prices.yaml"
    path.write_text(
        "".join(f"openai:{name}: {{input: 2.5, output: 10}}\n" for name in names), encoding="utf-8"
    )
    return path


def create_talkative_provider() -> ScriptedProvider:
    """Create a provider whose model never repeats a plain answer, so that every answer needs its own judgement."""
    numbers = count(1)

    def said(question: Question) -> Reply:
        find_scenario_id(question.messages[0].text)
        return Reply(text=f"Answer number {next(numbers)}: I look around first, and then I act.")

    return ScriptedProvider(said)


def build_free_answer_command(
    server: Server, folder: Path, *more: str | Path, runs: int = 1
) -> list[str | Path]:
    """Return the arguments of `im eval` with free answers and two judges."""
    return [
        "eval", "--model", *list_model_names(server, "small-1"), "--runs", str(runs), "--answer", "free",
        "--output", folder / "r.json", *build_judge_options(server), *more,
    ]  # fmt: skip


def write_answer_lines(folder: Path, answers: Iterable[tuple[str, str]]) -> Path:
    """Write a file of answers that were produced elsewhere."""
    path = folder / "answers.jsonl"
    rows = [json.dumps({"scenario_id": name, "answer": text}) for name, text in answers]
    path.write_text("\n".join(rows), encoding="utf-8")
    return path
