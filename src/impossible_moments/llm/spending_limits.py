"""Spending limits: the money a run may spend and the tokens a role may write."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

NOTHING: Final = Decimal(0)


class SpendingLimitReached(Exception):
    """A call that could exceed the spending limit, with no call in progress that could release money."""


@dataclass
class SpendingBudget:
    """The money a run may spend. The largest possible cost of a call is reserved before the call is made."""

    limit: Decimal | None = None
    spent: Decimal = NOTHING
    input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 0
    unpriced: int = 0
    """Requests to models without a known price."""
    estimated: int = 0
    """Requests whose provider did not report the usage."""
    broken: int = 0
    """Requests that broke off. Only the provider knows whether they are charged."""
    at_risk: Decimal = NOTHING
    """The most that interrupted requests may have cost. It counts against the limit."""
    _aside: Decimal = NOTHING
    _given_back: asyncio.Event = field(default_factory=asyncio.Event, repr=False)

    async def reserve_cost(self, amount: Decimal | None) -> Decimal:
        """Reserve the largest possible cost of a call and return the reserved amount.

        Wait for calls in progress if their reservations hold the missing money. Raise `SpendingLimitReached`
        if there are none.
        """
        if self.limit is None or amount is None:
            return NOTHING
        while self.spent + self.at_risk + self._aside + amount > self.limit:
            if not self._aside:
                raise SpendingLimitReached
            await self._given_back.wait()
        self._aside += amount
        return amount

    def release_reservation(self, amount: Decimal) -> None:
        """Release a reservation and wake up the calls that wait for money."""
        self._aside -= amount
        # an event belongs to the event loop that waited for it, and this object may outlive a loop
        self._given_back.set()
        self._given_back = asyncio.Event()

    def record_payment(
        self, cost: Decimal | None, *, input_tokens: int, output_tokens: int, estimated: bool
    ) -> None:
        """Record the cost and the tokens of an answered call.

        `cost` is None if the model has no known price.
        """
        self.spent += cost or NOTHING
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens
        self.requests += 1
        self.unpriced += cost is None
        self.estimated += estimated

    def record_interrupted_call(self, amount: Decimal) -> None:
        """Record a call that broke off, with the largest amount it may have cost."""
        self.broken += 1
        self.at_risk += amount

    def __str__(self) -> str:
        parts = [
            f"{self.requests:,} calls",
            f"{self.input_tokens:,} tokens in",
            f"{self.output_tokens:,} out",
            f"${self.spent:.4f}",
        ]
        if self.unpriced:
            parts.append(f"{self.unpriced:,} calls to models without a known price are not in it")
        if self.estimated:
            parts.append(f"{self.estimated:,} calls came without usage and were estimated")
        if self.broken:
            at_most = f", up to ${self.at_risk:.4f}" if self.at_risk else ""
            parts.append(f"{self.broken:,} calls broke off and may be charged too{at_most}")
        return ", ".join(parts)


@dataclass
class TokenAllowance:
    """The number of tokens a role may write in a phase."""

    total_tokens: int
    max_tokens_per_answer: int
    used_tokens: int = 0
    _reserved: int = 0

    @contextmanager
    def reserve_tokens(self) -> Iterator[int]:
        """Reserve the tokens that the next answer may use. Yield their number, or 0 if none are left."""
        room = min(self.max_tokens_per_answer, self.total_tokens - self.used_tokens - self._reserved)
        self._reserved += max(room, 0)
        try:
            yield max(room, 0)
        finally:
            self._reserved -= max(room, 0)
