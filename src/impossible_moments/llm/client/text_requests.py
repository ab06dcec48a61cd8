"""Requests that send a model one plain text prompt, without tools, and receive plain text."""

from __future__ import annotations

from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from impossible_moments.llm.client.model_connections import ModelConnection
from impossible_moments.llm.client.thinking_settings import (
    build_thinking_settings,
    describe_thinking_settings,
)
from impossible_moments.llm.consultation_tasks import TextAnswer
from impossible_moments.llm.spending_limits import SpendingBudget, TokenAllowance
from impossible_moments.llm.thinking_budgets import ThinkingBudget


async def request_text_answer(
    line: ModelConnection,
    prompt: str,
    *,
    most: int,
    budget: SpendingBudget,
    temperature: float | None,
    thinking: ThinkingBudget | None = None,
) -> TextAnswer:
    """Send a prompt to a model and return its answer.

    `most` is the largest number of tokens the model may write. A `temperature` of None is not sent, and neither is one
    beside a request to think, because providers refuse it.
    """
    asked: ModelSettings = (
        {} if thinking is None else build_thinking_settings(line.model, line.reference.provider, thinking)
    )
    thinks = thinking is not None and thinking.tokens != 0 and bool(asked)
    settings: ModelSettings = (
        asked if temperature is None or thinks else {**asked, "temperature": temperature}
    )
    answered = await line.ask(
        [ModelRequest(parts=[UserPromptPart(prompt)])],
        _PLAIN,
        allowance=TokenAllowance(most, most),
        budget=budget,
        settings=settings,
    )
    sent = "" if thinking is None else describe_thinking_settings(asked, most)
    return TextAnswer(answered.response.text or "", answered.paid, sent)


_PLAIN = ModelRequestParameters(output_mode="text", allow_text_output=True)
