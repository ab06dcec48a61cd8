"""The docket: what judges and translators handed in, each kept under a hash of everything that it was asked.

Asking costs money, so nobody is asked twice for the same: a run that was killed, a second run and a scorer of another
version find here what was said, and count it anew. An instrument that failed has left nothing, and is asked again.
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
"""The name in the ledger that all of it stands under, whoever was evaluated."""


@dataclass(frozen=True)
class Matter(Generic[R]):
    """What a model is asked, with all that makes it another question."""

    model: ModelReference
    task: Task[R]
    most_tokens: int
    """What it may write at once."""
    usable: Callable[[Consulted[R]], bool] = lambda _found: True
    """Whether what was handed in can be used; what cannot is an instrument's failure, and is not kept."""
    asked: tuple[Any, ...] = ()
    """What is asked for beside the words, in plain values."""

    @property
    def name(self) -> str:
        """The hash of everything that is asked."""
        task, form = self.task, self.task.returns
        told = json.dumps(
            [
                str(self.model), task.system, task.user, form.__name__, form.model_json_schema(),
                self.most_tokens, self.asked,
            ],
            sort_keys=True,
        )  # fmt: skip
        return sha256(told.encode()).hexdigest()


@dataclass
class Docket:
    """What was handed in so far. Without a store nothing is kept, and everybody is asked each time."""

    store: Store | None = None
    clock: Clock = field(default_factory=SystemClock)
    stopped: ModelFailure | None = None
    """The spending limit, once it was reached: then nobody is asked any more, and what is kept is still read."""
    recalled: list[Decimal] = field(default_factory=list)
    """What those cost, in dollars, who had been asked before and were not asked again."""
    _under_way: dict[str, asyncio.Future[Any]] = field(default_factory=dict, repr=False)

    async def heard(self, matter: Matter[R], exchange: Exchange, purse: Purse) -> Consulted[R]:
        """What a model hands in, or has handed in; of several who ask the same at once, one asks. Raises its failure."""
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
    """The docket in the ledger of a folder, where the answers are kept too."""
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
    """What was kept; nothing where the row cannot be read, and then it is asked for as if it were not there."""
    try:
        data, taken = json.loads(kept.reply), {each.name: kept.usage[each.name] for each in fields(Bill)}
        bill = Bill(**{**taken, "cost": None if taken["cost"] is None else Decimal(taken["cost"])})
        deliverable = returns.model_validate_json(json.dumps(data["deliverable"]))
        return Consulted(deliverable, bill, data["tries"], tuple(data["faults"]))
    except (ValidationError, ValueError, ArithmeticError, LookupError, TypeError):
        return None
