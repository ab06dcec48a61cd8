"""Requests that send a model one plain text prompt, without tools, and receive plain text."""

from __future__ import annotations

from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from impossible_moments.models.lines import Answered, Line, prompt_tokens
from impossible_moments.models.spending import Allowance, Purse


async def spoken(line: Line, prompt: str, *, most: int, purse: Purse, temperature: float | None) -> Answered:
    """Send a prompt to a model and return its answer.

    `most` is the largest number of tokens the model may write. A `temperature` of None is not sent.
    """
    settings: ModelSettings = {} if temperature is None else {"temperature": temperature}
    return await line.ask(
        [_request(prompt)], _PLAIN, allowance=Allowance(most, most), purse=purse, settings=settings
    )


def prompt_size(prompt: str) -> int:
    """Estimate how many tokens a plain text prompt sends."""
    return prompt_tokens([_request(prompt)], _PLAIN)


def _request(prompt: str) -> ModelRequest:
    return ModelRequest(parts=[UserPromptPart(prompt)])


_PLAIN = ModelRequestParameters(output_mode="text", allow_text_output=True)
