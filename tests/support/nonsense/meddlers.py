"""Models that say their honest lines, and try on every tool what no tool should take."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from pydantic_ai.messages import ModelResponse, ToolCallPart
from pydantic_ai.usage import RequestUsage

from support.golden_records import NAMES, golden
from support.nonsense.injections import INJECTIONS
from support.nonsense.instances import instance_of
from support.nonsense.lines import Prompter, handing_in
from support.nonsense.questions import Question
from support.nonsense.records import STRANGE, mutated, strange_record
from support.nonsense.stage import Mind

TURNS: Final = 2
"""Answers full of calls before it hands in."""
CALLS: Final = 3
"""Of each tool, in each answer."""
TEXTS: Final = (
    *INJECTIONS.values(),
    *(each for each in STRANGE if isinstance(each, str)),
    *("SeedDocument", "mechanics", "ATHENA", "material", "glass", "1 m + 1 s", "9 ** 9 ** 9", "force(1 N)"),
)


def meddling(prompter: Prompter, seed: str) -> Mind:
    """Every tool called with strange arguments, then the honest line."""

    def mind(question: Question) -> ModelResponse:
        if question.turn >= TURNS or not question.tools:
            return handing_in(prompter.honest(question))
        usage = RequestUsage(input_tokens=1_000, output_tokens=100)
        return ModelResponse(parts=list(_calls(question, question.stream(seed))), usage=usage)

    return mind


def _calls(question: Question, dice: Random) -> Iterator[ToolCallPart]:
    for name, schema in question.tools.items():
        for _ in range(CALLS):
            arguments = instance_of(schema, dice)
            yield ToolCallPart(name, {key: _strange(key, each, dice) for key, each in arguments.items()})


def _strange(name: str, value: Any, dice: Random) -> Any:
    match value:
        case str():
            return dice.choice(TEXTS)
        case list():
            return [dice.choice(TEXTS) for _ in range(dice.choice([0, 1, 3, 300]))]
        case dict() if name == "record":
            return dice.choice([strange_record(dice), mutated(golden(dice.choice(NAMES)), dice, times=1)])
        case dict():
            return {dice.choice(TEXTS): dice.choice(TEXTS) for _ in range(dice.randint(0, 4))}
        case int() | float():
            return dice.choice([value, -1, 0, 10**30, 1e308])
        case _:
            return value
