"""Money: a limit that is never passed, whatever happens side by side."""

from __future__ import annotations

import asyncio
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.llm.consultation_tasks import HAND_IN
from impossible_moments.llm.model_failures import FailureKind
from impossible_moments.llm.price_table import PriceTable
from impossible_moments.llm.spending_limits import SpendingBudget, SpendingLimitReached, TokenAllowance
from support.model_conversations import (
    BOTH_PROTOCOLS,
    GOOD,
    PRICES,
    ConsultationSetup,
    build_reference,
    consult_in_parallel,
    consult_once,
    hand_in_note,
    run_in_loop,
)
from support.providers.conversation import Call, Question, Reply, Usage
from support.providers.faults import Break, Fault
from support.providers.server import Server, serve_provider

cents = st.integers(0, 300).map(lambda number: Decimal(number) / 100)


def priced(server: Server, protocol: str) -> Decimal:
    """The provider's bill in dollars, by the same table."""
    model = build_reference(server, protocol)
    cost = PRICES.compute_cost(model, server.bill.input_tokens, server.bill.output_tokens)
    assert cost is not None
    return cost


def dear(_question: Question) -> Reply:
    return Reply(calls=(Call(HAND_IN, GOOD),), usage=Usage(150, 700))


@BOTH_PROTOCOLS
def test_fifty_consultations_side_by_side_stay_below_the_limit(protocol: str) -> None:
    budget = SpendingBudget(limit=Decimal("0.50"))
    with serve_provider(dear) as server:
        came = consult_in_parallel(server, protocol, means=ConsultationSetup(budget=budget), times=50)
        kinds = [each.kind for each in came]
        assert set(kinds) == {None, FailureKind.SPENDING}
        assert priced(server, protocol) == budget.spent <= Decimal("0.50")
        # what was held back is no more than what one further call might have cost
        assert budget.spent > Decimal("0.45")
        assert kinds.count(None) == server.bill.requests == len(server.requests)


@BOTH_PROTOCOLS
def test_answers_that_broke_off_may_be_charged_and_count_against_the_limit(protocol: str) -> None:
    def every_third(number: int, _question: Question) -> Fault | None:
        return Break.RESET_MIDDLE if number % 3 == 0 else None

    budget = SpendingBudget(limit=Decimal("0.50"))
    with serve_provider(dear, faults=every_third) as server:
        consult_in_parallel(server, protocol, means=ConsultationSetup(budget=budget), times=50)
        assert budget.spent < priced(server, protocol) <= Decimal("0.50")
        assert budget.broken > 0
    assert f"{budget.broken} calls broke off and may be charged too, up to ${budget.at_risk:.4f}" in str(
        budget
    )


@BOTH_PROTOCOLS
def test_all_of_it_is_spent_where_calls_give_back_what_they_did_not_need(protocol: str) -> None:
    """The limit lets one call be under way at a time; the others wait, and none is refused."""
    budget = SpendingBudget(limit=Decimal("0.10"))
    with serve_provider(hand_in_note) as server:
        came = consult_in_parallel(server, protocol, means=ConsultationSetup(budget=budget), times=20)
        assert all(each.result for each in came)
        assert priced(server, protocol) == budget.spent


@BOTH_PROTOCOLS
def test_the_call_that_could_pass_the_limit_is_not_made(protocol: str) -> None:
    with serve_provider(hand_in_note) as server:
        came = consult_once(
            server, protocol, means=ConsultationSetup(budget=SpendingBudget(limit=Decimal("0.01")))
        )
        assert (came.kind, len(server.requests)) == (FailureKind.SPENDING, 0)
    assert "spent $0.0000 of $0.01; the call could cost $0.03" in str(came.failure)


@BOTH_PROTOCOLS
def test_without_a_price_no_limit_can_be_kept_so_nothing_is_asked(protocol: str) -> None:
    means = ConsultationSetup(budget=SpendingBudget(limit=Decimal(100)), prices=PriceTable())
    with serve_provider(hand_in_note) as server:
        came = consult_once(server, protocol, means=means)
        assert (came.kind, len(server.requests)) == (FailureKind.SPENDING, 0)
    assert "its price is not known" in str(came.failure)


@BOTH_PROTOCOLS
def test_without_a_price_and_a_limit_it_is_said_that_the_cost_is_not_known(protocol: str) -> None:
    means = ConsultationSetup(prices=PriceTable())
    with serve_provider(hand_in_note) as server:
        came = consult_once(server, protocol, means=means)
    assert came.result is not None
    assert (came.result.bill.cost, means.budget.unpriced) == (None, 1)
    assert "1 calls to models without a known price are not in it" in str(means.budget)


def test_a_local_model_costs_nothing_and_needs_no_price() -> None:
    means = ConsultationSetup(budget=SpendingBudget(limit=Decimal(0)), prices=PriceTable())
    with serve_provider(hand_in_note) as server:
        came = consult_once(server, "local", means=means)
    assert came.result is not None
    assert came.result.bill.cost == means.budget.spent == Decimal(0)


@given(limit=cents, calls=st.lists(st.tuples(cents, st.floats(0, 1), st.booleans()), max_size=30))
def test_whatever_calls_cost_and_however_they_end_the_limit_holds(
    limit: Decimal, calls: list[tuple[Decimal, float, bool]]
) -> None:
    budget = SpendingBudget(limit=limit)

    async def one(most: Decimal, share: float, *, breaks: bool) -> None:
        try:
            aside = await budget.reserve_cost(most)
        except SpendingLimitReached:
            return
        assert budget.spent + budget.at_risk + budget._aside <= limit
        await asyncio.sleep(0)
        if breaks:
            budget.record_interrupted_call(aside)
        else:
            budget.record_payment(most * Decimal(share), input_tokens=1, output_tokens=1, estimated=False)
        budget.release_reservation(aside)

    async def all_of_them() -> None:
        await asyncio.gather(*(one(most, share, breaks=breaks) for most, share, breaks in calls))

    run_in_loop(all_of_them())
    assert budget.spent + budget.at_risk <= limit
    assert budget._aside == 0


def test_a_purse_serves_one_run_after_another() -> None:
    budget = SpendingBudget(limit=Decimal(1))

    async def two_calls() -> None:
        async def one() -> None:
            aside = await budget.reserve_cost(Decimal(1))
            await asyncio.sleep(0)
            budget.release_reservation(aside)

        await asyncio.gather(one(), one())

    for _ in range(2):
        run_in_loop(two_calls())
    assert budget._aside == 0


def test_a_call_that_waits_for_money_gives_up_when_all_of_it_is_spent() -> None:
    budget = SpendingBudget(limit=Decimal(1))

    async def both() -> None:
        aside = await budget.reserve_cost(Decimal(1))
        waiting = asyncio.create_task(budget.reserve_cost(Decimal(1)))
        await asyncio.sleep(0)
        assert not waiting.done()
        budget.record_payment(Decimal("0.5"), input_tokens=1, output_tokens=1, estimated=False)
        budget.release_reservation(aside)
        with pytest.raises(SpendingLimitReached):
            await waiting

    run_in_loop(both())


@given(whole=st.integers(0, 50), most=st.integers(1, 20), answers=st.lists(st.integers(0, 20), max_size=20))
def test_an_allowance_never_promises_more_than_is_left(whole: int, most: int, answers: list[int]) -> None:
    allowance = TokenAllowance(whole, most)
    for answer in answers:
        with allowance.reserve_tokens() as room, allowance.reserve_tokens() as beside:
            assert 0 <= room + beside <= max(whole - allowance.used_tokens, 0)
            assert max(room, beside) <= most
            allowance.used_tokens += min(answer, room)
    assert allowance.used_tokens <= whole
