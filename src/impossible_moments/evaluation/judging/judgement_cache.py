"""Cache of what judges and translators hand in, keyed by a hash of the whole request.

Requests cost money, so the same request is sent only once. A run that was interrupted, a second run and
another version of the scorer reuse the stored reply and count it again. Failed requests are not stored and
are sent again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field, fields
from decimal import Decimal
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from impossible_moments.evaluation.runs.answer_collection import LEDGER
from impossible_moments.ledger import AnsweredAsk, LedgerStore, NewScenario, get_answer, leases, record_answer
from impossible_moments.llm import (
    TRIES,
    ConnectionPool,
    ConsultationBill,
    ConsultationResult,
    ConsultationTask,
    FailureKind,
    ModelFailure,
    ModelReference,
    SpendingBudget,
    TokenAllowance,
)
from impossible_moments.pipeline import Clock, SystemClock

R = TypeVar("R", bound=BaseModel)
CACHE_SCENARIO: Final = "instruments"
"""The scenario name in the ledger under which all entries are stored, for every evaluated model."""


@dataclass(frozen=True)
class CacheableRequest(Generic[R]):
    """A request to a model, with everything that distinguishes it from other requests."""

    model: ModelReference
    task: ConsultationTask[R]
    most_tokens: int
    """Maximum tokens of one reply."""
    usable: Callable[[ConsultationResult[R]], bool] = lambda _found: True
    """Predicate for a usable reply; an unusable one counts as a failure and is not stored."""
    asked: tuple[Any, ...] = ()
    """Further plain values that are part of the request."""

    @property
    def request_hash(self) -> str:
        """The hash of the whole request, used as the key in the ledger."""
        task, form = self.task, self.task.returns
        request = json.dumps(
            [
                str(self.model), task.system, task.user, form.__name__, form.model_json_schema(),
                self.most_tokens, self.asked,
            ],
            sort_keys=True,
        )  # fmt: skip
        return sha256(request.encode()).hexdigest()


@dataclass
class JudgementCache:
    """Cache of replies in a store; without a store every request is sent to its model."""

    store: LedgerStore | None = None
    clock: Clock = field(default_factory=SystemClock)
    stopped: ModelFailure | None = None
    """The spending-limit failure; after it no model is asked, but stored replies are used."""
    recalled_costs: list[Decimal] = field(default_factory=list)
    """Costs in dollars of the stored replies that were reused."""
    _pending: dict[str, asyncio.Future[Any]] = field(default_factory=dict, repr=False)

    async def fetch_or_request(
        self, request: CacheableRequest[R], connections: ConnectionPool, budget: SpendingBudget
    ) -> ConsultationResult[R]:
        """Return the stored reply to a request, or ask the model and store its reply.

        Concurrent calls with the same request share one reply. Raises `ModelFailure` if the model fails or
        the spending limit is reached.
        """
        if self.store is None:
            return await self._request_from_model(request, connections, budget)
        name = request.request_hash
        if name not in self._pending:
            work = self._read_stored_or_request(self.store, name, request, connections, budget)
            self._pending[name] = asyncio.ensure_future(work)
        found: ConsultationResult[R] = await self._pending[name]
        return found

    async def _read_stored_or_request(
        self,
        store: LedgerStore,
        name: str,
        request: CacheableRequest[R],
        connections: ConnectionPool,
        budget: SpendingBudget,
    ) -> ConsultationResult[R]:
        stored = await store.read(partial(get_answer, scenario=CACHE_SCENARIO, key=name))
        if stored is not None and (found := _parse_stored_reply(stored, request.task.returns)) is not None:
            if found.bill.cost is not None:
                self.recalled_costs.append(found.bill.cost)
            return found
        started = self.clock.now()
        consultation = await self._request_from_model(request, connections, budget)
        if request.usable(consultation):
            answer = AnsweredAsk(
                key=name,
                round_number=1,
                assignment_hash=name,
                reply=_serialize_reply(consultation),
                returns=request.task.returns.__name__,
                usage=_build_usage_record(consultation.bill),
                model=str(request.model),
                started_at=started,
                answered_at=self.clock.now(),
            )
            await store.commit(partial(record_answer, scenario=CACHE_SCENARIO, answer=answer))
        return consultation

    async def _request_from_model(
        self, request: CacheableRequest[R], connections: ConnectionPool, budget: SpendingBudget
    ) -> ConsultationResult[R]:
        if self.stopped is not None:
            raise ModelFailure(FailureKind.SPENDING, str(request.model), self.stopped.detail)
        allowance = TokenAllowance(TRIES * request.most_tokens, request.most_tokens)
        try:
            return await connections.consult(request.model, request.task, allowance=allowance, budget=budget)
        except ModelFailure as failure:
            if failure.kind is FailureKind.SPENDING:
                self.stopped = failure
            raise


@asynccontextmanager
async def open_judgement_cache(folder: Path, clock: Clock | None = None) -> AsyncIterator[JudgementCache]:
    """Open the cache in the ledger of a folder, which also holds the answers."""
    clock = clock or SystemClock()
    with LedgerStore(folder / LEDGER) as store:
        await store.commit(
            partial(leases.enrol_scenario, scenario=CACHE_SCENARIO, new=NewScenario("", clock.now()))
        )
        yield JudgementCache(store, clock)


def _serialize_reply(consultation: ConsultationResult[R]) -> bytes:
    data = {
        "deliverable": consultation.deliverable.model_dump(mode="json", by_alias=True),
        "faults": list(consultation.faults),
        "tries": consultation.tries,
    }
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")


def _build_usage_record(bill: ConsultationBill) -> dict[str, Any]:
    cost = None if bill.cost is None else str(bill.cost)
    return {**asdict(bill), "tokens": bill.input_tokens + bill.output_tokens, "cost": cost}


def _parse_stored_reply(stored: AnsweredAsk, returns: type[R]) -> ConsultationResult[R] | None:
    """Return the stored reply, or None if the row cannot be read; the request is then sent again."""
    try:
        data, usage = (
            json.loads(stored.reply),
            {each.name: stored.usage[each.name] for each in fields(ConsultationBill)},
        )
        bill = ConsultationBill(
            **{**usage, "cost": None if usage["cost"] is None else Decimal(usage["cost"])}
        )
        deliverable = returns.model_validate_json(json.dumps(data["deliverable"]))
        return ConsultationResult(deliverable, bill, data["tries"], tuple(data["faults"]))
    except (ValidationError, ValueError, ArithmeticError, LookupError, TypeError):
        return None
