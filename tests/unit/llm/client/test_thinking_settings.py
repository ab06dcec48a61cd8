"""What providers are really sent for a thinking budget, seen at a local server, and what is recorded of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from impossible_moments.llm.connection_pool import ConnectionPool
from impossible_moments.llm.consultation_tasks import TextAnswer
from impossible_moments.llm.spending_limits import SpendingBudget
from impossible_moments.llm.thinking_budgets import ThinkingBudget
from support.model_conversations import PRICES, QUICK, ConsultationSetup, build_reference
from support.providers.conversation import Question, Reply
from support.providers.server import serve_provider

OLDER_CLAUDE = "claude-sonnet-4-6"
NEWER_CLAUDE = "claude-opus-4-8"


def request_answer(
    protocol: str, name: str, budget: ThinkingBudget | None, temperature: float | None = 0.7
) -> tuple[TextAnswer, dict[str, Any]]:
    """Return the answer of a model, and the body of the request that it received."""

    def say(_question: Question) -> Reply:
        return Reply(text="It floats.")

    async def ask(url: Any) -> TextAnswer:
        pool = ConnectionPool(ConsultationSetup().keys, PRICES, retry_policy=QUICK)
        try:
            return await pool.request_text(
                build_reference(url, protocol, name),
                "Does it float?",
                most=5_000,
                budget=SpendingBudget(),
                temperature=temperature,
                thinking=budget,
            )
        finally:
            await pool.close()

    with serve_provider(say) as server:
        answer = asyncio.run(ask(server))
        body = server.requests[-1].body
    assert isinstance(body, dict)
    return answer, body


def test_the_messages_protocol_gets_a_number_of_tokens() -> None:
    answer, body = request_answer("anthropic", OLDER_CLAUDE, ThinkingBudget(2_000))
    assert body["thinking"] == {"type": "enabled", "budget_tokens": 2_000}
    assert body["max_tokens"] == 5_000
    assert "temperature" not in body
    assert answer.thinking_sent == "budget_tokens 2000; max_tokens 5000"


def test_a_smaller_budget_than_the_protocol_allows_is_raised_and_recorded() -> None:
    answer, body = request_answer("anthropic", OLDER_CLAUDE, ThinkingBudget(500))
    assert body["thinking"]["budget_tokens"] == 1_024
    assert answer.thinking_sent.startswith("budget_tokens 1024")


def test_a_model_that_takes_efforts_only_gets_an_effort() -> None:
    answer, body = request_answer("anthropic", NEWER_CLAUDE, ThinkingBudget(1_000))
    assert "budget_tokens" not in str(body)
    assert answer.thinking_sent == "thinking low; max_tokens 5000"


@pytest.mark.parametrize(
    ("budget", "effort"),
    [(ThinkingBudget(1_000), "low"), (ThinkingBudget(8_000), "medium"), (ThinkingBudget(50_000), "high")],
)
def test_chat_completions_get_an_effort(budget: ThinkingBudget, effort: str) -> None:
    answer, body = request_answer("openai", "o3", budget)
    assert body["reasoning_effort"] == effort
    assert answer.thinking_sent == f"thinking {effort}; max_tokens 5000"


def test_a_model_that_is_not_known_to_think_gets_no_setting_and_says_so() -> None:
    answer, body = request_answer("local", "small-1", ThinkingBudget(1_000))
    assert not {"thinking", "reasoning_effort"} & body.keys()
    assert body["temperature"] == 0.7
    assert answer.thinking_sent == "no setting, because the model is not known to think; max_tokens 5000"


@pytest.mark.parametrize("protocol", ["openai", "local", "anthropic"])
def test_without_a_budget_nothing_is_sent(protocol: str) -> None:
    answer, body = request_answer(protocol, "small-1", None)
    assert not {"thinking", "reasoning_effort"} & body.keys()
    assert answer.thinking_sent == ""
