"""Symbolic execution of plans over a whole box, with expressions of uncertain quantities as states.

Every plan that could work anywhere in the box is followed. A condition stops a plan only if it fails over the
whole box; otherwise it becomes an obligation of the path. Whatever cannot be followed exactly, such as rates
that depend on their own state and waits of any length, is replaced by a free name within its bounds. A goal
that no path reaches here is therefore reached by no plan at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from impossible_moments.mechanics.execution.executor import PlanExecutor
from impossible_moments.mechanics.execution.moves import Move
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.dimensions import PLAIN, TIME, Dimension
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_evaluation import Box, IntervalEvaluator, KnownValue
from impossible_moments.mechanics.language.simplification import substitute_and_simplify
from impossible_moments.mechanics.records.quantities import Quantity, QuantityKind
from impossible_moments.mechanics.world.world_model import World

LARGEST_TREE: Final = 300
LONGEST_SECONDS: Final = 1e8
FASTEST: Final = 1e30


@dataclass(frozen=True, slots=True)
class SymbolicPath:
    """A partial plan over the box: its state, time, calls, obligations and unfinished unattended work."""

    state: Mapping[str, Expression]
    time: Expression
    calls: tuple[str, ...] = ()
    obligations: tuple[tuple[str, Expression], ...] = ()
    pending: tuple[tuple[Move, Expression], ...] = ()
    passes: int = 0


def find_states_changed_unattended(world: World) -> frozenset[str]:
    """Return the states that unattended work can change. A property of a slot stands for that of every thing."""
    found: set[str] = set()
    for action in world.actions.values():
        targets = [effect.target for effect in action.then] if action.unattended else []
        for target in targets:
            if not isinstance(target, ex.Property):
                found.add(target.name)
            elif target.thing in world.things:
                found.add(target.path)
            else:
                found |= {path for path in world.mutable if path.rpartition(".")[2] == target.name}
    return frozenset(found)


class SymbolicExecutor:
    """Symbolic executor of plans in a world over a box.

    `enforced` names the conditions that count; None means all.
    """

    def __init__(
        self,
        executor: PlanExecutor,
        box: Box,
        *,
        lifted: frozenset[str] = frozenset(),
        enforced: frozenset[str] | None = None,
    ) -> None:
        self.executor = executor
        self.world = executor.engine.world
        self.box: dict[str, KnownValue] = dict(box)
        self.intervals = IntervalEvaluator(self.box)
        self.lifted = lifted
        self.enforced = enforced
        self.blocked: dict[str, None] = {}
        self.refuted: dict[str, Expression] = {}
        self._library_conditions = list_library_conditions(self.world)
        # Unattended work may end during another call and change a rate. Then no rate can be followed exactly.
        self._exact_rates = executor.dynamics.has_constant_rates and not any(
            action.unattended for action in self.world.actions.values()
        )
        self._changed_unattended = find_states_changed_unattended(self.world)
        self.free_names: dict[str, None] = {}
        self._expanded: dict[Expression, Expression] = {}

    def create_start_path(self) -> SymbolicPath:
        """Return the path before any call."""
        state: dict[str, Expression] = {}
        for name in sorted(self.world.mutable):
            quantity = self.world.quantities.get(name)
            if quantity is not None:
                state[name] = self._build_initial_value(quantity)
        return SymbolicPath(state, ex.Number(0.0, TIME))

    def _build_initial_value(self, quantity: Quantity) -> Expression:
        if quantity.kind is QuantityKind.DERIVED:
            return self._expand_derived_quantities(quantity.tree)
        if isinstance(self.box.get(quantity.name), tuple) and self.box[quantity.name] != (
            quantity.value,
            quantity.value,
        ):
            return (
                ex.Name(quantity.name) if "." not in quantity.name else ex.Property(*quantity.name.split("."))
            )
        return quantity.tree

    def build_goal_condition(self, path: SymbolicPath) -> Expression:
        """Return the goal condition in the state of a path."""
        return self._substitute_path_state(self.world.goal, path)

    def build_deadline_condition(self, path: SymbolicPath) -> Expression | None:
        """Return the condition that a path is in time, or None if there is no enforced deadline."""
        if self.world.deadline is None or not self._does_condition_count("deadline"):
            return None
        return ex.Comparison(
            "<=", path.time, self._substitute_path_state(self.world.deadline, self.create_start_path())
        )

    def apply_move(self, path: SymbolicPath, move: Move) -> Iterator[SymbolicPath]:
        """Yield the paths after one more move; there are none if it fails over the whole box.

        Unattended work may end during the move, after its conditions were checked and before its effects.
        """
        obligations = list(path.obligations)
        if any(move is running for running, _ in path.pending):
            return
        for test in move.tests:
            if not self._does_condition_count(test.name):
                continue
            if not self._check_condition_or_add_obligation(
                test.name, self._substitute_path_state(test.tree, path), obligations
            ):
                self._record_refuted_condition(test.name, test.tree)
                return
        duration = self._substitute_path_state(move.takes_tree, path)
        path = replace(path, calls=(*path.calls, move.text), obligations=tuple(obligations))
        if move.unattended:
            yield replace(path, pending=(*path.pending, (move, _build_sum(path.time, duration))))
            return
        for before, not_before in ((path, None), *self._complete_pending_work(path)):
            after_time = self._pass_time(before, duration)
            if not_before is not None:
                after_time = replace(after_time, time=_build_maximum(after_time.time, not_before))
            after = self._apply_move_effects(after_time, move)
            if after is not None:
                yield after

    def _complete_pending_work(self, path: SymbolicPath) -> Iterator[tuple[SymbolicPath, Expression]]:
        """Yield the path after each piece of unattended work, with the time at which that work ends."""
        for number, (move, finish) in enumerate(path.pending):
            left = path.pending[:number] + path.pending[number + 1 :]
            after = self._apply_move_effects(replace(path, pending=left), move)
            if after is not None:
                yield after, finish

    def iterate_unattended_completions(self, path: SymbolicPath) -> Iterator[SymbolicPath]:
        """Yield the paths on which a piece of unattended work ends next, at the time when it is finished."""
        for after, finish in self._complete_pending_work(path):
            yield replace(after, time=_build_maximum(after.time, finish))

    def add_free_wait(self, path: SymbolicPath) -> SymbolicPath:
        """Return the path after a wait of any length, including zero, if anything changes by itself."""
        if not self.world.rates:
            return path
        # The name depends on the position in the path only, so that paths to the same state look the same.
        wait = self._create_free_name(f"wait{path.passes}", 0.0, LONGEST_SECONDS)
        return self._pass_time(path, wait)

    def can_path_meet_deadline(self, path: SymbolicPath) -> bool:
        """Return whether a path may still meet the deadline somewhere in the box."""
        in_time = self.build_deadline_condition(path)
        if in_time is None or self.intervals.decide_condition(in_time) is not False:
            return True
        self.record_blocking_condition("deadline")
        return False

    def is_not_earlier(self, one: SymbolicPath, other: SymbolicPath) -> bool:
        """Return whether `one` is certainly not earlier than `other`."""
        if one.time == other.time:
            return True
        return self.intervals.compute_interval(ex.Arithmetic("-", one.time, other.time))[0] >= 0

    def record_blocking_condition(self, name: str) -> None:
        """Record a condition of the record that stopped a path. Conditions of the library are ignored."""
        if name not in self._library_conditions:
            self.blocked.setdefault(name)

    def _record_refuted_condition(self, name: str, tree: Expression) -> None:
        """Record a condition that fails over the whole box and reads no changing state, to prove it later."""
        if not self.world.collect_stated_quantities(tree) & self.world.mutable:
            self.refuted.setdefault(name, self._expand_derived_quantities(tree))

    def _does_condition_count(self, name: str) -> bool:
        # Conditions of the library always count: a conflict is stated in the record's own conditions.
        return self.enforced is None or name in self.enforced or name in self._library_conditions

    def _check_condition_or_add_obligation(
        self, name: str, tree: Expression, obligations: list[tuple[str, Expression]]
    ) -> bool:
        """Return False if a condition fails over the whole box; add an undecided one to the obligations."""
        truth = tree.value if isinstance(tree, ex.Truth) else self.intervals.decide_condition(tree)
        if truth is False:
            self.record_blocking_condition(name)
            return False
        if truth is None:
            obligations.append((name, tree))
        return True

    def _substitute_path_state(
        self, tree: Expression, path: SymbolicPath, box: Box | None = None
    ) -> Expression:
        """Return an expression with the state of a path and all exactly known values filled in."""
        facts = self.box if box is None else box

        def replace_leaf(node: ex.Name | ex.Property) -> Expression:
            name = node.name if isinstance(node, ex.Name) else node.path
            found = path.state.get(name)
            if found is not None:
                return found
            known = facts.get(name)
            if isinstance(known, tuple) and known[0] == known[1]:
                return ex.Number(known[0], self._get_dimension(name))
            if isinstance(known, bool):
                return ex.Truth(known)
            return ex.Text(known) if isinstance(known, str) else node

        return substitute_and_simplify(self._expand_derived_quantities(tree), replace_leaf)

    def _get_dimension(self, name: str) -> Dimension:
        tree = self.world.quantities[name].tree
        return tree.dimension if isinstance(tree, ex.Number) else PLAIN

    def _expand_derived_quantities(self, tree: Expression) -> Expression:
        if tree not in self._expanded:
            self._expanded[tree] = self.world.expand_derived_quantities(tree)
        return self._expanded[tree]

    def _pass_time(self, path: SymbolicPath, duration: Expression) -> SymbolicPath:
        """Return the path after a duration: constant rates exactly, other rates within their bounds."""
        if isinstance(duration, ex.Number) and duration.value == 0:
            return path
        state = dict(path.state)
        for name, rate in self.world.rates.items():
            quantity = self.world.quantities[name]
            low, high = quantity.low or 0.0, quantity.high or 0.0
            pace = (
                self._substitute_path_state(rate, path)
                if self._exact_rates
                else self._create_free_rate(name, rate, path)
            )
            moved = _build_sum(path.state[name], ex.Arithmetic("*", pace, duration))
            state[name] = ex.FunctionCall(
                "min", (ex.FunctionCall("max", (moved, ex.Number(low))), ex.Number(high))
            )
        return replace(
            path,
            state=self._replace_large_expressions(state, path.passes),
            time=_build_sum(path.time, duration),
            passes=path.passes + 1,
        )

    def _create_free_rate(self, name: str, rate: Expression, path: SymbolicPath) -> Expression:
        """Return a free rate between the extremes that it can reach while states change in their bounds."""
        changing_names = self.world.rates.keys() | self._changed_unattended
        box = dict(self.box)
        for other in sorted(changing_names):
            quantity = self.world.quantities.get(other)
            if quantity is not None and quantity.low is not None and quantity.high is not None:
                box[other] = (quantity.low, quantity.high)
            else:
                box.pop(other, None)
        constant_state = {other: tree for other, tree in path.state.items() if other not in changing_names}
        tree = self._substitute_path_state(rate, replace(path, state=constant_state), box)
        low, high = IntervalEvaluator(box).compute_interval(tree)
        return self._create_free_name(
            f"pace of {name}, stretch {path.passes}, {low:.6g} to {high:.6g}",
            max(low, -FASTEST),
            min(high, FASTEST),
        )

    def _apply_move_effects(self, path: SymbolicPath, move: Move) -> SymbolicPath | None:
        """Return the path after the effects of a move, or None if they leave bounds or cause a danger."""
        state = dict(path.state)
        obligations = list(path.obligations)
        for change in move.changes:
            value = self._substitute_path_state(change.tree, path)
            if (
                change.low is not None
                and change.high is not None
                and not isinstance(value, ex.Truth | ex.Text)
            ):
                inside = ex.Conjunction(
                    (
                        ex.Comparison(">=", value, ex.Number(change.low)),
                        ex.Comparison("<=", value, ex.Number(change.high)),
                    )
                )
                if not self._check_condition_or_add_obligation(
                    f"{move.verb}.{change.name}", inside, obligations
                ):
                    return None
            state[change.name] = value
        path = replace(
            path, state=self._replace_large_expressions(state, path.passes), obligations=tuple(obligations)
        )
        return self._add_danger_obligations(path)

    def _add_danger_obligations(self, path: SymbolicPath) -> SymbolicPath | None:
        """Return the path with the obligation to avoid each danger, or None if a danger is certain."""
        obligations = list(path.obligations)
        for never in self.world.never_rules:
            if never.name in self.lifted or not self._does_condition_count(never.name):
                continue
            tree = self._substitute_path_state(never.tree, path)
            harmless: Expression = (
                ex.Truth(not tree.value) if isinstance(tree, ex.Truth) else ex.Negation(tree)
            )
            if not self._check_condition_or_add_obligation(never.name, harmless, obligations):
                return None
        return replace(path, obligations=tuple(obligations))

    def _replace_large_expressions(self, state: dict[str, Expression], stretch: int) -> dict[str, Expression]:
        """Replace expressions that are too large by free names within the bounds of their values."""
        for name, tree in state.items():
            if sum(1 for _ in ex.walk_nodes(tree)) > LARGEST_TREE:
                low, high = self.intervals.compute_interval(tree)
                state[name] = self._create_free_name(
                    f"value of {name}, stretch {stretch}, {low:.9g} to {high:.9g}",
                    max(low, -FASTEST),
                    min(high, FASTEST),
                )
        return state

    def _create_free_name(self, name: str, low: float, high: float) -> ex.Name:
        self.box[name] = (low, high)
        self.free_names.setdefault(name)
        return ex.Name(name)


def list_library_conditions(world: World) -> frozenset[str]:
    """Return the names of the conditions and dangers that come from the library."""
    names = {
        f"{action.verb}.{name}"
        for action in world.actions.values()
        if not action.own
        for name in (*(slot.name for slot in action.slots), *(condition.name for condition in action.when))
    }
    return frozenset(
        names | {never.name for never in world.never_rules if never.name in world.library.never_names}
    )


def _build_maximum(one: Expression, other: Expression) -> Expression:
    return substitute_and_simplify(ex.FunctionCall("max", (one, other)), lambda node: node)


def _build_sum(left: Expression, right: Expression) -> Expression:
    return substitute_and_simplify(ex.Arithmetic("+", left, right), lambda node: node)
