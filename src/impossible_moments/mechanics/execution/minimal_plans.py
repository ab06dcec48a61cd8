"""Minimal plans: all essentially different smallest sets of calls that reach the goal.

Two plans are equivalent if they make the same calls equally often in another order, differ only in logistics moves, swap
indistinguishable things, or express the same action by the verb of the record and that of the library.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, TypeAlias

from impossible_moments.mechanics.execution.moves import Move
from impossible_moments.mechanics.execution.plan_search import PlanSearcher
from impossible_moments.mechanics.execution.search_limits import SearchBounds, SearchSituation
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records.quantities import QuantityKind
from impossible_moments.mechanics.world.world_model import World

MOST_WAYS: Final = 12
MOST_SEARCHES: Final = 80


@dataclass(frozen=True, slots=True, order=True)
class CanonicalAction:
    """The action of a call in a form that is the same for equivalent calls.

    `of` names the library verb or mechanism that the action is a special case of. `occurrence` is 2 for the second
    time that a plan makes the same call, and so on.
    """

    verb: str
    things: tuple[str, ...]
    of: str
    own: bool
    occurrence: int = 1

    def is_same_action(self, other: CanonicalAction) -> bool:
        """Return whether two actions are equivalent, with the same verb or those of record and library."""
        if self.occurrence != other.occurrence:
            return False
        if self.verb == other.verb:
            return self.things == other.things
        one_word = self.own is not other.own and bool(self.of) and self.of == other.of
        return one_word and sorted(self.things) == sorted(other.things)


Signature: TypeAlias = frozenset[CanonicalAction]


@dataclass(frozen=True, slots=True)
class MinimalPlan:
    """A plan without unneeded calls, and the signature that identifies it."""

    plan: tuple[Move, ...]
    signature: Signature

    @property
    def calls(self) -> tuple[str, ...]:
        """The calls of the plan as text."""
        return tuple(move.text for move in self.plan)

    @property
    def things(self) -> frozenset[str]:
        """The arguments of all calls."""
        return frozenset(argument for move in self.plan for argument in move.arguments)

    @property
    def verbs(self) -> frozenset[str]:
        """The verbs of all calls except waits and logistics."""
        return frozenset(
            f"answer {move.arguments[0]}" if move.verb == "answer" else move.verb
            for move in self.plan
            if not move.logistics and move.verb not in _WAITING_VERBS
        )


_WAITING_VERBS: Final = frozenset({"wait", "wait_until"})


@dataclass(frozen=True, slots=True)
class MinimalPlanSet:
    """The minimal plans found. `exhausted` is true if there are no others."""

    ways: tuple[MinimalPlan, ...]
    exhausted: bool


def are_equivalent_signatures(first: Signature, second: Signature) -> bool:
    """Return whether two plans are equivalent: the actions of one signature are all in the other."""
    return _is_contained_in_signature(first, second) or _is_contained_in_signature(second, first)


def _is_contained_in_signature(first: Signature, second: Signature) -> bool:
    return all(any(deed.is_same_action(each) for each in second) for deed in first)


class MinimalPlanFinder:
    """Search for all minimal plans of a world."""

    def __init__(self, searcher: PlanSearcher) -> None:
        self.searcher = searcher
        self.world: World = searcher.executor.engine.world

    def find_all_minimal_plans(
        self, bounds: SearchBounds, situation: SearchSituation | None = None
    ) -> MinimalPlanSet:
        """Find all minimal plans: find one, then search again with each of its calls forbidden in turn."""
        situation = situation or SearchSituation()
        if self.searcher.graph is not None:
            plans = self.searcher.graph.list_smallest_plans(bounds, situation)
            return MinimalPlanSet(self._distinguish_plans(plans), bounds.exhausted)
        found: dict[Signature, MinimalPlan] = {}
        open_sets: list[frozenset[str]] = [situation.forbidden]
        seen = {situation.forbidden}
        searches = 0
        while open_sets and len(found) < MOST_WAYS and searches < MOST_SEARCHES and bounds.exhausted:
            forbidden = open_sets.pop(0)
            searches += 1
            plan = self.searcher.find_plan(
                bounds,
                SearchSituation(situation.changes, situation.lifted, forbidden, situation.without_things),
            )
            if plan is None:
                continue
            minimal_plan = self.create_minimal_plan(plan)
            if not any(
                are_equivalent_signatures(other.signature, minimal_plan.signature) for other in found.values()
            ):
                found[minimal_plan.signature] = minimal_plan
            for call in sorted(self._list_forbiddable_calls(plan)):
                wider = forbidden | self._find_equivalent_calls(call)
                if wider not in seen:
                    seen.add(wider)
                    open_sets.append(wider)
        return MinimalPlanSet(tuple(found.values()), bounds.exhausted and not open_sets)

    def create_minimal_plan(self, plan: tuple[Move, ...]) -> MinimalPlan:
        """Return the minimal plan with the signature of the given moves."""
        actions = Counter(
            self._build_canonical_action(move)
            for move in plan
            if not move.logistics and move.verb not in _WAITING_VERBS
        )
        numbered = {
            replace(action, occurrence=number)
            for action, count in actions.items()
            for number in range(1, count + 1)
        }
        return MinimalPlan(plan, frozenset(numbered))

    def _distinguish_plans(self, plans: tuple[tuple[Move, ...], ...]) -> tuple[MinimalPlan, ...]:
        """Return one minimal plan of each group of equivalent ones."""
        found: list[MinimalPlan] = []
        for plan in plans:
            minimal_plan = self.create_minimal_plan(plan)
            if not any(are_equivalent_signatures(each.signature, minimal_plan.signature) for each in found):
                found.append(minimal_plan)
        return tuple(found[:MOST_WAYS])

    def are_plans_independent(self, first: MinimalPlan, second: MinimalPlan) -> bool:
        """Return whether two plans share no action and no object or substance that they do not change."""
        movable = {
            name
            for name, thing in self.world.things.items()
            if thing.kind in {"object", "substance"} and thing.own
        }
        return not (first.verbs & second.verbs) and not (
            first.things & second.things & movable & self._select_unchanged_things(first, second)
        )

    def _select_unchanged_things(self, first: MinimalPlan, second: MinimalPlan) -> frozenset[str]:
        """Return the things of both plans that no call changes.

        Changed things belong to the goal and may be shared.
        """
        changed = {
            change.name.split(".")[0]
            for way in (first, second)
            for move in way.plan
            for change in move.changes
        }
        return (first.things | second.things) - changed

    def _list_forbiddable_calls(self, plan: tuple[Move, ...]) -> set[str]:
        return {move.text for move in plan if not move.logistics and move.verb not in _WAITING_VERBS}

    def _find_equivalent_calls(self, call: str) -> frozenset[str]:
        """Return a call and all equivalent calls, with other verbs or indistinguishable things."""
        move = next((each for each in self.searcher.moves if each.text == call), None)
        if move is None:
            return frozenset({call})
        action = self._build_canonical_action(move)
        return frozenset(
            {
                each.text
                for each in self.searcher.moves
                if self._build_canonical_action(each).is_same_action(action)
            }
            | {call}
        )

    def _build_canonical_action(self, move: Move) -> CanonicalAction:
        if move.verb == "choose":
            return CanonicalAction(
                "choose", tuple(sorted(change.name for change in move.changes)), "", own=True
            )
        if move.verb == "answer":
            return CanonicalAction("answer", move.arguments[:1], "", own=True)
        return CanonicalAction(
            self.verb_representatives.get(move.verb, move.verb),
            tuple(self.thing_representatives.get(name, name) for name in move.arguments),
            move.of or "",
            move.own,
        )

    @cached_property
    def verb_representatives(self) -> Mapping[str, str]:
        """The representative of each own verb: the first verb that differs from it only by name."""
        first: dict[object, str] = {}
        representatives: dict[str, str] = {}
        for verb, action in self.world.actions.items():
            if action.own:
                duration = self.world.quantities.get(f"{verb}.takes")
                appearance = (
                    action.slots,
                    action.when,
                    action.then,
                    duration.tree if duration is not None else action.takes,
                    action.unattended,
                )
                representatives[verb] = first.setdefault(appearance, verb)
        return representatives

    @cached_property
    def thing_representatives(self) -> Mapping[str, str]:
        """The representative of each thing: the first thing with the same kind and properties.

        Things that a rule names are left out.
        """
        named = self._find_things_named_in_rules()
        first: dict[object, str] = {}
        representatives: dict[str, str] = {}
        for name, thing in self.world.things.items():
            if name in named:
                continue
            appearance = (
                thing.kind,
                tuple(
                    sorted(
                        (path.split(".")[1], quantity.tree)
                        for path, quantity in self.world.quantities.items()
                        if path.startswith(f"{name}.")
                    )
                ).__repr__(),
            )
            representatives[name] = first.setdefault(appearance, name)
        return representatives

    def _find_things_named_in_rules(self) -> frozenset[str]:
        """Return the things that a rule refers to by name, which are therefore not interchangeable."""
        trees = [
            self.world.goal,
            *self.world.rates.values(),
            *(never.tree for never in self.world.never_rules),
        ]
        trees += [
            quantity.tree
            for quantity in self.world.quantities.values()
            if quantity.kind is QuantityKind.DERIVED
        ]
        names = {
            node.thing for tree in trees for node in ex.walk_nodes(tree) if isinstance(node, ex.Property)
        }
        for action in self.world.actions.values():
            slots = {slot.name for slot in action.slots}
            trees = [condition.tree for condition in action.when] + [action.takes]
            trees += [tree for effect in action.then for tree in (effect.target, effect.tree)]
            names |= {
                node.thing for tree in trees for node in ex.walk_nodes(tree) if isinstance(node, ex.Property)
            } - slots
            names |= {slot.type for slot in action.slots}
        return frozenset(names)
