"""The adaptive test asks fresh items at the levels that the answers so far suggest, and replaces items without a score."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from impossible_moments.evaluation.reach import (
    ReachItem,
    ReachItemResult,
    ReachTest,
    build_reach_point,
    derive_item_seed,
)
from support.worded_scenarios import build_grate_key, build_grate_scenario


@dataclass
class RecordedSource:
    """A source whose items are all the same scenario, and which remembers what was drawn."""

    drawn: list[tuple[int, int]] = field(default_factory=list)
    name: str = "one scenario"
    levels: tuple[int, ...] = tuple(range(1, 11))

    def draw_item(self, level: int, seed: int) -> ReachItem:
        self.drawn.append((level, seed))
        return ReachItem(build_grate_scenario(), build_grate_key(), level, seed)


def answer(
    number: int,
    item: ReachItem,
    *,
    passed: bool | None,
    output_tokens: int = 0,
    thinking_tokens: int | None = None,
) -> ReachItemResult:
    return ReachItemResult(
        number=number,
        item_id="IM-0001",
        level=item.level,
        seed=item.seed,
        title="",
        passed=passed,
        output_tokens=output_tokens,
        thinking_tokens=thinking_tokens,
    )


def run_test(source: RecordedSource, limit: int, items: int = 20) -> tuple[ReachItemResult, ...]:
    """Run a test of a solver that solves everything up to a level."""

    async def ask(number: int, item: ReachItem) -> ReachItemResult:
        return answer(number, item, passed=item.level <= limit)

    return asyncio.run(ReachTest(source, ask, seed=3, items=items).run())


@pytest.mark.parametrize("limit", [2, 5, 8])
def test_a_solver_with_a_sharp_limit_is_placed_there(limit: int) -> None:
    found = build_reach_point(run_test(RecordedSource(), limit))

    assert found.level == pytest.approx(limit + 0.5, abs=0.6)
    assert found.low is not None
    assert found.high is not None
    assert found.low <= limit + 0.5 <= found.high


def test_the_same_seed_and_answers_take_the_same_course() -> None:
    first, second = RecordedSource(), RecordedSource()
    assert run_test(first, 5) == run_test(second, 5)
    assert first.drawn == second.drawn


def test_no_item_is_drawn_twice() -> None:
    source = RecordedSource()
    run_test(source, 5)

    assert len(set(source.drawn)) == len(source.drawn) == 20
    assert derive_item_seed(3, 1, 5) != derive_item_seed(4, 1, 5)


def test_items_without_a_score_are_replaced_and_left_out_of_the_estimate() -> None:
    async def ask(number: int, item: ReachItem) -> ReachItemResult:
        return answer(number, item, passed=None if number in {2, 5} else item.level <= 4)

    found = asyncio.run(ReachTest(RecordedSource(), ask, seed=0, items=10).run())
    point = build_reach_point(found)

    assert (len(found), point.scored) == (12, 10)
    assert point.level == build_reach_point([each for each in found if each.passed is not None]).level


def test_a_solver_that_never_gets_a_score_ends_the_test() -> None:
    async def ask(number: int, item: ReachItem) -> ReachItemResult:
        return answer(number, item, passed=None)

    found = asyncio.run(ReachTest(RecordedSource(), ask, seed=0).run())

    assert len(found) == 5
    assert build_reach_point(found).level is None


def test_tokens_are_those_billed_and_thinking_only_if_every_item_reports_it() -> None:
    item = RecordedSource().draw_item(1, 1)
    thinking = answer(1, item, passed=True, output_tokens=300, thinking_tokens=200)
    plain = answer(2, item, passed=True, output_tokens=100)
    alone, both, program = (
        build_reach_point(each) for each in ([thinking], [thinking, plain], [answer(1, item, passed=True)])
    )

    assert (alone.tokens, alone.thinking_tokens) == (300, 200)
    assert (both.tokens, both.thinking_tokens) == (200, None)
    assert (program.tokens, program.thinking_tokens) == (None, None)
