"""How calls to one model are paced: places, pauses, and a stop where pausing does not help."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from impossible_moments.llm.call_pacing import CallPacer, RetryPolicy
from impossible_moments.llm.model_failures import FailureKind, ModelFailure
from support.model_conversations import (
    BOTH_PROTOCOLS,
    ConsultationRecord,
    ConsultationSetup,
    build_reference,
    consult_in_parallel,
    hand_in_note,
    run_in_loop,
)
from support.providers import faults
from support.providers.conversation import Question, Reply
from support.providers.faults import Fault, plan_always, plan_first
from support.providers.server import Server, serve_provider

HOUR = 3_600.0


@dataclass
class Crowd:
    """Counts in the provider's own thread how many questions of each model are under way at once.

    No question is answered before `full` questions of its model have met.
    """

    full: int
    under_way: dict[str, int] = field(default_factory=dict)
    most: dict[str, int] = field(default_factory=dict)

    def enters(self, _number: int, question: Question) -> Fault | None:
        self.under_way[question.model] = self.under_way.get(question.model, 0) + 1
        self.most[question.model] = max(self.most.get(question.model, 0), self.under_way[question.model])
        return None

    def is_met(self, question: Question) -> bool:
        return self.most[question.model] >= self.full

    def leaves(self, question: Question) -> Reply:
        self.under_way[question.model] -= 1
        return hand_in_note(question)


@contextmanager
def crowded(full: int) -> Iterator[tuple[Server, Crowd]]:
    crowd = Crowd(full)
    with serve_provider(crowd.leaves, faults=crowd.enters, latency=0.02, gate=crowd.is_met) as server:
        yield server, crowd


@BOTH_PROTOCOLS
def test_pipelines_of_a_process_share_the_places_at_a_model(protocol: str) -> None:
    async def two_pipelines(server: Server) -> list[ConsultationRecord]:
        pipelines = [ConsultationSetup(at_once=3), ConsultationSetup(at_once=3)]
        model = build_reference(server, protocol)
        async with pipelines[0].open_connection(model) as one, pipelines[1].open_connection(model) as two:
            calls = [
                means.consult(line)
                for means, line in zip(pipelines, (one, two), strict=True)
                for _ in range(10)
            ]
            return await asyncio.gather(*calls)

    with crowded(3) as (server, crowd):
        assert all(came.result for came in run_in_loop(two_pipelines(server)))
        assert crowd.most == {"small-1": 3}


@BOTH_PROTOCOLS
def test_two_models_have_places_of_their_own(protocol: str) -> None:
    async def two_models(server: Server) -> None:
        means = ConsultationSetup(at_once=2)
        small, large = (build_reference(server, protocol, name) for name in ("small-1", "large-1"))
        async with means.open_connection(small) as one, means.open_connection(large) as other:
            await asyncio.gather(*(means.consult(line) for line in (one, other) for _ in range(6)))

    with crowded(2) as (server, crowd):
        run_in_loop(two_models(server))
        assert crowd.most == {"small-1": 2, "large-1": 2}


def test_no_place_is_held_while_a_failed_call_waits_for_its_next_try() -> None:
    async def passed_by() -> str:
        lane = CallPacer("m", at_once=1, retry_policy=RetryPolicy(first_wait=HOUR, longest_wait=HOUR))
        failed = asyncio.Event()

        async def fails() -> str:
            failed.set()
            raise ModelFailure(FailureKind.SERVER, "m")

        async def answers() -> str:
            return "answered"

        waiting = asyncio.create_task(lane.call_with_retries(fails))
        await failed.wait()
        said = await lane.call_with_retries(answers)
        waiting.cancel()
        return said

    assert run_in_loop(passed_by()) == "answered"


def test_a_pause_that_one_caller_is_told_to_keep_is_kept_by_those_behind_it() -> None:
    async def called() -> int:
        lane = CallPacer("m", at_once=1, retry_policy=RetryPolicy(first_wait=HOUR, longest_wait=HOUR))
        calls = 0

        async def refused() -> None:
            nonlocal calls
            calls += 1
            await asyncio.sleep(0)
            raise ModelFailure(FailureKind.RATE, "m")

        tasks = [asyncio.create_task(lane.call_with_retries(refused)) for _ in range(8)]
        for _ in range(50):  # as often as anything can go on without a clock
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        return calls

    assert run_in_loop(called()) == 1


@BOTH_PROTOCOLS
def test_a_burst_that_is_refused_once_gets_its_answers(protocol: str) -> None:
    """Thirty refusals at the same moment are one overload, not thirty."""
    retry_policy = RetryPolicy(first_wait=0.02, longest_wait=HOUR)
    faulty = plan_first(30, faults.RATE_LIMIT)
    # none is refused before all have arrived
    with serve_provider(
        hand_in_note, faults=faulty, gate=lambda _question: len(server.requests) >= 30
    ) as server:
        all_came = consult_in_parallel(server, protocol, means=ConsultationSetup(retry_policy), times=30)
        assert [came.kind for came in all_came] == [None] * 30
        assert len(server.requests) == 60


Calls = tuple[list[str], int]
"""What calls side by side came to, and how many requests they made."""


async def closed_and_tried(server: Server, protocol: str) -> list[Calls]:
    """Two calls that close the way; four while it is closed, four when it may be tried, four afterwards."""
    means = ConsultationSetup(RetryPolicy(tries=3, first_wait=0.001, longest_wait=HOUR, breaks_after=6))
    async with means.open_connection(build_reference(server, protocol)) as line:

        async def calls(times: int, *, closed_for: float | None = None) -> Calls:
            if closed_for is not None:
                line.pacer._closed_until = asyncio.get_running_loop().time() + closed_for
            before = len(server.requests)
            came = await asyncio.gather(*(means.consult(line) for _ in range(times)))
            kinds = sorted("answered" if each.result else str(each.kind) for each in came)
            return kinds, len(server.requests) - before

        return [
            await calls(1),
            await calls(1),
            await calls(4, closed_for=HOUR),
            await calls(4, closed_for=0),
            await calls(4, closed_for=0),
        ]


@BOTH_PROTOCOLS
def test_sustained_refusals_close_the_way_and_one_call_finds_it_open_again(protocol: str) -> None:
    with serve_provider(hand_in_note, faults=plan_first(6, faults.RATE_LIMIT)) as server:
        assert run_in_loop(closed_and_tried(server, protocol)) == [
            (["rate limit"], 3),
            (["rate limit"], 3),
            (["rate limit"] * 4, 0),
            (["answered", *["rate limit"] * 3], 1),
            (["answered"] * 4, 4),
        ]


@BOTH_PROTOCOLS
def test_a_call_that_finds_the_way_still_closed_closes_it_again(protocol: str) -> None:
    with serve_provider(hand_in_note, faults=plan_always(faults.RATE_LIMIT)) as server:
        assert run_in_loop(closed_and_tried(server, protocol))[2:] == [
            (["rate limit"] * 4, 0),
            (["rate limit"] * 4, 1),
            (["rate limit"] * 4, 1),
        ]


def test_whoever_finds_the_way_closed_is_told_why_and_for_how_long() -> None:
    async def told() -> str:
        lane = CallPacer(
            "openai:gpt-4o",
            retry_policy=RetryPolicy(tries=1, breaks_after=1, longest_wait=HOUR, first_wait=0),
        )

        async def refused() -> None:
            raise ModelFailure(FailureKind.RATE, "openai:gpt-4o")

        with pytest.raises(ModelFailure):
            await lane.call_with_retries(refused)
        with pytest.raises(ModelFailure) as caught:
            await lane.call_with_retries(refused)
        return str(caught.value)

    assert "(1 consecutive calls were refused; no further call is made for 3600 s)" in run_in_loop(told())


def test_what_the_provider_rejects_for_another_reason_is_no_refusal() -> None:
    async def kinds() -> list[FailureKind]:
        retry_policy = RetryPolicy(tries=1, breaks_after=2, first_wait=0, longest_wait=0)
        lane, said = CallPacer("m", retry_policy=retry_policy), []
        for kind in [FailureKind.RATE, FailureKind.WRONG_KEY] * 3:

            async def fails(kind: FailureKind = kind) -> None:
                raise ModelFailure(kind, "m")

            with pytest.raises(ModelFailure) as caught:
                await lane.call_with_retries(fails)
            said.append(caught.value.kind)
        return said

    assert run_in_loop(kinds()) == [FailureKind.RATE, FailureKind.WRONG_KEY] * 3
