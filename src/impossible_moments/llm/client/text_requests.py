"""Requests that send a model one plain text prompt, without tools, and receive plain text."""

from __future__ import annotations

from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from impossible_moments.llm.client.model_connections import ModelConnection
from impossible_moments.llm.consultation_tasks import TextAnswer
from impossible_moments.llm.spending_limits import SpendingBudget, TokenAllowance


async def request_text_answer(
    line: ModelConnection, prompt: str, *, most: int, budget: SpendingBudget, temperature: float | None
) -> TextAnswer:
    """Send a prompt to a model and return its answer.

    `most` is the largest number of tokens the model may write. A `temperature` of None is not sent.
    """
    settings: ModelSettings = {} if temperature is None else {"temperature": temperature}
    answered = await line.ask(
        [ModelRequest(parts=[UserPromptPart(prompt)])],
        _PLAIN,
        allowance=TokenAllowance(most, most),
        budget=budget,
        settings=settings,
    )
    return TextAnswer(answered.response.text or "", answered.paid)


_PLAIN = ModelRequestParameters(output_mode="text", allow_text_output=True)
