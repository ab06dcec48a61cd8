"""Respondents: a language model or a built-in baseline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from impossible_moments.evaluation.runs.answer_collection import Reply, RunConditions
from impossible_moments.llm import ConnectionPool, ModelReference, SpendingBudget
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
    connections: ConnectionPool
    budget: SpendingBudget
    conditions: RunConditions

    async def answer(self, _scenario: Scenario, prompt: str) -> Reply:
        """Return the answer of the model, with tokens and cost."""
        text_answer = await self.connections.request_text(
            self.reference,
            prompt,
            most=self.conditions.most_tokens,
            budget=self.budget,
            temperature=self.conditions.temperature,
        )
        bill = text_answer.paid
        return Reply(
            text_answer.text,
            bill.input_tokens,
            bill.output_tokens,
            None if bill.cost is None else str(bill.cost),
        )
