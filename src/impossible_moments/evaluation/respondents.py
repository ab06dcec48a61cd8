"""Who is evaluated: a language model, a baseline of the package, or answers that were made elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from impossible_moments.evaluation.engine import Conditions, Reply
from impossible_moments.models.exchange import Exchange
from impossible_moments.models.references import ModelReference
from impossible_moments.models.speaking import spoken
from impossible_moments.models.spending import Purse
from impossible_moments.scenarios.scenario import Scenario


@dataclass(frozen=True)
class Program:
    """A function from scenarios to answers."""

    reply: Callable[[Scenario], str]

    async def answer(self, scenario: Scenario, _prompt: str) -> Reply:
        """What the function says."""
        return Reply(self.reply(scenario))


@dataclass(frozen=True)
class Model:
    """A language model."""

    reference: ModelReference
    exchange: Exchange
    purse: Purse
    conditions: Conditions

    async def answer(self, _scenario: Scenario, prompt: str) -> Reply:
        """What the model says, with what it took."""
        line = await self.exchange.line(self.reference)
        answered = await spoken(
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
class Given:
    """Answers by scenario, in order of their runs; the last again where there are too few."""

    replies: Mapping[tuple[str, int], Reply]

    def of(self, scenario: str, number: int) -> Reply:
        """The answer of a run; none is said to be missing."""
        found = self.replies.get((scenario, number))
        return found if found is not None else Reply("", failure="there is no answer to it in the file")
