"""A model asked in plain words, and answering in plain words: one call, no tools."""

from __future__ import annotations

from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from impossible_moments.models.lines import Answered, Line, prompt_tokens
from impossible_moments.models.spending import Allowance, Purse


async def spoken(line: Line, prompt: str, *, most: int, purse: Purse, temperature: float | None) -> Answered:
    """What a model says to a prompt, in at most so many tokens. Where it takes no temperature, none is sent."""
    settings: ModelSettings = {} if temperature is None else {"temperature": temperature}
    return await line.ask(
        [_request(prompt)], _PLAIN, allowance=Allowance(most, most), purse=purse, settings=settings
    )


def prompt_size(prompt: str) -> int:
    """About how many tokens a prompt sends."""
    return prompt_tokens([_request(prompt)], _PLAIN)


def _request(prompt: str) -> ModelRequest:
    return ModelRequest(parts=[UserPromptPart(prompt)])


_PLAIN = ModelRequestParameters(output_mode="text", allow_text_output=True)
