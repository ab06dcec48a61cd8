"""The solution that a record states: its answering approaches, its traps, and what their steps read.

Nothing is verified here. A plan is written down step by step with its stated durations and effects, whether or
not the conditions of its steps hold. What an approach ends in is what the record says it ends in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from impossible_moments.mechanics.checks import RecordDesign
from impossible_moments.mechanics.execution import Move, MoveCondition
from impossible_moments.mechanics.language import UNDEFINED, Expression, Unit, Value, parse_unit
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import QuantityKind
from impossible_moments.mechanics.world import NeverRule

GOAL: Final = "goal"
LATE: Final = "late"
_BLOCKED: Final = "blocked "
_NEVER: Final = "never "
_WRITTEN_UNIT: Final = re.compile(r"\[([^\]]+)\]")


@dataclass(frozen=True, slots=True)
class DeclaredStep:
    """A step of a stated plan, with the values before it and its stated duration."""

    number: int
    """Counted from 1."""
    move: Move
    values: list[Value]
    seconds: float | None
    """None if the duration is not stated, as in waiting for a condition."""
    effects: Mapping[str, Expression] = field(default_factory=dict)
    """What the earlier steps have set, each as an expression in values at the start."""
    values_after: list[Value] = field(default_factory=list)
    effects_after: Mapping[str, Expression] = field(default_factory=dict)
    """What this step and the earlier ones have set."""


@dataclass(frozen=True, slots=True)
class DeclaredStop:
    """The condition at which the record says that an approach fails."""

    step: DeclaredStep
    name: str
    tree: Expression
    margin: float | None
    """How far the condition is from holding, as a share. Negative where it fails, None if it has no measure."""


class DeclaredDesign:
    """What a record states about its solution and its wrong answers."""

    def __init__(self, design: RecordDesign) -> None:
        self.design = design
        self.world, self.engine, self.plans = design.world, design.engine, design.plans
        self.ends = {each.name: " ".join(each.ends.split()) for each in design.record.approaches}
        self.block: Mapping[str, Any] = design.record.status.model_dump()

    @property
    def status(self) -> str:
        """The claimed status with its subtype."""
        return str(self.block["claim"])

    @cached_property
    def answering(self) -> tuple[str, ...]:
        """The approaches that answer the scenario according to its status block."""
        named: list[Any] = []
        for key in ("ways", "at_low", "at_high", "outside", "plan"):
            value = self.block.get(key)
            named += value if isinstance(value, list) else [value]
        return tuple(dict.fromkeys(name for name in named if name in self.plans))

    @cached_property
    def traps(self) -> tuple[str, ...]:
        """The approaches that the record states as failing."""
        return tuple(
            name for name in self.plans if name not in self.answering and self.ends.get(name) != GOAL
        )

    @cached_property
    def deadline(self) -> float | None:
        """The stated deadline in seconds, or None."""
        if self.world.deadline is None:
            return None
        try:
            return float(self.engine.evaluate_expression(self.world.deadline))
        except UNDEFINED:
            return None

    def get_end_of_disputed_range(self, name: str) -> dict[str, Value]:
        """Return the disputed value at which an approach is stated to be the best, or nothing."""
        quantity = self.world.quantities.get(str(self.block.get("crux")))
        if quantity is None:
            return {}
        end = quantity.low if name == self.block.get("at_low") else quantity.high
        return {} if end is None else {quantity.name: end}

    def list_steps(self, name: str, changes: Mapping[str, Value] | None = None) -> tuple[DeclaredStep, ...]:
        """Return the steps of an approach as they are stated, optionally with changed numbers."""
        given = {**self.get_end_of_disputed_range(name), **(changes or {})}
        values = self.engine.build_start_values(given)
        steps: list[DeclaredStep] = []
        effects: dict[str, Expression] = {}
        for number, move in enumerate(self.plans[name], 1):
            before, effects_before = list(values), dict(effects)
            effects |= {
                change.name: self._restore_unit(change.name, self.replace_effects(change.tree, effects))
                for change in move.changes
            }
            for change in move.changes:
                try:
                    values[change.place] = change.compute(values)
                except UNDEFINED:
                    continue
            if move.changes:
                self.engine.recompute_derived_values(values)
            steps.append(
                DeclaredStep(
                    number,
                    move,
                    before,
                    _evaluate_duration(move, before),
                    effects_before,
                    list(values),
                    dict(effects),
                )
            )
        return tuple(steps)

    def replace_effects(self, tree: Expression, effects: Mapping[str, Expression]) -> Expression:
        """Return an expression with what earlier steps have set replaced by what they set it to.

        Of a conditional that is decided by that, only the branch that is taken is left.
        """
        if not effects.keys() & self.world.collect_stated_quantities(tree):
            return tree

        def replace_leaf(node: ex.Name | ex.Property) -> Expression:
            return effects.get(node.name if isinstance(node, ex.Name) else node.path, node)

        replaced = ex.replace_leaves(self.world.expand_derived_quantities(tree), replace_leaf)
        return ex.take_known_branches(replaced)

    def _restore_unit(self, name: str, tree: Expression) -> Expression:
        """Return the value of a choice with the unit of the quantity that is chosen."""
        quantity = self.world.quantities.get(name)
        if quantity is None or quantity.kind is not QuantityKind.DECISION or not isinstance(tree, ex.Number):
            return tree
        unit = quantity.display_unit or _read_unit(quantity.tree)
        if unit is None:
            return tree
        return ex.Number(tree.value, unit.dimension, f"{unit.from_si(tree.value):.10g}[{unit.text}]")

    def sum_stated_durations(self, name: str) -> float | None:
        """Return the sum of the stated durations of an approach, or None if a step states none."""
        seconds = [step.seconds for step in self.list_steps(name)]
        return None if not seconds or None in seconds else sum(each for each in seconds if each is not None)

    def estimate_time_left(self, name: str) -> float | None:
        """Return the share of the deadline that the stated durations leave, or None if nothing is timed."""
        total = self.sum_stated_durations(name)
        return None if not self.deadline or total is None else 1 - total / self.deadline

    def find_stop(self, name: str) -> DeclaredStop | None:
        """Return the condition that is stated to block an approach, or None if it ends otherwise."""
        end = self.ends.get(name, "")
        if not end.startswith(_BLOCKED):
            return None
        wanted = end.removeprefix(_BLOCKED)
        found = [
            (test, DeclaredStop(step, wanted, test.tree, self.measure_margin(test.tree, step.values)))
            for step in self.list_steps(name)
            for test in step.move.tests
            if test.name == wanted
        ]
        # a plan may make the same call several times, and the condition stops only one of them
        failing = [stop for test, stop in found if not _does_condition_hold(test, stop.step.values)]
        return next(iter([*failing, *(stop for _, stop in found)]), None)

    def find_broken_rule(self, name: str) -> NeverRule | None:
        """Return the rule that an approach is stated to break, or None if it ends otherwise."""
        end = self.ends.get(name, "")
        wanted = end.removeprefix(_NEVER) if end.startswith(_NEVER) else None
        return next((rule for rule in self.world.never_rules if rule.name == wanted), None)

    def measure_margin(self, tree: Expression, values: list[Value]) -> float | None:
        """Return the margin of a condition at the stated values, or None if it has no measure."""
        try:
            return self.engine.compile_condition_judge(tree)(values)[1]
        except UNDEFINED:
            return None

    def iterate_conditions(self, name: str) -> Iterator[tuple[DeclaredStep, str, Expression]]:
        """Yield the named conditions of each step of an approach."""
        for step in self.list_steps(name):
            for test in step.move.tests:
                yield step, test.name, test.tree

    def list_margins(self) -> tuple[float, ...]:
        """Return the margins of all measured conditions of the answering approaches, and of their time."""
        found = [
            self.measure_margin(tree, step.values)
            for name in self.answering
            for step, _, tree in self.iterate_conditions(name)
            if self.can_evaluate(tree)
        ]
        found += [self.estimate_time_left(name) for name in self.answering]
        return tuple(margin for margin in found if margin is not None)

    def can_evaluate(self, tree: Expression) -> bool:
        """Return whether the stated steps determine a condition: it reads nothing that a rate changes or a solver chooses."""
        read = self.world.collect_stated_quantities(tree)
        return not read & self.world.rates.keys() and not any(
            self.world.quantities[name].kind is QuantityKind.DECISION for name in sorted(read)
        )

    def collect_read_quantities(self, move: Move) -> frozenset[str]:
        """Return the stated quantities that a step reads: its conditions, duration and effects."""
        trees = [*(test.tree for test in move.tests), move.takes_tree, *(each.tree for each in move.changes)]
        return frozenset().union(*(self.world.collect_stated_quantities(tree) for tree in trees))

    def find_unneeded_things(self) -> tuple[str, ...]:
        """Return the objects and substances that no approach which reaches the goal names, reads or changes."""
        used: set[str] = set()
        reaching = [name for name in self.plans if name in self.answering or self.ends.get(name) == GOAL]
        for name in reaching:
            for move in self.plans[name]:
                paths = {*self.collect_read_quantities(move), *(change.name for change in move.changes)}
                used |= {*move.arguments, *(path.split(".")[0] for path in paths)}
                used |= self._find_code_items(move)
        return tuple(
            name
            for name, thing in self.world.things.items()
            if thing.own and thing.kind in {"object", "substance"} and name not in used
        )

    def _find_code_items(self, move: Move) -> set[str]:
        puzzles = [each for each in self.design.record.puzzles if each.name in move.arguments]
        return {item for each in puzzles for item in getattr(each, "items", ())}


def _read_unit(tree: Expression | None) -> Unit | None:
    """Return the unit of a number as its author wrote it, or None."""
    found = _WRITTEN_UNIT.search(tree.text) if isinstance(tree, ex.Number) else None
    return None if found is None else parse_unit(found[1])


def _does_condition_hold(test: MoveCondition, values: list[Value]) -> bool:
    try:
        return bool(test.holds(values))
    except UNDEFINED:
        return True


def _evaluate_duration(move: Move, values: list[Value]) -> float | None:
    """Return the stated duration of a step. Waiting for a condition states none."""
    if move.kind == "wait_until":
        return None
    if move.takes is None:
        return 0.0
    try:
        return float(move.takes(values))
    except UNDEFINED:
        return None
