"""Settings that ask a model for a thinking budget, in the form that its provider offers."""

from __future__ import annotations

from typing import Any, Final, cast

from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from impossible_moments.llm.thinking_budgets import ThinkingBudget

LEAST_BUDGET_TOKENS: Final = 1_024
"""The smallest budget that the messages protocol accepts."""


def build_thinking_settings(model: Model, provider: str, budget: ThinkingBudget) -> ModelSettings:
    """Return the settings for a budget.

    The messages protocol takes a number of tokens, unless the model accepts efforts only. All other providers are asked
    for an effort. A model that is not known to think gets no such setting, and only the limit of its answer binds it.
    """
    profile = cast("dict[str, Any]", model.profile)
    if not profile.get("supports_thinking", False):
        return {}
    takes_tokens = provider == "anthropic" and not profile.get("anthropic_disallows_budget_thinking", False)
    if budget.tokens and takes_tokens:
        tokens = max(budget.tokens, LEAST_BUDGET_TOKENS)
        return cast("ModelSettings", {"anthropic_thinking": {"type": "enabled", "budget_tokens": tokens}})
    return cast("ModelSettings", {"thinking": budget.effort})


def describe_thinking_settings(settings: ModelSettings, most_tokens: int) -> str:
    """Return in words what was sent: the setting of the provider, and the limit of the answer."""
    sent = cast("dict[str, Any]", settings)
    tokens = sent.get("anthropic_thinking", {}).get("budget_tokens")
    if tokens is not None:
        asked = f"budget_tokens {tokens}"
    elif "thinking" in sent:
        asked = f"thinking {str(sent['thinking']).lower()}"
    else:
        asked = "no setting, because the model is not known to think"
    return f"{asked}; max_tokens {most_tokens}"
