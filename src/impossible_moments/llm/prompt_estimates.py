"""Estimates of the tokens that a call sends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from pydantic import BaseModel

from impossible_moments.llm.consultation_tasks import (
    ConsultationTask,
    ModelTool,
    ToolDescription,
    describe_hand_in_tool,
)
from impossible_moments.llm.token_estimates import estimate_data_tokens, estimate_text_tokens

R = TypeVar("R", bound=BaseModel)


def estimate_text_prompt_tokens(prompt: str) -> int:
    """Estimate how many tokens a plain text prompt sends."""
    return estimate_call_tokens(prompt)


def estimate_first_prompt_tokens(task: ConsultationTask[R]) -> int:
    """Estimate how many tokens the first call of a consultation sends."""
    tools = (*_describe_tools(task.tools), describe_hand_in_tool(task.returns))
    return estimate_call_tokens(task.user, instructions=task.system, tools=tools)


def estimate_call_tokens(text: str, *, instructions: str = "", tools: Iterable[ToolDescription] = ()) -> int:
    """Estimate how many tokens a call sends: all messages, the instructions and the tool definitions."""
    described = [
        {"name": each.name, "description": each.description, "parameters": each.parameters} for each in tools
    ]
    return estimate_text_tokens(text) + estimate_text_tokens(instructions) + estimate_data_tokens(described)


def _describe_tools(tools: Sequence[ModelTool]) -> Iterator[ToolDescription]:
    if not tools:
        return
    from impossible_moments.llm.client import describe_tool  # noqa: PLC0415 - takes a second to import

    yield from map(describe_tool, tools)
