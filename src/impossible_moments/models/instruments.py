"""Tools a model may use: what they are to the model, and how a call of one is read and answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import signature
from typing import Any, Final

from pydantic import ValidationError
from pydantic_ai import Tool
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import ToolDefinition

from impossible_moments.errors import ImpossibleMomentsError

MOST_FAULTS: Final = 12
_TOOLS: Final[dict[tuple[str, str, str], Tool[None]]] = {}


@dataclass(frozen=True)
class Instrument:
    """A tool: a function with a description, whose parameters are plainly typed."""

    name: str
    description: str
    call: Callable[..., Any]


def definition(instrument: Instrument) -> ToolDefinition:
    """The tool as a model is shown it."""
    return _tool(instrument).tool_def


def called(instrument: Instrument, call: ToolCallPart) -> str:
    """What a call comes to, as text; one that is wrong is told how it would be right."""
    try:
        # the schema that the model was shown is the one that its arguments are held against
        arguments = _tool(instrument).function_schema.validator.validate_json(call.args_as_json_str() or "{}")
        return json.dumps(instrument.call(**arguments), ensure_ascii=False, default=str)
    except ValidationError as problem:
        return "The call cannot be read.\n" + "\n".join(faults_of(problem))
    except (ImpossibleMomentsError, ValueError, TypeError, ArithmeticError, LookupError) as problem:
        return str(problem) or type(problem).__name__


def faults_of(problem: ValidationError) -> Iterator[str]:
    """What is wrong with a form, each with its place."""
    for each in problem.errors(include_url=False, include_input=False)[:MOST_FAULTS]:
        place = "/".join(map(str, each["loc"])) or "the whole"
        yield f"- at {place}: {each['msg']}"


def _tool(instrument: Instrument) -> Tool[None]:
    """The schema of a tool, made once for each form: every ask brings functions of its own, of the same few forms."""
    form = (instrument.name, instrument.description, str(signature(instrument.call)))
    if form not in _TOOLS:
        _TOOLS[form] = Tool(
            instrument.call,
            takes_ctx=False,
            name=instrument.name,
            description=instrument.description,
            strict=False,
        )
    return _TOOLS[form]
