"""Thinking budgets: how they are written, and what they ask of providers that take no number of tokens."""

from __future__ import annotations

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.llm.thinking_budgets import FREE_ROOM, ThinkingBudget, parse_thinking_budget


@pytest.mark.parametrize(
    ("text", "tokens", "effort", "room"),
    [
        ("none", 0, False, 0),
        ("1000", 1_000, "low", 1_000),
        ("8000", 8_000, "medium", 8_000),
        ("20000", 20_000, "high", 20_000),
        (" Free ", None, True, FREE_ROOM),
    ],
)
def test_a_budget_is_read(text: str, tokens: int | None, effort: str | bool, room: int) -> None:  # noqa: FBT001 - a value of the table
    found = parse_thinking_budget(text)
    assert (found.tokens, found.effort, found.room) == (tokens, effort, room)
    assert parse_thinking_budget(str(found)) == found


@pytest.mark.parametrize("text", ["", "0", "-5", "1e3", "much", "1000000"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="is not a thinking budget"):
        parse_thinking_budget(text)


def test_only_a_bound_is_part_of_the_prompt() -> None:
    assert ThinkingBudget(None).request == ""
    assert ThinkingBudget(0).request.startswith("Answer at once")
    assert "at most about 500 tokens" in ThinkingBudget(500).request
