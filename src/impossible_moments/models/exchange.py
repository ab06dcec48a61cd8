"""All lines of a run: opened when they are wanted, closed at its end; lanes are shared by all that run side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakKeyDictionary

from pydantic_ai.models import Model

from impossible_moments.models.factory import OWN_CLIENTS, model_for, require
from impossible_moments.models.keys import Keys
from impossible_moments.models.lines import Line
from impossible_moments.models.pacing import AT_ONCE, Lane, Patience
from impossible_moments.models.prices import PriceTable
from impossible_moments.models.references import ModelReference


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
