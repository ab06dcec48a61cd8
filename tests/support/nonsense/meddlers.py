"""Models that answer honestly after calling every tool with invalid arguments."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from pydantic_ai.messages import ModelResponse, ToolCallPart
from pydantic_ai.usage import RequestUsage

from support.golden_records import NAMES, load_golden_record
from support.nonsense.injections import INJECTIONS
from support.nonsense.instances import draw_instance
from support.nonsense.lines import HonestModel, build_response, phrase_seed
from support.nonsense.questions import Question
from support.nonsense.records import STRANGE, draw_strange_record, mutate_record
from support.nonsense.stage import Mind

TURNS: Final = 2
"""Number of answers with tool calls before the deliverable."""
CALLS: Final = 3
"""Number of calls of each tool in each answer."""
TEXTS: Final = (
    *INJECTIONS.values(),
    *(each for each in STRANGE if isinstance(each, str)),
    *("SeedDocument", "mechanics", "ATHENA", "material", "glass", "1 m + 1 s", "9 ** 9 ** 9", "force(1 N)"),
)


def make_tool_misusing_model(prompter: HonestModel, seed: str) -> Mind:
    """Make a model that calls every tool with strange arguments, then answers honestly."""

    def mind(question: Question) -> ModelResponse:
        if question.turn >= TURNS or not question.tools:
            return build_response(phrase_seed(prompter.build_honest_answer(question), question))
        usage = RequestUsage(input_tokens=4_000, output_tokens=2_000)
        return ModelResponse(
            parts=list(_iterate_strange_calls(question, question.create_random(seed))), usage=usage
        )

    return mind


def _iterate_strange_calls(question: Question, dice: Random) -> Iterator[ToolCallPart]:
    for name, schema in question.tools.items():
        for _ in range(CALLS):
            arguments = draw_instance(schema, dice)
            yield ToolCallPart(
                name, {key: _make_strange_value(key, each, dice) for key, each in arguments.items()}
            )


def _make_strange_value(name: str, value: Any, dice: Random) -> Any:
    match value:
        case str():
            return dice.choice(TEXTS)
        case list():
            return [dice.choice(TEXTS) for _ in range(dice.choice([0, 1, 3, 30]))]
        case dict() if name == "record":
            return dice.choice(
                [
                    draw_strange_record(dice),
                    mutate_record(load_golden_record(dice.choice(NAMES)), dice, times=1),
                ]
            )
        case dict():
            return {dice.choice(TEXTS): dice.choice(TEXTS) for _ in range(dice.randint(0, 4))}
        case int() | float():
            return dice.choice([value, -1, 0, 10**30, 1e308])
        case _:
            return value
