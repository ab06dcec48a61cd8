"""Judges and translators behind a provider, each a model of its own name, who do what any question asks of them."""

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

from impossible_moments.llm.consultations import HAND_IN
from support.eval_commands import asked_about
from support.judge_scripts import EMPTY
from support.providers.conversation import Brain, Call, Question, Reply, Usage
from support.providers.server import Server
from support.scored_scenarios import published_keys, right_answer

TAKEN: Final = Usage(2_000, 400)
"""What every reply of a judge or a translator is charged for."""
EACH: Final = Decimal("0.009")
"""What that costs, in dollars."""
JUDGES: Final = ("judge-1", "judge-2")
TRANSLATOR: Final = "translator"
STEPS: Final = "I take the steps in their order, one after the other."
_ANSWER: Final = re.compile(r"<<<ANSWER (\w+)\n(.*)\nANSWER \1>>>", re.DOTALL)
_LINE: Final = re.compile(r"^- (['\"].*['\"]): 0 (?:to|or) ([\d.]+) \(", re.MULTILINE)


@dataclass
class House:
    """A provider's brain: the model under test, and whoever settles what it leaves open; and how often each was asked."""

    under_test: Brain
    share: dict[str, float] = field(default_factory=dict)
    """The share of all points that a judge gives; all of them if it is not named."""
    translated: Callable[[Question], dict[str, Any]] | None = None
    asked: Counter[str] = field(default_factory=Counter)

    def __call__(self, question: Question) -> Reply:
        self.asked[question.model] += 1
        if question.model.startswith("judge"):
            given = verdict(question, self.share.get(question.model, 1.0))
        elif question.model == TRANSLATOR:
            given = (self.translated or plan_form)(question)
        else:
            return self.under_test(question)
        return Reply(calls=(Call(HAND_IN, given),), usage=TAKEN)

    def judged(self) -> int:
        """How often judges were asked."""
        return sum(count for name, count in self.asked.items() if name.startswith("judge"))


def verdict(question: Question, share: float = 1.0) -> dict[str, Any]:
    """What a judge hands in who gives a share of all points, with the first words of the answer as its quote."""
    told = question.messages[0].text
    quote = " ".join(answer_in(told).split()[:6])
    lines = [
        {"line": ast.literal_eval(name), "points": share * float(most), "quote": quote, "why": "So it is."}
        for name, most in _LINE.findall(told)
    ]
    whole = "statements" in question.tools[0].schema["properties"]
    return {"lines": lines, **(EMPTY if whole else {})}


def answer_in(told: str) -> str:
    """The answer that a judge or a translator is shown."""
    found = _ANSWER.search(told)
    assert found is not None
    return found[2]


def in_plain_words(question: Question) -> Reply:
    """A model that knows the right answer and says it without a form."""
    said = json.loads(right_answer(published_keys()[asked_about(question.messages[0].text)]))
    reasons = [said.get("assumption", ""), *said.get("conflict", ())]
    values = [step["value"] for step in said.get("plan", ()) if "value" in step]
    return Reply(text="\n".join([STEPS, *filter(None, reasons), *values]))


def plan_form(question: Question) -> dict[str, Any]:
    """What a faithful translator hands in for such an answer."""
    told = question.messages[0].text
    said = json.loads(right_answer(published_keys()[asked_about(told)]))
    plan = [{"with": [], **step, "quote": step.get("value", STEPS)} for step in said.get("plan", ())]
    return {**said, "plan": plan}


def models(server: Server, *names: str) -> list[str]:
    """The names as they are given on the command line."""
    return [f"openai:{name}@{server.openai_url}" for name in names]


def judged_by(server: Server, *names: str) -> list[str]:
    """The options that name judges; the usual two if none is named."""
    return [part for model in models(server, *(names or JUDGES)) for part in ("--judge", model)]


def prices_in(folder: Path) -> Path:
    """A price table with everybody in it."""
    names = ("small-1", *JUDGES, "judge-3", TRANSLATOR)
    path = folder / "prices.yaml"
    path.write_text(
        "".join(f"openai:{name}: {{input: 2.5, output: 10}}\n" for name in names), encoding="utf-8"
    )
    return path


def talkative() -> House:
    """A model that never says the same twice, in plain words, so that every answer is another question."""
    numbers = count(1)

    def said(question: Question) -> Reply:
        asked_about(question.messages[0].text)
        return Reply(text=f"Answer number {next(numbers)}: I look around first, and then I act.")

    return House(said)


def free(server: Server, folder: Path, *more: str | Path, runs: int = 1) -> list[str | Path]:
    """`im eval` of free answers with two judges."""
    return [
        "eval", "--model", *models(server, "small-1"), "--runs", str(runs), "--answer", "free",
        "--output", folder / "r.json", *judged_by(server), *more,
    ]  # fmt: skip


def lines_in(folder: Path, answers: Iterable[tuple[str, str]]) -> Path:
    """A file of answers that were made elsewhere."""
    path = folder / "answers.jsonl"
    rows = [json.dumps({"scenario_id": name, "answer": text}) for name, text in answers]
    path.write_text("\n".join(rows), encoding="utf-8")
    return path
