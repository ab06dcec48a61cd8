"""An uncertain world, compiled: hidden states with integer weights, visible states as tuples, and branches of acts.

A belief is a tuple of integers, one for each hidden state. It is not normalised, so that all arithmetic is exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import gcd, lcm, prod
from operator import add, mul

from impossible_moments.mechanics.uncertain.record_checks import list_allowed_values, resolve_chances
from impossible_moments.mechanics.uncertain.record_forms import (
    ActForm,
    CaseForm,
    Condition,
    Ending,
    ResultForm,
    UncertainRecord,
    Value,
)

Visible = tuple[int, ...]
"""Time left, then stocks, marks and the remaining uses of limited acts."""
Weights = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """One observable result of an act, with its weight under each hidden state."""

    see: str
    ends: Ending | None
    sets: tuple[tuple[int, int], ...]
    """Places of visible values, and what they become."""
    delay: int
    factors: Weights
    """Probability under each hidden state, as numerators over the denominator of the act."""


@dataclass(frozen=True, slots=True)
class BeliefNode:
    """A visible state and the belief about the hidden one, reduced to lowest terms."""

    visible: Visible
    weights: Weights


@dataclass(frozen=True, slots=True)
class Successor:
    """What may follow an act: the observation, and the next node unless the episode is over."""

    see: str
    ends: Ending | None
    node: BeliefNode
    scale: int
    """The factor by which the weights of the node were reduced."""

    @property
    def mass(self) -> int:
        """The weight of this successor before reduction."""
        return self.scale * sum(self.node.weights)


@dataclass
class UncertainWorld:
    """The compiled form of a record."""

    record: UncertainRecord
    _branches: dict[tuple[str, tuple[int, ...]], tuple[Branch, ...]] = field(
        default_factory=dict, init=False, repr=False
    )

    @cached_property
    def hidden_states(self) -> tuple[Mapping[str, str], ...]:
        """All combinations of hidden values."""
        names = list(self.record.hidden)
        domains = [list(each.values) for each in self.record.hidden.values()]
        return tuple(dict(zip(names, values, strict=True)) for values in product(*domains))

    @cached_property
    def prior(self) -> tuple[Fraction, ...]:
        """The probability of each hidden state."""
        chances = {
            name: dict(
                zip(
                    each.values,
                    resolve_chances([value.chance for value in each.values.values()]),
                    strict=True,
                )
            )
            for name, each in self.record.hidden.items()
        }
        return tuple(
            prod((chances[name][value] for name, value in state.items()), start=Fraction(1))
            for state in self.hidden_states
        )

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The place of each stock, mark and limited act in a visible state. The clock has place 0."""
        limited = [f"@{code}" for code, act in self.record.acts.items() if act.at_most is not None]
        return {
            name: place for place, name in enumerate([*self.record.stocks, *self.record.marks, *limited], 1)
        }

    @cached_property
    def start(self) -> BeliefNode:
        """The node at which an episode begins."""
        record = self.record
        visible = (
            record.clock.amount,
            *(each.amount for each in record.stocks.values()),
            *(int(each.start) for each in record.marks.values()),
            *(act.at_most for act in record.acts.values() if act.at_most is not None),
        )
        common = lcm(*(each.denominator for each in self.prior))
        return reduce_node(visible, tuple(int(each * common) for each in self.prior))[0]

    @cached_property
    def denominators(self) -> Mapping[str, int]:
        """The common denominator of all probabilities of each act."""
        return {
            code: lcm(
                *(
                    chance.denominator
                    for case in act.cases
                    for chance in resolve_chances([each.chance for each in case.results])
                )
            )
            for code, act in self.record.acts.items()
        }

    def list_legal_acts(self, visible: Visible) -> tuple[str, ...]:
        """Return the acts that can be begun, in the order of the record."""
        return tuple(code for code in self.record.acts if self.find_obstacle(code, visible) is None)

    def find_obstacle(self, code: str, visible: Visible) -> str | None:
        """Return why an act cannot be begun, in words, or None if it can."""
        act, record = self.record.acts[code], self.record
        if act.takes > visible[0]:
            return f"it takes {act.takes} {record.clock.unit} and {visible[0]} are left"
        if act.at_most is not None and visible[self.places[f"@{code}"]] < 1:
            return "it cannot be done again"
        for stock, amount in act.uses.items():
            if visible[self.places[stock]] < amount:
                return f"it needs {amount} of {record.stocks[stock].label}, and {visible[self.places[stock]]} are left"
        for name, value in act.needs.items():
            if not self.is_allowed(name, value, visible):
                return f"it needs that {self.describe_condition(name, value)}"
        return None

    def is_allowed(self, name: str, value: Value | list[Value], visible: Visible) -> bool:
        """Return whether a mark or stock has one of the allowed values."""
        return visible[self.places[name]] in {int(each) for each in list_allowed_values(value)}

    def describe_condition(self, name: str, value: Value | list[Value]) -> str:
        """Return a condition on one name in words."""
        record, values = self.record, list_allowed_values(value)
        if name in record.marks:
            return record.marks[name].yes if values[0] else record.marks[name].no
        if name in record.stocks:
            return f"{record.stocks[name].label}: {' or '.join(map(str, values))} left"
        labels = record.hidden[name].values
        return "; or ".join(labels[str(each)].label for each in values)

    def list_branches(self, code: str, visible: Visible) -> tuple[Branch, ...]:
        """Return the results of an act in a visible state."""
        relevant = tuple(visible[place] for place in self._relevant_places[code])
        found = self._branches.get((code, relevant))
        if found is None:
            found = self._branches[code, relevant] = self._build_branches(code, visible)
        return found

    @cached_property
    def _relevant_places(self) -> Mapping[str, tuple[int, ...]]:
        """The visible values on which the cases of each act depend."""
        return {
            code: tuple(
                sorted({self.places[name] for case in act.cases for name in case.when if name in self.places})
            )
            for code, act in self.record.acts.items()
        }

    def _build_branches(self, code: str, visible: Visible) -> tuple[Branch, ...]:
        act, denominator = self.record.acts[code], self.denominators[code]
        factors: dict[tuple[str, Ending | None, tuple[tuple[int, int], ...], int], list[int]] = {}
        for place, state in enumerate(self.hidden_states):
            case = self.find_case(act, state, visible)
            chances = resolve_chances([each.chance for each in case.results])
            for result, chance in zip(case.results, chances, strict=True):
                key = (result.see, result.ends, self._list_changes(act, result), result.delay)
                row = factors.setdefault(key, [0] * len(self.hidden_states))
                row[place] += int(chance * denominator)
        return tuple(Branch(*key, tuple(row)) for key, row in factors.items() if any(row))

    def _list_changes(self, act: ActForm, result: ResultForm) -> tuple[tuple[int, int], ...]:
        return tuple(
            sorted((self.places[name], int(value)) for name, value in {**act.sets, **result.sets}.items())
        )

    def find_case(self, act: ActForm, state: Mapping[str, str], visible: Visible) -> CaseForm:
        """Return the first case of an act that fits. The record was checked, so there is one."""
        return next(case for case in act.cases if self._fits(case.when, state, visible))

    def _fits(self, when: Condition, state: Mapping[str, str], visible: Visible) -> bool:
        return all(
            state[name] in list_allowed_values(value)
            if name in state
            else self.is_allowed(name, value, visible)
            for name, value in when.items()
        )

    def advance_visible(self, code: str, branch: Branch, visible: Visible) -> Visible:
        """Return the visible state after a result of an act."""
        act, values = self.record.acts[code], list(visible)
        values[0] = max(visible[0] - act.takes - branch.delay, 0)
        for stock, amount in act.uses.items():
            values[self.places[stock]] -= amount
        if act.at_most is not None:
            values[self.places[f"@{code}"]] -= 1
        for place, value in branch.sets:
            values[place] = value
        return tuple(values)

    def list_successors(self, code: str, node: BeliefNode) -> list[Successor]:
        """Return what may follow an act that can be begun. Results that the belief excludes are left out.

        Results that look the same and leave the same visible state are one successor: a player cannot tell them apart.
        """
        found: dict[tuple[str, Ending | None, Visible], Weights] = {}
        for branch in self.list_branches(code, node.visible):
            weights = tuple(map(mul, node.weights, branch.factors))
            if any(weights):
                key = (branch.see, branch.ends, self.advance_visible(code, branch, node.visible))
                found[key] = tuple(map(add, found[key], weights)) if key in found else weights
        successors = []
        for (see, ends, visible), weights in found.items():
            after, scale = reduce_node(visible, weights)
            successors.append(Successor(see, ends, after, scale))
        return successors

    def describe_state(self, state: Mapping[str, str]) -> str:
        """Return a hidden state in words."""
        return "; ".join(self.record.hidden[name].values[value].label for name, value in state.items())


def reduce_node(visible: Visible, weights: Sequence[int]) -> tuple[BeliefNode, int]:
    """Return the node with its weights in lowest terms, and the factor that was taken out."""
    scale = gcd(*weights)
    return BeliefNode(visible, tuple(weight // scale for weight in weights)), scale
