"""The pool of model connections of a run, opened on first use and closed at its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakKeyDictionary

from pydantic_ai.models import Model

from impossible_moments.llm.api_keys import ApiKeys
from impossible_moments.llm.call_pacing import AT_ONCE, CallPacer, RetryPolicy
from impossible_moments.llm.model_connections import ModelConnection
from impossible_moments.llm.model_factory import OWN_CLIENTS, create_model, require_key_and_package
from impossible_moments.llm.model_references import ModelReference
from impossible_moments.llm.price_table import PriceTable


@dataclass
class ConnectionPool:
    """All model connections of a run. Connections in one event loop share their call pacers."""

    keys: ApiKeys
    prices: PriceTable = field(default_factory=PriceTable)
    at_once: int = AT_ONCE
    patience: RetryPolicy | None = None
    make: Callable[[ModelReference, ApiKeys], Model] = create_model
    """Creates the model of a reference. Tests replace it."""
    _open: dict[ModelReference, ModelConnection] = field(default_factory=dict)
    _closing: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def open_connection(self, reference: ModelReference) -> ModelConnection:
        """Return the connection to a model. Open it on first use."""
        if reference not in self._open:
            model = self.make(reference, self.keys)
            await self._closing.enter_async_context(model)
            client = getattr(model, "client", None) if reference.provider in OWN_CLIENTS else None
            if client is not None:  # pydantic-ai closes only the clients that it created
                self._closing.push_async_callback(client.close)
            self._open[reference] = ModelConnection(
                reference,
                model,
                get_call_pacer(reference, self.at_once, self.patience),
                self.prices,
                self.keys,
            )
        return self._open[reference]

    def require_keys_and_packages(self, references: Iterable[ModelReference]) -> None:
        """Raise `ModelFailure` if a key or a package is missing, before any call is made."""
        for each in dict.fromkeys(references):
            require_key_and_package(each, self.keys)

    async def close(self) -> None:
        """Close all connections. A later run opens new ones."""
        self._open.clear()
        closing, self._closing = self._closing, AsyncExitStack()
        await closing.aclose()


_LANES: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, CallPacer]]] = WeakKeyDictionary()


def get_call_pacer(reference: ModelReference, at_once: int, patience: RetryPolicy | None) -> CallPacer:
    """Return the call pacer of a model, which all pipelines in the same event loop share."""
    lanes = _LANES.setdefault(asyncio.get_running_loop(), {})
    return lanes.setdefault(str(reference), CallPacer(str(reference), at_once, patience))
