"""Requests that send a model one plain text prompt, without tools, and receive plain text."""

from __future__ import annotations

from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from impossible_moments.llm.model_connections import ModelAnswer, ModelConnection, estimate_prompt_tokens
from impossible_moments.llm.spending_limits import SpendingBudget, TokenAllowance


async def request_text_answer(
    line: ModelConnection, prompt: str, *, most: int, purse: SpendingBudget, temperature: float | None
) -> ModelAnswer:
    """Send a prompt to a model and return its answer.

    `most` is the largest number of tokens the model may write. A `temperature` of None is not sent.
    """
    settings: ModelSettings = {} if temperature is None else {"temperature": temperature}
    return await line.ask(
        [_build_text_request(prompt)],
        _PLAIN,
        allowance=TokenAllowance(most, most),
        purse=purse,
        settings=settings,
    )


def estimate_text_prompt_tokens(prompt: str) -> int:
    """Estimate how many tokens a plain text prompt sends."""
    return estimate_prompt_tokens([_build_text_request(prompt)], _PLAIN)


def _build_text_request(prompt: str) -> ModelRequest:
    return ModelRequest(parts=[UserPromptPart(prompt)])


_PLAIN = ModelRequestParameters(output_mode="text", allow_text_output=True)
