"""Trials of a distractor: every plan of the record with the distractor in place of another thing, executed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.newton.seed_facts import SeedFacts
from impossible_moments.domain.idea_approaches import find_idea_approaches
from impossible_moments.domain.seed import Distractor
from impossible_moments.mechanics.execution import Move, MoveError, PlanExecutor, PlanOutcome
from impossible_moments.mechanics.language import UNDEFINED
from impossible_moments.mechanics.records import PlanError

MOST_TRIALS: Final = 150


@dataclass(frozen=True, slots=True)
class DistractorTrial:
    """A plan that uses the distractor, and how it ends."""

    calls: tuple[str, ...]
    outcome: PlanOutcome


def try_distractor(facts: SeedFacts, name: str) -> tuple[DistractorTrial, ...]:
    """Execute plans with a distractor: substituted in each plan, alone, and in place of each call.

    A plan that reaches the goal without its calls of the distractor does not count as reaching it with the
    distractor, and is left out. So is a plan that another thing stops before the distractor is used.
    """
    executor = facts.executor
    if executor is None:
        return ()
    found: dict[tuple[str, ...], DistractorTrial] = {}
    for calls in _iterate_candidate_plans(facts, executor, name):
        if len(found) >= MOST_TRIALS:
            break
        if calls in found:
            continue
        moves = _parse(executor, calls)
        if moves is None:
            continue
        outcome = _run(executor, moves)
        if outcome is None or not _is_thing_used(moves, outcome, name):
            continue
        if outcome.reaches_goal and not _needs_thing(executor, moves, name):
            continue
        found[calls] = DistractorTrial(calls, outcome)
    return tuple(found.values())


def try_idea(facts: SeedFacts, distractor: Distractor) -> tuple[DistractorTrial, ...]:
    """Return the executed approaches of the record that carry out a distractor that is an idea."""
    analysis = facts.reading.analysis
    if analysis is None:
        return ()
    return tuple(
        DistractorTrial(tuple(move.text for move in analysis.plans[name]), facts.approach_outcomes[name])
        for name in find_idea_approaches(distractor, facts.seed, facts.approach_outcomes)
    )


def find_working_trial(trials: tuple[DistractorTrial, ...]) -> DistractorTrial | None:
    """Return a trial that reaches the goal, or None."""
    return next((each for each in trials if each.outcome.reaches_goal), None)


def find_nearest_trial(trials: tuple[DistractorTrial, ...]) -> DistractorTrial | None:
    """Return the failing trial that comes nearest to success by a measured margin, or None."""
    measured = [each for each in trials if each.outcome.failing_margin is not None]
    return max(measured, key=lambda each: each.outcome.failing_margin or 0.0, default=None)


def _iterate_candidate_plans(
    facts: SeedFacts, executor: PlanExecutor, name: str
) -> Iterator[tuple[str, ...]]:
    analysis = facts.reading.analysis
    plans = list(analysis.plans.values()) if analysis is not None else []
    plans += [moves for run in facts.sketch_runs if (moves := _parse(executor, run.plan.calls)) is not None]
    texts = list(dict.fromkeys(tuple(move.text for move in plan) for plan in plans))
    yield from (calls for calls in texts if any(name in _list_arguments(call) for call in calls))
    for plan in plans:
        yield from _substitute_in_plan(plan, name)
    with_thing = [move.text for move in executor.moves.all_actions if name in move.arguments]
    yield from ((call,) for call in with_thing)
    for calls in texts:
        for place in range(len(calls)):
            yield from ((*calls[:place], call, *calls[place + 1 :]) for call in with_thing)


def _substitute_in_plan(plan: tuple[Move, ...], name: str) -> Iterator[tuple[str, ...]]:
    """Yield the plan with the distractor instead of each other thing, everywhere that thing occurs."""
    things = dict.fromkeys(argument for move in plan for argument in move.arguments)
    for thing in things:
        if thing == name:
            continue
        yield tuple(
            f"{move.verb}({', '.join(name if argument == thing else argument for argument in move.arguments)})"
            if thing in move.arguments
            else move.text
            for move in plan
        )


def _list_arguments(call: str) -> list[str]:
    return call.replace("(", ",").replace(")", ",").replace(" ", "").split(",")


def _is_thing_used(moves: tuple[Move, ...], outcome: PlanOutcome, name: str) -> bool:
    """Return whether a call with the thing was carried out, or is the one at which the plan ended."""
    carried_out = sum(not step.inserted for step in outcome.steps)
    return any(name in move.arguments for move in moves[: carried_out + 1])


def _needs_thing(executor: PlanExecutor, moves: tuple[Move, ...], name: str) -> bool:
    without = tuple(move for move in moves if name not in move.arguments)
    if not without:
        return True
    outcome = _run(executor, without)
    return outcome is None or not outcome.reaches_goal


def _parse(executor: PlanExecutor, calls: tuple[str, ...]) -> tuple[Move, ...] | None:
    try:
        return executor.parse_plan(calls)
    except (PlanError, MoveError):
        return None


def _run(executor: PlanExecutor, moves: tuple[Move, ...]) -> PlanOutcome | None:
    try:
        return executor.run_plan(moves)
    except UNDEFINED:
        return None
