"""Execution of an answer's plan in the record, in the most favourable reading of its words.

The likeliest reading of every step is executed first, then a bounded number of other readings. If none
reaches the goal, the loose interpretation is tried. The strict readings add nothing that the answer does not
state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, product
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerStep
from impossible_moments.evaluation.answers.common_verbs import find_common_verbs_for_answer_phrase
from impossible_moments.evaluation.answers.loose_interpretation import list_step_interpretations
from impossible_moments.evaluation.answers.plan_repair import is_failure_of_plan_itself, repair_plan
from impossible_moments.evaluation.answers.step_resolution import StepReadings, resolve_step
from impossible_moments.mechanics.execution import Move, PlanOutcome
from impossible_moments.mechanics.language import Value

MOST_RUNS: Final = 160
"""Maximum number of readings of one plan that are executed."""
MOST_DOUBTS: Final = 3
"""Maximum number of challenges considered, so that doubting every line of the text does not succeed."""


@dataclass(frozen=True)
class ExecutedPlan:
    """The best reading of a plan, with its outcome."""

    moves: tuple[Move, ...]
    outcome: PlanOutcome
    unknown: tuple[AnswerStep, ...] = ()
    """Steps that could not be interpreted."""
    idle_steps: tuple[AnswerStep, ...] = ()
    """Steps that were understood and have no effect in this scenario."""
    challenged: tuple[str, ...] = ()
    changes: dict[str, Value] = field(default_factory=dict)
    lifted: frozenset[str] = frozenset()
    """Names of never-lines that were not enforced."""
    read_loosely: bool = False
    """Whether the goal is reached only in the loose interpretation, which ignores verbs."""
    implicit_moves: tuple[Move, ...] = ()
    """Implicit calls that were inserted."""
    was_repaired: bool = False
    """Whether steps had to be reinterpreted, removed or deferred."""
    loose_outcome: PlanOutcome | None = None
    """Outcome of the loose interpretation, if neither it nor the strict reading reaches the goal."""

    @property
    def is_understood(self) -> bool:
        """Whether the plan itself failed, and not its interpretation."""
        if self.moves:
            return is_failure_of_plan_itself(self.outcome)
        return self.loose_outcome is not None and is_failure_of_plan_itself(self.loose_outcome)

    @property
    def calls(self) -> tuple[str, ...]:
        """The calls that the plan was read as."""
        return tuple(move.text for move in self.moves)

    @property
    def executed_calls(self) -> tuple[str, ...]:
        """The calls of the plan that were executed, without inserted errands."""
        return tuple(step.call for step in self.outcome.steps if not step.inserted)


def execute_plan_in_best_reading(
    plan: Sequence[AnswerStep],
    key: AnswerKey,
    *,
    lifted: frozenset[str] = frozenset(),
    changes: dict[str, Value] | None = None,
) -> ExecutedPlan:
    """Execute a plan in its best reading.

    `lifted` names never-lines that are not enforced, `changes` gives other values to quantities. Premises
    that the plan challenges are lifted as well.
    """
    readings = [resolve_step(step, key) for step in plan]
    unknown = tuple(each.step for each in readings if each.is_unknown)
    idle_steps = tuple(
        each.step for each in readings if not each.calls and not each.challenges and not each.is_unknown
    )
    challenged = _collect_challenged_premises(readings)
    all_lifted = lifted | _find_never_rules_lifted_by_challenge(challenged, key)
    steps_with_calls = [each for each in readings if each.calls]
    executor = key.analysis.executor
    best: ExecutedPlan | None = None
    for moves in islice(_iterate_plan_readings(steps_with_calls), MOST_RUNS):
        outcome = executor.run_plan(moves, changes=changes, lifted=all_lifted)
        if best is None or _is_better_outcome(outcome, best.outcome):
            best = ExecutedPlan(moves, outcome, unknown, idle_steps, challenged, changes or {}, all_lifted)
        if outcome.reaches_goal:
            break
    if best is None or not best.outcome.reaches_goal:
        best = _execute_loose_interpretation(plan, readings, key, best, all_lifted, changes) or best
    if best is None:
        outcome = executor.run_plan((), changes=changes, lifted=all_lifted)
        best = ExecutedPlan((), outcome, unknown, idle_steps, challenged, changes or {}, all_lifted)
    return best


def _execute_loose_interpretation(
    plan: Sequence[AnswerStep],
    readings: Sequence[StepReadings],
    key: AnswerKey,
    strictly: ExecutedPlan | None,
    lifted: frozenset[str],
    changes: dict[str, Value] | None,
) -> ExecutedPlan | None:
    """Return the loosely interpreted plan if it reaches the goal, else the strict one with both outcomes.

    None is returned if the plan has no loose interpretation, or fails and there is no strict reading either.
    """
    parts = list_step_interpretations(plan, key, [each.calls for each in readings])
    run = partial(key.analysis.executor.run_plan, changes=changes, lifted=lifted)
    found = repair_plan(parts, key, run) if parts else None
    if found is None:
        return None
    if not found.outcome.reaches_goal:
        # a failed loose interpretation earns nothing, since its calls are only guesses
        return None if strictly is None else replace(strictly, loose_outcome=found.outcome)
    return ExecutedPlan(
        found.moves,
        found.outcome,
        challenged=_collect_challenged_premises(readings),
        changes=changes or {},
        lifted=lifted,
        read_loosely=True,
        implicit_moves=found.implicit_moves,
        was_repaired=not found.is_unrepaired,
    )


def find_challenged_premises(plan: Sequence[AnswerStep], key: AnswerKey) -> frozenset[str]:
    """Return the premises that the `challenge` steps of a plan drop."""
    return frozenset(
        _collect_challenged_premises(
            [
                resolve_step(step, key)
                for step in plan
                if "challenge" in find_common_verbs_for_answer_phrase(step.do)
            ]
        )
    )


def _collect_challenged_premises(readings: Sequence[StepReadings]) -> tuple[str, ...]:
    doubts = [each for each in readings if each.is_doubt][:MOST_DOUBTS]
    return tuple(dict.fromkeys(quote for each in doubts for quote in each.challenges))


def _find_never_rules_lifted_by_challenge(challenged: Sequence[str], key: AnswerKey) -> frozenset[str]:
    return frozenset(never.name for never in key.analysis.world.never_rules if never.evidence in challenged)


def _is_better_outcome(first: PlanOutcome, second: PlanOutcome) -> bool:
    return (first.reaches_goal, len(first.steps)) > (second.reaches_goal, len(second.steps))


def _iterate_plan_readings(readings: Sequence[StepReadings]) -> Iterator[tuple[Move, ...]]:
    """Yield readings of a plan: the likeliest, then those with one step changed, then combinations."""
    likeliest_calls = [each.calls[0] for each in readings]
    yield tuple(likeliest_calls)
    for at, each in enumerate(readings):
        for other in each.calls[1:]:
            yield (*likeliest_calls[:at], other, *likeliest_calls[at + 1 :])
    yield from product(*(each.calls[:3] for each in readings))
