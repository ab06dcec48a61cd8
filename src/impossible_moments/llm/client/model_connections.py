"""Connections to models. Each call reserves tokens and money first, and its cost is recorded afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from impossible_moments.llm.api_keys import ApiKeys
from impossible_moments.llm.call_pacing import CallPacer
from impossible_moments.llm.client.failure_diagnosis import diagnose_failure
from impossible_moments.llm.client.response_cleaning import clean_response
from impossible_moments.llm.consultation_tasks import CallCost, ToolDescription
from impossible_moments.llm.model_failures import UNBILLED, FailureKind, ModelFailure
from impossible_moments.llm.model_references import ModelReference
from impossible_moments.llm.price_table import PriceTable
from impossible_moments.llm.prompt_estimates import estimate_call_tokens
from impossible_moments.llm.spending_limits import SpendingBudget, SpendingLimitReached, TokenAllowance
from impossible_moments.llm.token_estimates import estimate_text_tokens

LEAST_ROOM: Final = 200
"""Tokens. With fewer left, no useful answer can be expected, so no call is made."""
_CAUTION: Final = 2
"""Providers count up to twice our estimate of a prompt, so twice the estimate is reserved."""
_MOST_TEXT_PER_TOKEN: Final = 10
"""How many times our estimate of the tokens may exceed the number that a provider reports."""


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A model's response and its cost."""

    response: ModelResponse
    paid: CallCost


@dataclass
class ModelConnection:
    """A model together with the pacing, prices and keys that its calls share."""

    reference: ModelReference
    model: Model
    pacer: CallPacer
    prices: PriceTable
    keys: ApiKeys

    async def ask(
        self,
        messages: Sequence[ModelMessage],
        parameters: ModelRequestParameters,
        *,
        allowance: TokenAllowance,
        budget: SpendingBudget,
        settings: ModelSettings | None = None,
    ) -> ModelAnswer:
        """Send messages to the model and return its answer.

        Tokens and money are reserved first. The cost is recorded even if the response is rejected. Raise
        `ModelFailure` if there is no usable answer.
        """
        with allowance.reserve_tokens() as room:
            if room < LEAST_ROOM:
                raise ModelFailure(FailureKind.BUDGET, str(self.reference))
            prompt = estimate_prompt_tokens(messages, parameters)
            most = self.prices.compute_cost(self.reference, _CAUTION * prompt, room)
            if most is None and budget.limit is not None:
                raise ModelFailure(
                    FailureKind.SPENDING,
                    str(self.reference),
                    "its price is not known, so the spending limit cannot be enforced; give the price with --prices",
                )

            sent: ModelSettings = {**(settings or {}), "max_tokens": room}

            async def make_paid_call() -> ModelAnswer:
                aside = await self._reserve_cost(budget, most)
                try:
                    response = await self._send_request(messages, sent, parameters)
                    paid = self._compute_call_cost(response, prompt)
                    budget.record_payment(
                        paid.cost,
                        input_tokens=paid.input_tokens,
                        output_tokens=paid.output_tokens,
                        estimated=paid.estimated,
                    )
                    allowance.used_tokens += paid.output_tokens
                except ModelFailure as failure:
                    if failure.kind in UNBILLED:
                        budget.record_interrupted_call(aside)
                    raise
                finally:
                    budget.release_reservation(aside)
                self._reject_unfinished_response(response, paid)
                return ModelAnswer(response, paid)

            return await self.pacer.call_with_retries(make_paid_call)

    async def _reserve_cost(self, budget: SpendingBudget, most: Decimal | None) -> Decimal:
        try:
            return await budget.reserve_cost(most)
        except SpendingLimitReached:
            raise ModelFailure(
                FailureKind.SPENDING,
                str(self.reference),
                f"spent ${budget.spent + budget.at_risk:.4f} of ${budget.limit:.2f}; the call could cost ${most:.4f}",
            ) from None

    async def _send_request(
        self, messages: Sequence[ModelMessage], settings: ModelSettings, parameters: ModelRequestParameters
    ) -> ModelResponse:
        try:
            async with asyncio.timeout(self.pacer.retry_policy.longest_answer):
                response = await self.model.request(list(messages), settings, parameters)
            return clean_response(response, self.keys)
        except ModelFailure:
            raise
        except TimeoutError:
            raise ModelFailure(FailureKind.TIMEOUT, str(self.reference)) from None
        except Exception as problem:  # noqa: BLE001 - every provider error becomes a ModelFailure
            raise diagnose_failure(problem, self.reference, self.keys) from None

    def _compute_call_cost(self, response: ModelResponse, prompt: int) -> CallCost:
        usage = response.usage
        # Usage that was not reported, or cannot be true, is estimated: otherwise the budget would never be used up.
        given, invented_input = _check_reported_tokens(usage.input_tokens, prompt)
        written, invented_output = _check_reported_tokens(
            usage.output_tokens, _estimate_response_tokens(response)
        )
        estimated = invented_input or invented_output
        return CallCost(
            given,
            written,
            self.prices.compute_cost(self.reference, given, written),
            estimated,
            _count_thinking_tokens(response),
        )

    def _reject_unfinished_response(self, response: ModelResponse, paid: CallCost) -> None:
        kinds = {"length": FailureKind.TRUNCATED, "content_filter": FailureKind.REFUSED}
        kind = kinds.get(response.finish_reason or "")
        if kind is None:
            return
        failure = ModelFailure(kind, str(self.reference), self.keys.remove_keys(response.text or ""))
        failure.taken = (
            paid.input_tokens,
            paid.output_tokens,
            None if paid.cost is None else str(paid.cost),
        )
        failure.said = self.keys.remove_keys(response.text or "")
        failure.paid = f"It was charged {paid.input_tokens + paid.output_tokens:,} tokens."
        raise failure


def estimate_prompt_tokens(messages: Sequence[ModelMessage], parameters: ModelRequestParameters) -> int:
    """Estimate how many tokens a call sends: all messages so far and the tool definitions."""
    tools = [
        ToolDescription(each.name, each.description or "", each.parameters_json_schema)
        for each in (*parameters.function_tools, *parameters.output_tools)
    ]
    texts = [_get_part_text(part) for message in messages for part in message.parts]
    instructions = next((each for m in messages if (each := getattr(m, "instructions", None))), "")
    return estimate_call_tokens("".join(texts), instructions=instructions, tools=tools)


def _check_reported_tokens(reported: int, estimate: int) -> tuple[int, bool]:
    """Return a number of tokens, and whether it is our estimate because the reported one cannot be true.

    Tokenizers differ from our estimate, but none makes less than a tenth of it.
    """
    if reported > 0 and reported * _MOST_TEXT_PER_TOKEN >= estimate:
        return reported, False
    return estimate, True


def _count_thinking_tokens(response: ModelResponse) -> int | None:
    """Return the tokens that were billed for thinking, or None if the provider does not report them."""
    usage = response.usage
    return usage.output_reasoning_tokens or usage.details.get("reasoning_tokens")


def _estimate_response_tokens(response: ModelResponse) -> int:
    return estimate_text_tokens("".join(_get_part_text(part) for part in response.parts))


def _get_part_text(part: object) -> str:
    """Return the text of a message part. For a tool call these are its arguments as JSON."""
    if isinstance(part, ToolCallPart):
        return part.args_as_json_str()
    return str(getattr(part, "content", "") or "")
