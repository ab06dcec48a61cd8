"""Connections to models. Each call reserves tokens and money first, and its cost is recorded afterwards."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from impossible_moments.models.diagnosis import diagnosed
from impossible_moments.models.failures import UNBILLED, FailureKind, ModelFailure
from impossible_moments.models.keys import Keys
from impossible_moments.models.legible import legible
from impossible_moments.models.pacing import Lane
from impossible_moments.models.prices import PriceTable
from impossible_moments.models.references import ModelReference
from impossible_moments.models.spending import Allowance, LimitReached, Purse
from impossible_moments.models.tokens import tokens

LEAST_ROOM: Final = 200
"""Tokens. With fewer left, no useful answer can be expected, so no call is made."""
_CAUTION: Final = 2
"""Providers count up to twice our estimate of a prompt, so twice the estimate is reserved."""


@dataclass(frozen=True, slots=True)
class Paid:
    """The tokens and the cost of one call."""

    input_tokens: int
    output_tokens: int
    cost: Decimal | None
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """A model's response and its cost."""

    response: ModelResponse
    paid: Paid


@dataclass
class Line:
    """A model together with the pacing, prices and keys that its calls share."""

    reference: ModelReference
    model: Model
    lane: Lane
    prices: PriceTable
    keys: Keys

    async def ask(
        self,
        messages: Sequence[ModelMessage],
        parameters: ModelRequestParameters,
        *,
        allowance: Allowance,
        purse: Purse,
        settings: ModelSettings | None = None,
    ) -> Answered:
        """Send messages to the model and return its answer.

        Tokens and money are reserved first. The cost is recorded even if the response is rejected. Raise
        `ModelFailure` if there is no usable answer.
        """
        with allowance.reserved() as room:
            if room < LEAST_ROOM:
                raise ModelFailure(FailureKind.BUDGET, str(self.reference))
            prompt = prompt_tokens(messages, parameters)
            most = self.prices.cost(self.reference, _CAUTION * prompt, room)
            if most is None and purse.limit is not None:
                raise ModelFailure(
                    FailureKind.SPENDING,
                    str(self.reference),
                    "its price is not known, so the spending limit cannot be enforced; give the price with --prices",
                )

            sent: ModelSettings = {**(settings or {}), "max_tokens": room}

            async def call() -> Answered:
                aside = await self._aside(purse, most)
                try:
                    response = await self._requested(messages, sent, parameters)
                    paid = self._paid(response, prompt)
                    purse.pay(
                        paid.cost,
                        input_tokens=paid.input_tokens,
                        output_tokens=paid.output_tokens,
                        estimated=paid.estimated,
                    )
                    allowance.written += paid.output_tokens
                except ModelFailure as failure:
                    if failure.kind in UNBILLED:
                        purse.write_off(aside)
                    raise
                finally:
                    purse.give_back(aside)
                self._refuse_unfinished(response, paid)
                return Answered(response, paid)

            return await self.lane.through(call)

    async def _aside(self, purse: Purse, most: Decimal | None) -> Decimal:
        try:
            return await purse.set_aside(most)
        except LimitReached:
            raise ModelFailure(
                FailureKind.SPENDING,
                str(self.reference),
                f"spent ${purse.spent + purse.at_risk:.4f} of ${purse.limit:.2f}; the call could cost ${most:.4f}",
            ) from None

    async def _requested(
        self, messages: Sequence[ModelMessage], settings: ModelSettings, parameters: ModelRequestParameters
    ) -> ModelResponse:
        try:
            async with asyncio.timeout(self.lane.patience.longest_answer):
                response = await self.model.request(list(messages), settings, parameters)
            return legible(response, self.keys)
        except ModelFailure:
            raise
        except TimeoutError:
            raise ModelFailure(FailureKind.TIMEOUT, str(self.reference)) from None
        except Exception as problem:  # noqa: BLE001 - every provider error becomes a ModelFailure
            raise diagnosed(problem, self.reference, self.keys) from None

    def _paid(self, response: ModelResponse, prompt: int) -> Paid:
        usage = response.usage
        # estimate usage that was not reported: otherwise the budget would never be used up
        estimated = usage.input_tokens <= 0 or usage.output_tokens <= 0
        given = usage.input_tokens if usage.input_tokens > 0 else prompt
        written = usage.output_tokens if usage.output_tokens > 0 else _response_tokens(response)
        return Paid(given, written, self.prices.cost(self.reference, given, written), estimated)

    def _refuse_unfinished(self, response: ModelResponse, paid: Paid) -> None:
        kinds = {"length": FailureKind.TRUNCATED, "content_filter": FailureKind.REFUSED}
        kind = kinds.get(response.finish_reason or "")
        if kind is None:
            return
        failure = ModelFailure(kind, str(self.reference), self.keys.scrubbed(response.text or ""))
        failure.taken = (
            paid.input_tokens,
            paid.output_tokens,
            None if paid.cost is None else str(paid.cost),
        )
        failure.said = self.keys.scrubbed(response.text or "")
        failure.paid = f"It was charged {paid.input_tokens + paid.output_tokens:,} tokens."
        raise failure


def prompt_tokens(messages: Sequence[ModelMessage], parameters: ModelRequestParameters) -> int:
    """Estimate how many tokens a call sends: all messages so far and the tool definitions."""
    tools = [
        {"name": each.name, "description": each.description, "parameters": each.parameters_json_schema}
        for each in (*parameters.function_tools, *parameters.output_tools)
    ]
    texts = [_written(part) for message in messages for part in message.parts]
    instructions = next((each for m in messages if (each := getattr(m, "instructions", None))), "")
    return tokens("".join(texts)) + tokens(instructions) + tokens(json.dumps(tools, ensure_ascii=False))


def _response_tokens(response: ModelResponse) -> int:
    return tokens("".join(_written(part) for part in response.parts))


def _written(part: object) -> str:
    """Return the text of a message part. For a tool call these are its arguments as JSON."""
    if isinstance(part, ToolCallPart):
        return part.args_as_json_str()
    return str(getattr(part, "content", "") or "")
