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

from impossible_moments.evaluation.engine import LEDGER
from impossible_moments.ledger import leases
from impossible_moments.ledger.ledger import Answer, answer_to, record
from impossible_moments.ledger.store import Store
from impossible_moments.models.consultation import TRIES, Bill, Consulted, Task, consult
from impossible_moments.models.exchange import Exchange
from impossible_moments.models.failures import FailureKind, ModelFailure
from impossible_moments.models.references import ModelReference
from impossible_moments.models.spending import Allowance, Purse
from impossible_moments.runtime.clock import Clock, SystemClock

R = TypeVar("R", bound=BaseModel)
KEPT_UNDER: Final = "instruments"
"""The scenario name in the ledger under which all entries are stored, for every evaluated model."""


@dataclass(frozen=True)
class Matter(Generic[R]):
    """A request to a model, with everything that distinguishes it from other requests."""

    model: ModelReference
    task: Task[R]
    most_tokens: int
    """Maximum tokens of one reply."""
    usable: Callable[[Consulted[R]], bool] = lambda _found: True
    """Predicate for a usable reply; an unusable one counts as a failure and is not stored."""
    asked: tuple[Any, ...] = ()
    """Further plain values that are part of the request."""

    @property
    def name(self) -> str:
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
class Docket:
    """Cache of replies in a store; without a store every request is sent to its model."""

    store: Store | None = None
    clock: Clock = field(default_factory=SystemClock)
    stopped: ModelFailure | None = None
    """The spending-limit failure; after it no model is asked, but stored replies are used."""
    recalled: list[Decimal] = field(default_factory=list)
    """Costs in dollars of the stored replies that were reused."""
    _under_way: dict[str, asyncio.Future[Any]] = field(default_factory=dict, repr=False)

    async def heard(self, matter: Matter[R], exchange: Exchange, purse: Purse) -> Consulted[R]:
        """Return the stored reply to a request, or ask the model and store its reply.

        Concurrent calls with the same request share one reply. Raises `ModelFailure` if the model fails or
        the spending limit is reached.
        """
        if self.store is None:
            return await self._asked(matter, exchange, purse)
        name = matter.name
        if name not in self._under_way:
            work = self._recalled_or_asked(self.store, name, matter, exchange, purse)
            self._under_way[name] = asyncio.ensure_future(work)
        found: Consulted[R] = await self._under_way[name]
        return found

    async def _recalled_or_asked(
        self, store: Store, name: str, matter: Matter[R], exchange: Exchange, purse: Purse
    ) -> Consulted[R]:
        kept = await store.read(partial(answer_to, scenario=KEPT_UNDER, key=name))
        if kept is not None and (found := _read(kept, matter.task.returns)) is not None:
            if found.bill.cost is not None:
                self.recalled.append(found.bill.cost)
            return found
        started = self.clock.now()
        consulted = await self._asked(matter, exchange, purse)
        if matter.usable(consulted):
            answer = Answer(
                key=name,
                round_number=1,
                assignment_hash=name,
                reply=_written(consulted),
                returns=matter.task.returns.__name__,
                usage=_usage(consulted.bill),
                model=str(matter.model),
                started_at=started,
                answered_at=self.clock.now(),
            )
            await store.commit(partial(record, scenario=KEPT_UNDER, answer=answer))
        return consulted

    async def _asked(self, matter: Matter[R], exchange: Exchange, purse: Purse) -> Consulted[R]:
        if self.stopped is not None:
            raise ModelFailure(FailureKind.SPENDING, str(matter.model), self.stopped.detail)
        allowance = Allowance(TRIES * matter.most_tokens, matter.most_tokens)
        try:
            line = await exchange.line(matter.model)
            return await consult(matter.task, line, allowance=allowance, purse=purse)
        except ModelFailure as failure:
            if failure.kind is FailureKind.SPENDING:
                self.stopped = failure
            raise


@asynccontextmanager
async def docket_in(folder: Path, clock: Clock | None = None) -> AsyncIterator[Docket]:
    """Open the cache in the ledger of a folder, which also holds the answers."""
    clock = clock or SystemClock()
    with Store(folder / LEDGER) as store:
        await store.commit(partial(leases.enrol, scenario=KEPT_UNDER, brief="", priority=0, now=clock.now()))
        yield Docket(store, clock)


def _written(consulted: Consulted[R]) -> bytes:
    data = {
        "deliverable": consulted.deliverable.model_dump(mode="json", by_alias=True),
        "faults": list(consulted.faults),
        "tries": consulted.tries,
    }
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")


def _usage(bill: Bill) -> dict[str, Any]:
    cost = None if bill.cost is None else str(bill.cost)
    return {**asdict(bill), "tokens": bill.input_tokens + bill.output_tokens, "cost": cost}


def _read(kept: Answer, returns: type[R]) -> Consulted[R] | None:
    """Return the stored reply, or None if the row cannot be read; the request is then sent again."""
    try:
        data, taken = json.loads(kept.reply), {each.name: kept.usage[each.name] for each in fields(Bill)}
        bill = Bill(**{**taken, "cost": None if taken["cost"] is None else Decimal(taken["cost"])})
        deliverable = returns.model_validate_json(json.dumps(data["deliverable"]))
        return Consulted(deliverable, bill, data["tries"], tuple(data["faults"]))
    except (ValidationError, ValueError, ArithmeticError, LookupError, TypeError):
        return None
