"""Money: what calls cost, and a limit that is never passed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

NOTHING: Final = Decimal(0)


class LimitReached(Exception):
    """What a call may cost at most would pass the limit, and nothing under way can give money back."""


@dataclass
class Purse:
    """What a run may spend. What a call may cost at most is set aside before it is made."""

    limit: Decimal | None = None
    spent: Decimal = NOTHING
    input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 0
    unpriced: int = 0
    """Requests to models that no price is known of."""
    estimated: int = 0
    """Requests whose provider did not say what they took."""
    broken: int = 0
    """Requests that broke off: whether they are charged is known to the provider alone."""
    at_risk: Decimal = NOTHING
    """What those may have cost at most; it counts against the limit."""
    _aside: Decimal = NOTHING
    _given_back: asyncio.Event = field(default_factory=asyncio.Event, repr=False)

    async def set_aside(self, amount: Decimal | None) -> Decimal:
        """Reserve what a call may cost at most, waiting for calls under way where they hold what is missing."""
        if self.limit is None or amount is None:
            return NOTHING
        while self.spent + self.at_risk + self._aside + amount > self.limit:
            if not self._aside:
                raise LimitReached
            await self._given_back.wait()
        self._aside += amount
        return amount

    def give_back(self, amount: Decimal) -> None:
        """End a reservation."""
        self._aside -= amount
        # an event belongs to the loop it was waited for in, and a purse may outlive a loop
        self._given_back.set()
        self._given_back = asyncio.Event()

    def pay(self, cost: Decimal | None, *, input_tokens: int, output_tokens: int, estimated: bool) -> None:
        """Book what a call took."""
        self.spent += cost or NOTHING
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens
        self.requests += 1
        self.unpriced += cost is None
        self.estimated += estimated

    def write_off(self, amount: Decimal) -> None:
        """Book a call that broke off: what it may have cost is not spent again."""
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
class Allowance:
    """How many tokens a role may write in a phase."""

    whole: int
    most_at_once: int
    written: int = 0
    _reserved: int = 0

    @contextmanager
    def reserved(self) -> Iterator[int]:
        """Reserve what the next answer may take; how many tokens that is, 0 where too little is left."""
        room = min(self.most_at_once, self.whole - self.written - self._reserved)
        self._reserved += max(room, 0)
        try:
            yield max(room, 0)
        finally:
            self._reserved -= max(room, 0)
