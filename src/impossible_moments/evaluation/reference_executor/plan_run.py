"""Execution of a plan, call by call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Final

from impossible_moments.evaluation.reference_executor.call_parser import (
    ActionCall,
    AnswerCall,
    Call,
    ChallengeCall,
    ChooseCall,
    EffectlessCall,
    WaitCall,
    WaitUntilCall,
    find_premises_containing_quote,
)
from impossible_moments.evaluation.reference_executor.implicit_errands import (
    collect_names_read_by_call,
    find_errand,
    find_first_failing_condition,
)
from impossible_moments.evaluation.reference_executor.reference_state import (
    TOLERANCE,
    UNBOUND,
    Bindings,
    ReferenceState,
    UndefinedValue,
    collect_names_read,
    compare_values,
    resolve_path,
)
from impossible_moments.evaluation.reference_executor.time_integration import UndefinedRate, advance_time
from impossible_moments.evaluation.reference_executor.watched_conditions import WatchedCondition
from impossible_moments.mechanics.language import Expression
from impossible_moments.mechanics.records import QuantityKind
from impossible_moments.mechanics.world import ActionEffect, World

LAST_MOMENT: Final = 1e8
"""Latest time in seconds for `wait_until` if there is no deadline."""
MOST_ERRANDS: Final = 12


class PlanFailure(Exception):
    """Raised when a plan fails; `end` states how."""

    def __init__(self, end: str) -> None:
        self.end = end


@dataclass(frozen=True)
class _UnattendedWork:
    """Unattended work in progress."""

    ends: float
    action_call: ActionCall


class ReferenceRun:
    """One execution of a plan, from the start to its end."""

    def __init__(self, world: World, changes: Mapping[str, float] | None, lifted: frozenset[str]) -> None:
        self.world = world
        self.state = ReferenceState(world, changes)
        self.lifted = lifted
        self._undecided = {
            name for name, quantity in world.quantities.items() if quantity.kind is QuantityKind.DECISION
        } - (changes or {}).keys()
        self.unattended_work: list[_UnattendedWork] = []
        self._deadline = self._compute_deadline()

    def _compute_deadline(self) -> float | None:
        """Return the deadline at the start; None if there is none or it is undefined under the changes."""
        try:
            return None if self.world.deadline is None else self.state.evaluate_number(self.world.deadline)
        except UndefinedValue:
            return None

    @property
    def is_goal_met(self) -> bool:
        """Whether the goal holds in the current state."""
        return self.state.satisfies_condition(self.world.goal)

    @property
    def end(self) -> str:
        """The end of a plan whose calls have all succeeded: `goal`, `late` or `short`."""
        if not self.is_goal_met:
            return "short"
        in_time = self._deadline is None or compare_values("<=", self.state.now, self._deadline)
        return "goal" if in_time else "late"

    def execute_call(self, call: Call) -> None:  # noqa: C901 - one case for each kind of call
        """Execute one call; raise `PlanFailure` if it fails."""
        match call:
            case ActionCall():
                self._perform_action(call)
            case WaitCall(span):
                self._require_decisions(collect_names_read(self.world, [span]))
                self._advance_time(self._compute_duration(span, "wait"))
            case WaitUntilCall(condition):
                self._require_decisions(collect_names_read(self.world, [condition]))
                self._wait_until_condition(condition)
            case ChooseCall(values):
                for name, value in values:
                    if name not in self._undecided:
                        raise PlanFailure(f"blocked choose.{name}")
                    self._undecided.discard(name)
                    self.state.values[name] = value
            case AnswerCall(puzzle, text):
                if not self.world.puzzles[puzzle].accepts_answer(text):
                    raise PlanFailure(f"blocked answer.{puzzle}")
                self._apply_effects(self.world.effects_of_answers[puzzle], UNBOUND, "answer")
            case ChallengeCall(quote):
                self.lifted |= find_premises_containing_quote(self.world, quote)
            case EffectlessCall():
                pass
        self._check_dangers()

    def wait_for_unattended_work(self) -> None:
        """Advance time until the goal is met or no unattended work is left."""
        while self.unattended_work and not self.is_goal_met:
            self._advance_time(max(0.0, min(work.ends for work in self.unattended_work) - self.state.now))

    def _perform_action(self, action_call: ActionCall) -> None:
        self._ensure_preconditions(action_call)
        action = action_call.action
        duration = self._compute_duration(action.takes, action.verb, action_call.bindings)
        if action.unattended:
            if any(work.action_call.text == action_call.text for work in self.unattended_work):
                raise PlanFailure(f"blocked {action.verb}.takes")
            self.unattended_work.append(_UnattendedWork(self.state.now + duration, action_call))
            return
        self._advance_time(duration)
        self._apply_effects(action.then, action_call.bindings, action.verb)

    def _ensure_preconditions(self, action_call: ActionCall) -> None:
        """Ensure that slots and conditions hold at the start of a call, with errands where they help."""
        action = action_call.action
        self._require_decisions(collect_names_read_by_call(self.world, action_call))
        errand_count = 0
        while (failing := find_first_failing_condition(self.state, action_call)) is not None:
            name, test, bindings = failing
            errand = None
            if test is not None and errand_count < MOST_ERRANDS:
                errand = find_errand(self.state, test, bindings)
            if errand is None:
                raise PlanFailure(f"blocked {action.verb}.{name}")
            errand_count += 1
            self._advance_time(
                self._compute_duration(errand.action.takes, errand.action.verb, errand.bindings)
            )
            self._apply_effects(errand.action.then, errand.bindings, errand.action.verb)
            self._check_dangers()

    def _require_decisions(self, names: frozenset[str]) -> None:
        open_yet = sorted(names & self._undecided)
        if open_yet:
            raise PlanFailure(f"blocked choose.{open_yet[0]}")

    def _compute_duration(self, tree: Expression, verb: str, bindings: Bindings = UNBOUND) -> float:
        try:
            found = self.state.evaluate_number(tree, bindings)
        except UndefinedValue:
            found = -1.0
        if found < 0:
            raise PlanFailure(f"blocked {verb}.takes")
        return found

    def _wait_until_condition(self, condition: Expression) -> None:
        awaited = WatchedCondition("wait_until", condition, undefined=False)
        longest = (LAST_MOMENT if self._deadline is None else 2 * self._deadline) - self.state.now
        if awaited.is_met_in(self.state):
            return
        # check first, ignoring dangers, whether the condition is ever reached by waiting
        if not self._copy_without_dangers().can_reach_awaited_condition(awaited, longest):
            raise PlanFailure("blocked wait_until")
        self._advance_time(longest, awaited)

    def _copy_without_dangers(self) -> ReferenceRun:
        """Return a copy of this run with all dangers lifted."""
        other = copy(self)
        other.state, other.unattended_work = self.state.copy(), list(self.unattended_work)
        other.lifted = frozenset(never.name for never in self.world.never_rules)
        return other

    def can_reach_awaited_condition(self, condition: WatchedCondition, longest: float) -> bool:
        """Check whether an awaited condition is reached, or the plan fails on the way to it."""
        try:
            return self._advance_time(longest, condition)
        except PlanFailure:
            return True

    def _advance_time(self, span: float, condition: WatchedCondition | None = None) -> bool:
        """Advance time and finish unattended work that becomes due.

        Return whether the awaited condition was reached. Raises `PlanFailure` if a danger occurs.
        """
        finish = self.state.now + span
        dangers = self._dangers
        watches = (*dangers, condition) if condition is not None else dangers
        while True:
            due = min(self.unattended_work, key=lambda work: work.ends, default=None)
            if due is not None and due.ends > finish * (1 + TOLERANCE):
                due = None
            until = finish if due is None else due.ends
            try:
                found = advance_time(self.state, until - self.state.now, watches)
            except UndefinedRate:
                raise PlanFailure("blocked rates") from None
            if found is not None:
                if found is condition:
                    return True
                raise PlanFailure(f"never {found.name}")
            if due is None:
                return False
            self.unattended_work.remove(due)
            self._apply_effects(
                due.action_call.action.then, due.action_call.bindings, due.action_call.action.verb
            )
            self._check_dangers()
            if condition is not None and condition.is_met_in(self.state):
                return True

    def _apply_effects(self, effects: Sequence[ActionEffect], bindings: Bindings, verb: str) -> None:
        """Apply all effects at once, each computed from the state before."""
        values = {}
        for effect in effects:
            path = resolve_path(effect.target, bindings)
            try:
                value = self.state.evaluate(effect.tree, bindings)
            except UndefinedValue:
                raise PlanFailure(f"blocked {verb}.{path}") from None
            quantity = self.world.quantities[path]
            if quantity.kind is QuantityKind.STATE and not isinstance(value, bool | str):
                low, high = quantity.low, quantity.high
                if (low is not None and compare_values("<", value, low)) or (
                    high is not None and compare_values(">", value, high)
                ):
                    raise PlanFailure(f"blocked {verb}.{path}")
            values[path] = value
        self.state.values.update(values)

    @property
    def _dangers(self) -> tuple[WatchedCondition, ...]:
        return tuple(
            WatchedCondition(never.name, never.tree, undefined=True)
            for never in self.world.never_rules
            if never.name not in self.lifted
        )

    def _check_dangers(self) -> None:
        for danger in self._dangers:
            if danger.is_met_in(self.state):
                raise PlanFailure(f"never {danger.name}")
