"""Tools that a model may call: their definitions, and the execution of calls."""

from __future__ import annotations

import json
from collections.abc import Iterator
from inspect import signature
from typing import Final

from pydantic import ValidationError
from pydantic_ai import Tool
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import ToolDefinition

from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.llm.consultation_tasks import ModelTool, ToolDescription

MOST_FAULTS: Final = 12
_ADVICE: Final = {
    "missing": "; add this field",
    "extra_forbidden": "; remove this field, or spell it as the schema does",
    "json_invalid": "; write one complete JSON object",
}
"""What to change, where the message of a validation error does not say it."""
_TOOLS: Final[dict[tuple[str, str, str], Tool[None]]] = {}


def get_tool_definition(instrument: ModelTool) -> ToolDefinition:
    """Return the definition of the tool that is sent to the model."""
    return _get_cached_tool(instrument).tool_def


def describe_tool(instrument: ModelTool) -> ToolDescription:
    """Return the description of the tool that is sent to the model, as plain data."""
    found = get_tool_definition(instrument)
    return ToolDescription(found.name, found.description or "", found.parameters_json_schema)


def run_tool_call(instrument: ModelTool, call: ToolCallPart) -> str:
    """Run a tool call and return its result as text.

    An invalid call returns an error that explains how to correct it.
    """
    try:
        # validate the arguments against the schema that was sent to the model
        arguments = _get_cached_tool(instrument).function_schema.validator.validate_json(
            call.args_as_json_str() or "{}"
        )
        return json.dumps(instrument.call(**arguments), ensure_ascii=False, default=str)
    except ValidationError as problem:
        return "The call cannot be read.\n" + "\n".join(describe_validation_errors(problem))
    except (ImpossibleMomentsError, ValueError, TypeError, ArithmeticError, LookupError) as problem:
        return str(problem) or type(problem).__name__


def describe_validation_errors(problem: ValidationError) -> Iterator[str]:
    """Yield one line for each validation error, with its location."""
    for each in problem.errors(include_url=False, include_input=False)[:MOST_FAULTS]:
        place = "/".join(map(str, each["loc"])) or "the whole"
        yield f"- at {place}: {each['msg']}{_ADVICE.get(each['type'], '')}"


def _get_cached_tool(instrument: ModelTool) -> Tool[None]:
    """Return the pydantic-ai tool, created once for each name, description and signature.

    Every ask brings new functions, but with the same few signatures.
    """
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
