"""Respondents: a language model, a built-in baseline, or recorded answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from impossible_moments.evaluation.runs.answer_collection import Reply, RunConditions
from impossible_moments.llm import ConnectionPool, ModelReference, SpendingBudget, request_text_answer
from impossible_moments.scenarios import Scenario


@dataclass(frozen=True)
class ProgramRespondent:
    """A respondent that calls a function with the scenario."""

    reply: Callable[[Scenario], str]

    async def answer(self, scenario: Scenario, _prompt: str) -> Reply:
        """Return the answer of the function."""
        return Reply(self.reply(scenario))


@dataclass(frozen=True)
class ModelRespondent:
    """A respondent that sends the prompt to a language model."""

    reference: ModelReference
    exchange: ConnectionPool
    purse: SpendingBudget
    conditions: RunConditions

    async def answer(self, _scenario: Scenario, prompt: str) -> Reply:
        """Return the answer of the model, with tokens and cost."""
        line = await self.exchange.open_connection(self.reference)
        answered = await request_text_answer(
            line,
            prompt,
            most=self.conditions.most_tokens,
            purse=self.purse,
            temperature=self.conditions.temperature,
        )
        paid = answered.paid
        return Reply(
            answered.response.text or "",
            paid.input_tokens,
            paid.output_tokens,
            None if paid.cost is None else str(paid.cost),
        )


@dataclass(frozen=True)
class RecordedReplies:
    """Recorded replies by scenario and run."""

    replies: Mapping[tuple[str, int], Reply]

    def get_reply(self, scenario: str, number: int) -> Reply:
        """Return the reply of a run. A missing one has a failure instead of a text."""
        found = self.replies.get((scenario, number))
        return found if found is not None else Reply("", failure="the file contains no answer to this run")
