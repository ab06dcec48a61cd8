"""Cleaning of model responses: valid characters, tool arguments as JSON text, and no API keys."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pydantic_ai.messages import ModelResponse, ModelResponsePart, TextPart, ThinkingPart, ToolCallPart

from impossible_moments.llm.api_keys import ApiKeys


def clean_response(response: ModelResponse, keys: ApiKeys) -> ModelResponse:
    """Return the response with invalid characters replaced, tool arguments as text, and API keys removed."""

    def clean_text(text: str) -> str:
        return keys.remove_keys(text.encode("utf-8", "replace").decode("utf-8"))

    return replace(response, parts=[_clean_response_part(each, clean_text) for each in response.parts])


def _clean_response_part(part: ModelResponsePart, clean: Callable[[str], str]) -> ModelResponsePart:
    match part:
        case ToolCallPart():
            changes: dict[str, Any] = {
                "tool_name": clean(part.tool_name),
                "args": clean(_serialize_call_arguments(part.args)),
                "tool_call_id": clean(part.tool_call_id),
            }
            return replace(part, **changes)
        case TextPart() | ThinkingPart():
            return replace(part, content=clean(part.content))
        case _:
            return part


def _serialize_call_arguments(given: object) -> str:
    """Return tool call arguments as JSON, or an empty text if they cannot be serialized."""
    if isinstance(given, str):
        return given
    try:
        return json.dumps(given or {}, ensure_ascii=False)
    except (RecursionError, TypeError, ValueError):
        return ""
