"""Insights that an answer really needs: without their calls, the executed plan fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from impossible_moments.mechanics.checks import StatusVerdict, WorldAnalysis, matches_any_call
from impossible_moments.mechanics.difficulty.answering_plans import AnsweringPlan, list_answering_plan_groups
from impossible_moments.mechanics.difficulty.failing_alternatives import FailingAlternative
from impossible_moments.mechanics.difficulty.nearest_plans import list_calls_of_nearest_plan
from impossible_moments.mechanics.execution import Move
from impossible_moments.mechanics.records import Record, parse_line

_PREMISE: Final = "challenge("
_VERDICTS: Final = ("impossible(", "claim(")


@dataclass(frozen=True, slots=True)
class InsightFact:
    """An insight: its fixedness type, its domain, the insights it needs (counted from 1), and its call in the record."""

    type: str
    domain: str
    needs: tuple[int, ...] = ()
    call: str = ""


@dataclass(frozen=True, slots=True)
class NeededInsights:
    """The numbers of the insights that an answer needs, and the dependencies between them that execution confirms."""

    numbers: tuple[int, ...]
    dependencies: Mapping[int, frozenset[int]]

    @property
    def longest_chain(self) -> int:
        """The length of the longest chain of insights of which each needs the one before."""
        return max((self._measure_chain(number, frozenset()) for number in self.numbers), default=0)

    def _measure_chain(self, number: int, seen: frozenset[int]) -> int:
        earlier = self.dependencies.get(number, frozenset()) - seen - {number}
        return 1 + max((self._measure_chain(each, seen | {number}) for each in earlier), default=0)


def list_insight_calls(record: Record) -> tuple[str, ...]:
    """Return the call of each insight of a record."""
    return tuple(parse_line(line, example="", evidence=False).head for line in record.insights)


def find_needed_insights(
    analysis: WorldAnalysis,
    verdict: StatusVerdict,
    insights: Sequence[InsightFact],
    alternatives: tuple[FailingAlternative, ...],
) -> NeededInsights:
    """Return the insights without which no answer is found.

    Where plans work, these are the insights of the plan that needs fewest, in each group. Where none works, they are
    insights about alternatives that must be worked out, at most one for each condition that stops such an alternative,
    and those without which the plan that comes nearest to the goal comes less near.
    """
    groups = list_answering_plan_groups(analysis, verdict)
    if groups:
        plans = [_choose_plan_with_fewest_insights(analysis, group, insights) for group in groups]
        numbers = sorted({number for _, found in plans for number in found})
        dependencies = [_confirm_dependencies(analysis, plan, insights, numbers) for plan, _ in plans]
        return NeededInsights(tuple(numbers), _merge_dependencies(dependencies))
    return _find_insights_of_refutations(analysis, verdict, insights, alternatives)


def _choose_plan_with_fewest_insights(
    analysis: WorldAnalysis, group: tuple[AnsweringPlan, ...], insights: Sequence[InsightFact]
) -> tuple[AnsweringPlan, tuple[int, ...]]:
    needed = [(plan, _list_insights_of_plan(analysis, plan, insights)) for plan in group]
    return min(needed, key=lambda pair: (len(pair[1]), len(pair[0].moves)))


def _list_insights_of_plan(
    analysis: WorldAnalysis, plan: AnsweringPlan, insights: Sequence[InsightFact]
) -> tuple[int, ...]:
    return tuple(
        number
        for number, each in enumerate(insights, start=1)
        if each.call and _needs_insight(analysis, plan, each.call)
    )


def _needs_insight(analysis: WorldAnalysis, plan: AnsweringPlan, call: str) -> bool:
    """Return whether the plan fails without the calls of an insight, or with the premise that it drops."""
    if _is_about_premise(call):
        return bool(plan.lifted) and not replace(plan, lifted=frozenset()).run(analysis).reaches_goal
    if _is_verdict(call) or not matches_any_call(call, list(plan.calls)):
        return False
    return not plan.run(analysis, _drop_calls(plan.moves, call)).reaches_goal


def _is_about_premise(call: str) -> bool:
    return call.replace(" ", "").startswith(_PREMISE)


def _is_verdict(call: str) -> bool:
    return call.replace(" ", "").startswith(_VERDICTS)


def _drop_calls(moves: tuple[Move, ...], call: str) -> tuple[Move, ...]:
    return tuple(move for move in moves if not matches_any_call(call, [move.text]))


def _confirm_dependencies(
    analysis: WorldAnalysis, plan: AnsweringPlan, insights: Sequence[InsightFact], numbers: Sequence[int]
) -> dict[int, frozenset[int]]:
    """Return the stated dependencies for which the later call fails in the plan without the earlier one."""
    return {
        number: frozenset(
            earlier
            for earlier in insights[number - 1].needs
            if earlier in numbers
            and earlier != number
            and _depends_on(analysis, plan, insights, number, earlier)
        )
        for number in numbers
    }


def _depends_on(
    analysis: WorldAnalysis, plan: AnsweringPlan, insights: Sequence[InsightFact], later: int, earlier: int
) -> bool:
    later_call, earlier_call = insights[later - 1].call, insights[earlier - 1].call
    if not matches_any_call(later_call, list(plan.calls)) or _is_verdict(later_call):
        return False
    without_lifting = replace(plan, lifted=frozenset())
    outcome = (
        without_lifting.run(analysis)
        if _is_about_premise(earlier_call)
        else plan.run(analysis, _drop_calls(plan.moves, earlier_call))
    )
    executed = [step.call for step in outcome.steps]
    return not matches_any_call(later_call, executed)


def _merge_dependencies(found: Sequence[Mapping[int, frozenset[int]]]) -> dict[int, frozenset[int]]:
    numbers = {number for each in found for number in each}
    return {
        number: frozenset[int]().union(*(each.get(number, frozenset()) for each in found))
        for number in numbers
    }


def _find_insights_of_refutations(
    analysis: WorldAnalysis,
    verdict: StatusVerdict,
    insights: Sequence[InsightFact],
    alternatives: tuple[FailingAlternative, ...],
) -> NeededInsights:
    deep = [each for each in alternatives if each.is_deep]
    stops = {each.end for each in deep}
    proof = verdict.impossibility
    stated = {each.end.removeprefix("blocked ") for each in alternatives}
    blocking = {*stated, *(proof.blocking_conditions if proof is not None else ())}
    numbers = tuple(
        number
        for number, each in enumerate(insights, start=1)
        if _is_shown_by_refutation(each.call, deep, blocking, verdict)
    )[: max(len(stops), 1)]
    calls = list_calls_of_nearest_plan(analysis)
    nearest = {
        number
        for number, each in enumerate(insights, start=1)
        if each.call and not _is_verdict(each.call) and matches_any_call(each.call, list(calls))
    }
    return NeededInsights(tuple(sorted({*numbers, *nearest})), {})


def _is_shown_by_refutation(
    call: str, deep: Sequence[FailingAlternative], blocking: set[str], verdict: StatusVerdict
) -> bool:
    """Return whether an insight names a condition that stops alternatives, or a call of one that must be worked out."""
    plain = call.replace(" ", "")
    if plain.startswith("impossible("):
        return plain.removeprefix("impossible(").removesuffix(")") in blocking
    if plain.startswith("claim("):
        return verdict.frontier is not None and verdict.frontier.holds
    return bool(call) and any(matches_any_call(call, list(each.calls)) for each in deep)
