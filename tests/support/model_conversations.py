"""Consultations through the project's connections and the official clients, with a local provider."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, TypeVar

import pytest
from pydantic import BaseModel, ConfigDict

from impossible_moments.llm.api_keys import ApiKeys
from impossible_moments.llm.call_pacing import AT_ONCE, RetryPolicy
from impossible_moments.llm.client.consultations import consult_model
from impossible_moments.llm.client.model_connections import ModelConnection
from impossible_moments.llm.connection_pool import ConnectionPool
from impossible_moments.llm.consultation_tasks import HAND_IN, ConsultationResult, ConsultationTask
from impossible_moments.llm.model_failures import ModelFailure
from impossible_moments.llm.model_references import ModelReference, parse_model_reference
from impossible_moments.llm.price_table import PriceTable
from impossible_moments.llm.spending_limits import SpendingBudget, TokenAllowance
from support.providers.conversation import Call, Question, Reply
from support.providers.server import Server

T = TypeVar("T")
PROTOCOLS: Final = ("openai", "local", "anthropic")
BOTH_PROTOCOLS: Final = pytest.mark.parametrize("protocol", ["openai", "anthropic"])
EVERY_PROTOCOL: Final = pytest.mark.parametrize("protocol", PROTOCOLS)
SECRET: Final = "sk-test-0123456789"  # noqa: S105 - opens nothing
QUICK: Final = RetryPolicy(first_wait=0.001, longest_wait=0.01)
GUARD: Final = 900.0
"""Seconds after which a hanging test fails."""
PRICES: Final = PriceTable(
    {f"{name}:small-1": (Decimal(10), Decimal(30)) for name in PROTOCOLS}, user_file_name="prices.yaml"
)


class Note(BaseModel):
    """A deliverable with a text and a number."""

    model_config = ConfigDict(extra="forbid")

    text: str
    mark: int


GOOD: Final = {"text": "It floats.", "mark": 3}
TASK: Final = ConsultationTask("You write notes.", "Write a note on the boat.", Note)


def hand_in_note(_question: Question) -> Reply:
    """Answer by handing in a note."""
    return Reply(calls=(Call(HAND_IN, GOOD),))


def build_reference(server: Server, protocol: str, name: str = "small-1") -> ModelReference:
    url = server.anthropic_url if protocol == "anthropic" else server.openai_url
    return parse_model_reference(f"{protocol}:{name}@{url}")


@dataclass
class ConsultationRecord:
    """The result of a consultation: a deliverable or a failure, and its recorded usage."""

    budget: SpendingBudget
    result: ConsultationResult[Note] | None = None
    failure: ModelFailure | None = None

    @property
    def kind(self) -> object:
        return self.failure.kind if self.failure else None


@dataclass
class ConsultationSetup:
    """Objects that the consultations of a test share."""

    retry_policy: RetryPolicy = QUICK
    keys: ApiKeys = field(default_factory=lambda: ApiKeys(for_all=SECRET))
    budget: SpendingBudget = field(default_factory=SpendingBudget)
    at_once: int = AT_ONCE
    prices: PriceTable = PRICES

    @asynccontextmanager
    async def open_connection(self, model: ModelReference) -> AsyncIterator[ModelConnection]:
        """Open a connection and close it afterwards."""
        exchange = ConnectionPool(
            self.keys, self.prices, at_once=self.at_once, retry_policy=self.retry_policy
        )
        try:
            yield await exchange.open_connection(model)
        finally:
            await exchange.close()

    async def consult(
        self, line: ModelConnection, task: ConsultationTask[Note] = TASK, *, most: int = 1_000
    ) -> ConsultationRecord:
        """Run a consultation with its own token allowance."""
        came = ConsultationRecord(self.budget)
        try:
            allowance = TokenAllowance(20 * most, most)
            came.result = await consult_model(task, line, allowance=allowance, budget=self.budget)
        except ModelFailure as failure:
            came.failure = failure
        return came


def run_in_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run some work in its own event loop, with a time limit."""

    async def guarded() -> T:
        async with asyncio.timeout(GUARD):
            return await work

    return asyncio.run(guarded())


def consult_in_parallel(
    server: Server,
    protocol: str,
    task: ConsultationTask[Note] = TASK,
    *,
    means: ConsultationSetup | None = None,
    times: int = 1,
    most: int = 1_000,
) -> list[ConsultationRecord]:
    """Run several consultations in parallel."""
    shared = means or ConsultationSetup()

    async def all_of_them() -> list[ConsultationRecord]:
        async with shared.open_connection(build_reference(server, protocol)) as line:
            return await asyncio.gather(*(shared.consult(line, task, most=most) for _ in range(times)))

    return run_in_loop(all_of_them())


def consult_once(
    server: Server,
    protocol: str,
    task: ConsultationTask[Note] = TASK,
    *,
    means: ConsultationSetup | None = None,
    most: int = 1_000,
) -> ConsultationRecord:
    """Run one consultation, with at most `most` tokens for a reply and twenty times as many in all."""
    (came,) = consult_in_parallel(server, protocol, task, means=means, most=most)
    return came
