"""The pool of model connections of a run, opened on first use and closed at its end.

The clients of the providers are in `llm.client`, which is imported when the first connection is opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar
from weakref import WeakKeyDictionary

from pydantic import BaseModel

from impossible_moments.llm.api_keys import ApiKeys
from impossible_moments.llm.call_pacing import AT_ONCE, CallPacer, RetryPolicy
from impossible_moments.llm.consultation_tasks import ConsultationResult, ConsultationTask, TextAnswer
from impossible_moments.llm.model_references import ModelReference
from impossible_moments.llm.model_requirements import require_known_key, require_packages
from impossible_moments.llm.price_table import PriceTable
from impossible_moments.llm.spending_limits import SpendingBudget, TokenAllowance
from impossible_moments.llm.thinking_budgets import ThinkingBudget

if TYPE_CHECKING:
    from impossible_moments.llm.client import ModelConnection, ModelFactory

R = TypeVar("R", bound=BaseModel)


@dataclass
class ConnectionPool:
    """All model connections of a run. Connections in one event loop share their call pacers."""

    keys: ApiKeys
    prices: PriceTable = field(default_factory=PriceTable)
    at_once: int = AT_ONCE
    retry_policy: RetryPolicy | None = None
    make: ModelFactory | None = None
    """Creates the model of a reference, in place of the provider's client. Tests replace it."""
    _open: dict[ModelReference, ModelConnection] = field(default_factory=dict)
    _closing: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def consult(
        self,
        reference: ModelReference,
        task: ConsultationTask[R],
        *,
        allowance: TokenAllowance,
        budget: SpendingBudget,
    ) -> ConsultationResult[R]:
        """Ask a model for a deliverable, with look-ups and a few tries, and return what it handed in."""
        line = await self.open_connection(reference)
        from impossible_moments.llm.client import consult_model  # noqa: PLC0415 - takes a second to import

        return await consult_model(task, line, allowance=allowance, budget=budget)

    async def request_text(
        self,
        reference: ModelReference,
        prompt: str,
        *,
        most: int,
        budget: SpendingBudget,
        temperature: float | None,
        thinking: ThinkingBudget | None = None,
    ) -> TextAnswer:
        """Send a prompt to a model and return its text.

        `most` is the largest number of tokens the model may write. A `temperature` of None is not sent. `thinking` asks
        for a thinking budget.
        """
        line = await self.open_connection(reference)
        from impossible_moments.llm.client import request_text_answer  # noqa: PLC0415

        return await request_text_answer(
            line, prompt, most=most, budget=budget, temperature=temperature, thinking=thinking
        )

    async def open_connection(self, reference: ModelReference) -> ModelConnection:
        """Return the connection to a model. Open it on first use."""
        if reference not in self._open:
            require_packages(reference)
            from impossible_moments.llm.client import ModelConnection, create_model, open_model  # noqa: PLC0415

            model = (self.make or create_model)(reference, self.keys)
            await open_model(model, reference, self._closing)
            self._open[reference] = ModelConnection(
                reference,
                model,
                get_call_pacer(reference, self.at_once, self.retry_policy),
                self.prices,
                self.keys,
            )
        return self._open[reference]

    def require_packages(self, references: Iterable[ModelReference]) -> None:
        """Raise `ModelFailure` if a package is missing."""
        for each in dict.fromkeys(references):
            require_packages(each)

    def require_keys_and_packages(self, references: Iterable[ModelReference]) -> None:
        """Raise `ModelFailure` if a key or a package is missing, before any call is made."""
        for each in dict.fromkeys(references):
            require_packages(each)
            require_known_key(each, self.keys)

    async def close(self) -> None:
        """Close all connections. A later run opens new ones."""
        self._open.clear()
        closing, self._closing = self._closing, AsyncExitStack()
        await closing.aclose()


_LANES: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, CallPacer]]] = WeakKeyDictionary()


def get_call_pacer(reference: ModelReference, at_once: int, retry_policy: RetryPolicy | None) -> CallPacer:
    """Return the call pacer of a model, which all pipelines in the same event loop share."""
    lanes = _LANES.setdefault(asyncio.get_running_loop(), {})
    return lanes.setdefault(str(reference), CallPacer(str(reference), at_once, retry_policy))
