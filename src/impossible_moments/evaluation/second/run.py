"""Execution of a plan, call by call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Final

from impossible_moments.evaluation.second.calls import (
    Answer,
    Call,
    Challenge,
    Choose,
    Deed,
    Said,
    Wait,
    WaitUntil,
    doubted,
)
from impossible_moments.evaluation.second.errands import errand_for, first_failing, read_by
from impossible_moments.evaluation.second.passing import RateWithoutValue, pass_time
from impossible_moments.evaluation.second.state import (
    SAME,
    UNBOUND,
    Bindings,
    NoValue,
    State,
    compared,
    names_read,
    path_of,
)
from impossible_moments.evaluation.second.watching import Watch
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.quantities import Kind
from impossible_moments.mechanics.world import Effect, World

LAST_MOMENT: Final = 1e8
"""Latest time in seconds for `wait_until` if there is no deadline."""
MOST_ERRANDS: Final = 12


class Over(Exception):
    """Raised when a plan fails; `end` states how."""

    def __init__(self, end: str) -> None:
        self.end = end


@dataclass(frozen=True)
class _UnderWay:
    """Unattended work in progress."""

    ends: float
    action_call: Deed


class Run:
    """One execution of a plan, from the start to its end."""

    def __init__(self, world: World, changes: Mapping[str, float] | None, lifted: frozenset[str]) -> None:
        self.world = world
        self.state = State(world, changes)
        self.lifted = lifted
        self._undecided = {
            name for name, quantity in world.quantities.items() if quantity.kind is Kind.DECISION
        } - (changes or {}).keys()
        self.under_way: list[_UnderWay] = []
        self._deadline = self._deadline_at_start()

    def _deadline_at_start(self) -> float | None:
        """Return the deadline at the start; None if there is none or it is undefined under the changes."""
        try:
            return None if self.world.deadline is None else self.state.number(self.world.deadline)
        except NoValue:
            return None

    @property
    def goal_met(self) -> bool:
        """Whether the goal holds in the current state."""
        return self.state.holds(self.world.goal)

    @property
    def end(self) -> str:
        """The end of a plan whose calls have all succeeded: `goal`, `late` or `short`."""
        if not self.goal_met:
            return "short"
        in_time = self._deadline is None or compared("<=", self.state.now, self._deadline)
        return "goal" if in_time else "late"

    def carry_out(self, call: Call) -> None:  # noqa: C901 - one case for each kind of call
        """Execute one call; raise `PlanFailure` if it fails."""
        match call:
            case Deed():
                self._do(call)
            case Wait(span):
                self._decided(names_read(self.world, [span]))
                self._let_pass(self._duration(span, "wait"))
            case WaitUntil(condition):
                self._decided(names_read(self.world, [condition]))
                self._wait_until(condition)
            case Choose(values):
                for name, value in values:
                    if name not in self._undecided:
                        raise Over(f"blocked choose.{name}")
                    self._undecided.discard(name)
                    self.state.values[name] = value
            case Answer(puzzle, text):
                if not self.world.puzzles[puzzle].accepts(text):
                    raise Over(f"blocked answer.{puzzle}")
                self._set(self.world.gives[puzzle], UNBOUND, "answer")
            case Challenge(quote):
                self.lifted |= doubted(self.world, quote)
            case Said():
                pass
        self._no_danger()

    def await_the_unattended(self) -> None:
        """Advance time until the goal is met or no unattended work is left."""
        while self.under_way and not self.goal_met:
            self._let_pass(max(0.0, min(work.ends for work in self.under_way) - self.state.now))

    def _do(self, action_call: Deed) -> None:
        self._get_ready(action_call)
        action = action_call.action
        duration = self._duration(action.takes, action.verb, action_call.bindings)
        if action.unattended:
            if any(work.action_call.text == action_call.text for work in self.under_way):
                raise Over(f"blocked {action.verb}.takes")
            self.under_way.append(_UnderWay(self.state.now + duration, action_call))
            return
        self._let_pass(duration)
        self._set(action.then, action_call.bindings, action.verb)

    def _get_ready(self, action_call: Deed) -> None:
        """Ensure that slots and conditions hold at the start of a call, with errands where they help."""
        action = action_call.action
        self._decided(read_by(self.world, action_call))
        errands = 0
        while (failing := first_failing(self.state, action_call)) is not None:
            name, test, bindings = failing
            errand = None
            if test is not None and errands < MOST_ERRANDS:
                errand = errand_for(self.state, test, bindings)
            if errand is None:
                raise Over(f"blocked {action.verb}.{name}")
            errands += 1
            self._let_pass(self._duration(errand.action.takes, errand.action.verb, errand.bindings))
            self._set(errand.action.then, errand.bindings, errand.action.verb)
            self._no_danger()

    def _decided(self, names: frozenset[str]) -> None:
        open_yet = sorted(names & self._undecided)
        if open_yet:
            raise Over(f"blocked choose.{open_yet[0]}")

    def _duration(self, tree: Expression, verb: str, bindings: Bindings = UNBOUND) -> float:
        try:
            found = self.state.number(tree, bindings)
        except NoValue:
            found = -1.0
        if found < 0:
            raise Over(f"blocked {verb}.takes")
        return found

    def _wait_until(self, condition: Expression) -> None:
        awaited = Watch("wait_until", condition, undefined=False)
        longest = (LAST_MOMENT if self._deadline is None else 2 * self._deadline) - self.state.now
        if awaited.holds(self.state):
            return
        # check first, ignoring dangers, whether the condition is ever reached by waiting
        if not self._ahead().comes(awaited, longest):
            raise Over("blocked wait_until")
        self._let_pass(longest, awaited)

    def _ahead(self) -> Run:
        """Return a copy of this run with all dangers lifted."""
        other = copy(self)
        other.state, other.under_way = self.state.copy(), list(self.under_way)
        other.lifted = frozenset(never.name for never in self.world.nevers)
        return other

    def comes(self, awaited: Watch, longest: float) -> bool:
        """Check whether an awaited condition is reached, or the plan fails on the way to it."""
        try:
            return self._let_pass(longest, awaited)
        except Over:
            return True

    def _let_pass(self, span: float, awaited: Watch | None = None) -> bool:
        """Advance time and finish unattended work that becomes due.

        Return whether the awaited condition was reached. Raises `PlanFailure` if a danger occurs.
        """
        finish = self.state.now + span
        dangers = self._dangers
        watches = (*dangers, awaited) if awaited is not None else dangers
        while True:
            due = min(self.under_way, key=lambda work: work.ends, default=None)
            if due is not None and due.ends > finish * (1 + SAME):
                due = None
            until = finish if due is None else due.ends
            try:
                found = pass_time(self.state, until - self.state.now, watches)
            except RateWithoutValue:
                raise Over("blocked rates") from None
            if found is not None:
                if found is awaited:
                    return True
                raise Over(f"never {found.name}")
            if due is None:
                return False
            self.under_way.remove(due)
            self._set(due.action_call.action.then, due.action_call.bindings, due.action_call.action.verb)
            self._no_danger()
            if awaited is not None and awaited.holds(self.state):
                return True

    def _set(self, effects: Sequence[Effect], bindings: Bindings, verb: str) -> None:
        """Apply all effects at once, each computed from the state before."""
        values = {}
        for effect in effects:
            path = path_of(effect.target, bindings)
            try:
                value = self.state.worth(effect.tree, bindings)
            except NoValue:
                raise Over(f"blocked {verb}.{path}") from None
            quantity = self.world.quantities[path]
            if quantity.kind is Kind.STATE and not isinstance(value, bool | str):
                low, high = quantity.low, quantity.high
                if (low is not None and compared("<", value, low)) or (
                    high is not None and compared(">", value, high)
                ):
                    raise Over(f"blocked {verb}.{path}")
            values[path] = value
        self.state.values.update(values)

    @property
    def _dangers(self) -> tuple[Watch, ...]:
        return tuple(
            Watch(never.name, never.tree, undefined=True)
            for never in self.world.nevers
            if never.name not in self.lifted
        )

    def _no_danger(self) -> None:
        for danger in self._dangers:
            if danger.holds(self.state):
                raise Over(f"never {danger.name}")
