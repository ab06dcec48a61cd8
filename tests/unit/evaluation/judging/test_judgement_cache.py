"""The docket: who has answered is not asked again, another question is another row, a failure leaves none."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from impossible_moments.evaluation.judging.judgement_cache import (
    CacheableRequest,
    JudgementCache,
    open_judgement_cache,
)
from impossible_moments.llm.connection_pool import ConnectionPool
from impossible_moments.llm.consultation_tasks import ConsultationTask, ReviewedDeliverable
from impossible_moments.llm.model_failures import FailureKind, ModelFailure
from impossible_moments.llm.model_references import ModelReference, parse_model_reference
from impossible_moments.llm.spending_limits import SpendingBudget
from support.judge_scripts import ScriptedPanel, make_judge
from support.model_conversations import GOOD, TASK, Note
from support.providers import faults


class OtherNote(BaseModel):
    """A remark with a mark, in another form."""

    model_config = ConfigDict(extra="forbid")

    text: str
    mark: float


MATTER: CacheableRequest[Any] = CacheableRequest(
    parse_model_reference("openai:a"), TASK, 1_000, asked=("one line", 20)
)


def bench(**more: Any) -> ScriptedPanel:
    return ScriptedPanel({"small-1": make_judge(GOOD)}, **more)


def heard(
    means: ScriptedPanel, folder: Path, times: int = 1, **more: Any
) -> tuple[list[Any], JudgementCache]:
    """The same asked so many times at once, of a docket in a folder."""

    async def work(exchange: ConnectionPool, models: tuple[ModelReference, ...]) -> Any:
        async with open_judgement_cache(folder) as docket:
            # the server's address changes from one run to the next, and what is asked must not
            matter = replace(MATTER, **{"model": models[0], **more})
            asked = (docket.fetch_or_request(matter, exchange, means.budget) for _ in range(times))
            return await asyncio.gather(*asked, return_exceptions=True), docket

    found: tuple[list[Any], JudgementCache] = means.run_with_server(work)
    return found


CHANGES: Mapping[str, Mapping[str, Any]] = {
    "another model": {"model": parse_model_reference("openai:b")},
    "another address": {"model": parse_model_reference("openai:a@http://127.0.0.1:1/v1")},
    "another duty": {"task": replace(TASK, system="You write long notes.")},
    "another text": {"task": replace(TASK, user="Write a note on the ship.")},
    "another form": {"task": ConsultationTask(TASK.system, TASK.user, OtherNote)},
    "more room": {"most_tokens": 2_000},
    "another line": {"asked": ("another line", 20)},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_is_asked_otherwise_is_another_question(change: Mapping[str, Any]) -> None:
    assert replace(MATTER, **change).request_hash != MATTER.request_hash


def test_how_a_verdict_is_counted_makes_no_other_question() -> None:
    counted = replace(MATTER, usable=lambda _found: False, task=replace(TASK, review=ReviewedDeliverable))
    assert counted.request_hash == MATTER.request_hash


def test_of_several_who_ask_the_same_at_once_one_asks(tmp_path: Path) -> None:
    means = bench()
    found, docket = heard(means, tmp_path, times=5)
    assert [each.deliverable for each in found] == [Note.model_validate(GOOD)] * 5
    assert means.count_requests("small-1") == 1
    assert docket.recalled_costs == []


def test_without_a_store_everybody_is_asked_each_time() -> None:
    means = bench()

    async def work(exchange: ConnectionPool, models: tuple[ModelReference, ...]) -> None:
        docket = JudgementCache()
        for _ in range(2):
            await docket.fetch_or_request(replace(MATTER, model=models[0]), exchange, means.budget)

    means.run_with_server(work)
    assert means.count_requests("small-1") == 2


def twice(means: ScriptedPanel, folder: Path, **more: Any) -> list[tuple[Any, JudgementCache]]:
    """What two runs hear, one after the other, that ask the same of one server."""

    async def work(exchange: ConnectionPool, models: tuple[ModelReference, ...]) -> Any:
        found = []
        for _ in range(2):
            async with open_judgement_cache(folder) as docket:
                matter = replace(MATTER, **{"model": models[0], **more})
                found.append((await docket.fetch_or_request(matter, exchange, means.budget), docket))
        return found

    runs: list[tuple[Any, JudgementCache]] = means.run_with_server(work)
    return runs


def test_what_is_recalled_is_what_was_said_with_what_it_took(tmp_path: Path) -> None:
    means = bench()
    (first, _), (again, docket) = twice(means, tmp_path)
    assert means.count_requests("small-1") == 1
    assert again == first
    assert docket.recalled_costs == [means.budget.spent]
    assert means.budget.spent > 0


def test_what_cannot_be_used_is_not_kept(tmp_path: Path) -> None:
    means = bench()
    twice(means, tmp_path, usable=lambda _found: False)
    assert means.count_requests("small-1") == 2


def test_a_failure_reaches_everybody_who_asked(tmp_path: Path) -> None:
    found, _ = heard(bench(faults={"small-1": faults.REFUSED}), tmp_path, times=3)
    assert [each.kind for each in found] == [FailureKind.REFUSED] * 3


def test_after_the_spending_limit_nobody_is_asked_and_what_is_kept_is_read(tmp_path: Path) -> None:
    means = bench()

    async def work(exchange: ConnectionPool, models: tuple[ModelReference, ...]) -> Any:
        matter = replace(MATTER, model=models[0])
        other = replace(matter, task=replace(TASK, user="Write a note on the ship."))
        async with open_judgement_cache(tmp_path) as docket:
            await docket.fetch_or_request(matter, exchange, SpendingBudget())
        async with open_judgement_cache(tmp_path) as docket:
            poor = SpendingBudget(limit=Decimal("0.0001"))
            with pytest.raises(ModelFailure, match="spending limit"):
                await docket.fetch_or_request(other, exchange, poor)
            assert docket.stopped is not None
            kept = await docket.fetch_or_request(matter, exchange, poor)
            with pytest.raises(ModelFailure, match="spending limit"):
                await docket.fetch_or_request(replace(other, most_tokens=500), exchange, SpendingBudget())
            return kept

    assert means.run_with_server(work).deliverable == Note.model_validate(GOOD)
    assert means.count_requests("small-1") == 1
