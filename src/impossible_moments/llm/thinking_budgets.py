"""Thinking budgets: how many tokens a model may spend on thinking before it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from impossible_moments.errors import ConfigurationError

FREE_ROOM: Final = 32_000
"""Tokens that a model may write besides its answer if its thought is free."""
MOST_BUDGET: Final = 100_000
LOW_EFFORT_TOKENS: Final = 2_000
"""Up to this budget, a provider that knows only efforts is asked for a low one."""
MEDIUM_EFFORT_TOKENS: Final = 10_000
"""Up to this budget, a provider that knows only efforts is asked for a medium one."""


@dataclass(frozen=True, slots=True)
class ThinkingBudget:
    """A number of tokens for thinking. 0 asks for none, and None leaves the thought free."""

    tokens: int | None

    def __str__(self) -> str:
        return "free" if self.tokens is None else str(self.tokens) if self.tokens else "none"

    @property
    def room(self) -> int:
        """The tokens that the model may write besides those of its answer."""
        return FREE_ROOM if self.tokens is None else self.tokens

    @property
    def effort(self) -> str | bool:
        """The effort to ask for, for providers that take no number of tokens. False asks for no thinking."""
        if self.tokens is None:
            return True
        if not self.tokens:
            return False
        return (
            "low"
            if self.tokens <= LOW_EFFORT_TOKENS
            else "medium"
            if self.tokens <= MEDIUM_EFFORT_TOKENS
            else "high"
        )

    @property
    def request(self) -> str:
        """The sentence that a prompt ends with. It is empty if the thought is free."""
        if self.tokens is None:
            return ""
        if not self.tokens:
            return "Answer at once: write the answer itself, with no reasoning before it, whatever is said above."
        return f"Think for at most about {self.tokens} tokens before you answer, whatever is said above."


def parse_thinking_budget(text: str) -> ThinkingBudget:
    """Parse `none`, `free` or a number of tokens. Raise `ConfigurationError` for anything else."""
    word = text.strip().lower()
    if word == "free":
        return ThinkingBudget(None)
    if word == "none":
        return ThinkingBudget(0)
    if word.isdecimal() and 0 < int(word) <= MOST_BUDGET:
        return ThinkingBudget(int(word))
    raise ConfigurationError(
        f"`{text}` is not a thinking budget. Write none, free, or a number of tokens up to {MOST_BUDGET:,}, such as 8000."
    )
