"""A line to a model: every single call goes through here, with its budget reserved before and its bill booked after."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final
from weakref import WeakKeyDictionary

from pydantic_ai import exceptions
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from impossible_moments.models.factory import OWN_CLIENTS, model_for, require
from impossible_moments.models.failures import UNBILLED, FailureKind, ModelFailure
from impossible_moments.models.keys import Keys
from impossible_moments.models.legible import legible
from impossible_moments.models.pacing import AT_ONCE, Lane, Patience
from impossible_moments.models.prices import PriceTable
from impossible_moments.models.references import ModelReference
from impossible_moments.models.spending import Allowance, LimitReached, Purse
from impossible_moments.models.tokens import tokens

LEAST_ROOM: Final = 200
"""Tokens: with less, no answer can be expected, and none is paid for."""
_CAUTION: Final = 2
"""Providers count up to twice our estimate of a prompt: so much is set aside."""
_LONGEST_SAID: Final = 300
_SPEND_LIMIT: Final = "spend_limit"
"""How Anthropic marks the refusals that waiting does not mend."""
_KINDS: Final[tuple[tuple[type[Exception], FailureKind], ...]] = (
    # the special before the general
    (exceptions.ModelQuotaExceededError, FailureKind.QUOTA),
    (exceptions.ModelRateLimitError, FailureKind.RATE),
    (exceptions.ModelUnavailableError, FailureKind.OVERLOADED),
    (exceptions.ModelServerError, FailureKind.SERVER),
    (exceptions.ModelTimeoutError, FailureKind.TIMEOUT),
    (exceptions.ModelRequestTimeout, FailureKind.TIMEOUT),
    (exceptions.ModelAuthenticationError, FailureKind.WRONG_KEY),
    (exceptions.ModelNotFoundError, FailureKind.NO_MODEL),
    (exceptions.ModelContextWindowExceededError, FailureKind.OVERFLOW),
    (exceptions.ModelRequestRejectedError, FailureKind.REJECTED),
    (exceptions.ContentFilterError, FailureKind.REFUSED),
)


@dataclass(frozen=True, slots=True)
class Paid:
    """What one call took."""

    input_tokens: int
    output_tokens: int
    cost: Decimal | None
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """What a model said, and what it took."""

    response: ModelResponse
    paid: Paid


@dataclass
class Line:
    """One model, with what its calls share."""

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
        """One answer. Budget and money are reserved first; what was paid is booked whatever comes of it."""
        with allowance.reserved() as room:
            if room < LEAST_ROOM:
                raise ModelFailure(FailureKind.BUDGET, str(self.reference))
            prompt = prompt_tokens(messages, parameters)
            most = self.prices.cost(self.reference, _CAUTION * prompt, room)
            if most is None and purse.limit is not None:
                raise ModelFailure(
                    FailureKind.SPENDING,
                    str(self.reference),
                    "no price is known for it, so no limit can be kept; give one with --prices",
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
                f"spent ${purse.spent + purse.at_risk:.4f} of ${purse.limit:.2f}, and it could cost ${most:.4f}",
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
        except Exception as problem:  # noqa: BLE001 - whatever a provider does, it becomes a sentence and a state
            raise self._failure(problem) from None

    def _failure(self, problem: Exception) -> ModelFailure:
        # cut after the keys are out: half a key would not be found
        said = _shortened(self.keys.scrubbed(_said(problem)))
        if isinstance(problem, exceptions.ModelRateLimitError) and _SPEND_LIMIT in str(problem.body):
            return ModelFailure(FailureKind.QUOTA, str(self.reference), said)
        retry_after = getattr(problem, "retry_after", None)
        for error, kind in _KINDS:
            if isinstance(problem, error):
                return ModelFailure(kind, str(self.reference), said, retry_after=retry_after)
        if isinstance(problem, exceptions.ModelConnectionError):
            kind = FailureKind.CUT if problem.phase in {"read", None} else FailureKind.UNREACHABLE
            return ModelFailure(kind, str(self.reference), said)
        if isinstance(problem, exceptions.ModelHTTPError):
            return ModelFailure(FailureKind.REJECTED, str(self.reference), said)
        if isinstance(problem, (exceptions.UserError, TypeError)):
            return ModelFailure(FailureKind.REJECTED, str(self.reference), said)
        return ModelFailure(FailureKind.GARBLED, str(self.reference), said)

    def _paid(self, response: ModelResponse, prompt: int) -> Paid:
        usage = response.usage
        # what is not said, or cannot be, is estimated: a budget that nothing is taken from has no end
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
        failure.paid = f"{paid.input_tokens + paid.output_tokens:,} tokens were paid for it."
        raise failure


@dataclass
class Exchange:
    """All lines of a run. Those of one event loop share their lanes, whoever opened them."""

    keys: Keys
    prices: PriceTable = field(default_factory=PriceTable)
    at_once: int = AT_ONCE
    patience: Patience | None = None
    make: Callable[[ModelReference, Keys], Model] = model_for
    """What makes a model of a reference; doubles come in here."""
    _open: dict[ModelReference, Line] = field(default_factory=dict)
    _closing: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def line(self, reference: ModelReference) -> Line:
        """The line to a model, opened when it is first wanted."""
        if reference not in self._open:
            model = self.make(reference, self.keys)
            await self._closing.enter_async_context(model)
            client = getattr(model, "client", None) if reference.provider in OWN_CLIENTS else None
            if client is not None:  # pydantic-ai closes only those that it made itself
                self._closing.push_async_callback(client.close)
            self._open[reference] = Line(
                reference, model, lane_to(reference, self.at_once, self.patience), self.prices, self.keys
            )
        return self._open[reference]

    def refuse_unreachable(self, references: Iterable[ModelReference]) -> None:
        """Raise where a key or a package is missing, before anything is asked."""
        for each in dict.fromkeys(references):
            require(each, self.keys)

    async def close(self) -> None:
        """Close what was opened; a later run opens anew."""
        self._open.clear()
        closing, self._closing = self._closing, AsyncExitStack()
        await closing.aclose()


_LANES: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Lane]]] = WeakKeyDictionary()


def lane_to(reference: ModelReference, at_once: int, patience: Patience | None) -> Lane:
    """The lane to a model, the same for all pipelines that run side by side."""
    lanes = _LANES.setdefault(asyncio.get_running_loop(), {})
    return lanes.setdefault(str(reference), Lane(str(reference), at_once, patience))


def prompt_tokens(messages: Sequence[ModelMessage], parameters: ModelRequestParameters) -> int:
    """About how many tokens a call sends: everything said so far, and the tools."""
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
    """What a part of a message says; the arguments of a call as they are sent."""
    if isinstance(part, ToolCallPart):
        return part.args_as_json_str()
    return str(getattr(part, "content", "") or "")


def _said(problem: Exception) -> str:
    """The provider's own words, as short as it has them."""
    body = getattr(problem, "body", None)
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        if isinstance(message, str):
            return message
    return str(problem)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SAID else f"{text[:_LONGEST_SAID]} ..."
