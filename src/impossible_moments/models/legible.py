"""What a model said, made fit to be read, sent back and stored: whole characters, arguments as JSON, and no key."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pydantic_ai.messages import ModelResponse, ModelResponsePart, TextPart, ThinkingPart, ToolCallPart

from impossible_moments.models.keys import Keys


def legible(response: ModelResponse, keys: Keys) -> ModelResponse:
    """The response with half characters replaced, every call's arguments as text, and keys that were sent back struck out."""

    def mended(text: str) -> str:
        return keys.scrubbed(text.encode("utf-8", "replace").decode("utf-8"))

    return replace(response, parts=[_part(each, mended) for each in response.parts])


def _part(part: ModelResponsePart, mended: Callable[[str], str]) -> ModelResponsePart:
    match part:
        case ToolCallPart():
            said: dict[str, Any] = {
                "tool_name": mended(part.tool_name),
                "args": mended(_arguments(part.args)),
                "tool_call_id": mended(part.tool_call_id),
            }
            return replace(part, **said)
        case TextPart() | ThinkingPart():
            return replace(part, content=mended(part.content))
        case _:
            return part


def _arguments(given: object) -> str:
    """Arguments as JSON; nothing where they cannot be written, which is answered as what cannot be read."""
    if isinstance(given, str):
        return given
    try:
        return json.dumps(given or {}, ensure_ascii=False)
    except (RecursionError, TypeError, ValueError):
        return ""
