"""Minimal plans: all essentially different smallest sets of calls that reach the goal.

Two plans are equivalent if they make the same calls in another order, differ only in logistics moves, swap
indistinguishable things, or express the same action by the verb of the record and that of the library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.moves import Move
from impossible_moments.mechanics.quantities import Kind
from impossible_moments.mechanics.search import Bounds, Searcher, Situation
from impossible_moments.mechanics.world import World

MOST_WAYS: Final = 12
MOST_SEARCHES: Final = 80


@dataclass(frozen=True, slots=True, order=True)
class Deed:
    """The action of a call in a form that is the same for equivalent calls.

    `of` names the library verb or mechanism that the action is a special case of.
    """

    verb: str
    things: tuple[str, ...]
    of: str
    own: bool

    def is_same(self, other: Deed) -> bool:
        """Return whether two actions are equivalent, with the same verb or those of record and library."""
        if self.verb == other.verb:
            return self.things == other.things
        one_word = self.own is not other.own and bool(self.of) and self.of == other.of
        return one_word and sorted(self.things) == sorted(other.things)


Signature: TypeAlias = frozenset[Deed]


@dataclass(frozen=True, slots=True)
class Way:
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
            if not move.logistics and move.verb not in _NO_DEED
        )


_NO_DEED: Final = frozenset({"wait", "wait_until"})


@dataclass(frozen=True, slots=True)
class AllWays:
    """The minimal plans found. `exhausted` is true if there are no others."""

    ways: tuple[Way, ...]
    exhausted: bool


def covers(one: Signature, other: Signature) -> bool:
    """Return whether two plans are equivalent: the actions of one signature are all in the other."""
    return _within(one, other) or _within(other, one)


def _within(one: Signature, other: Signature) -> bool:
    return all(any(deed.is_same(each) for each in other) for deed in one)


class WayFinder:
    """Search for all minimal plans of a world."""

    def __init__(self, searcher: Searcher) -> None:
        self.searcher = searcher
        self.world: World = searcher.executor.engine.world

    def all(self, bounds: Bounds, situation: Situation | None = None) -> AllWays:
        """Find all minimal plans: find one, then search again with each of its calls forbidden in turn."""
        situation = situation or Situation()
        found: dict[Signature, Way] = {}
        open_sets: list[frozenset[str]] = [situation.forbidden]
        seen = {situation.forbidden}
        searches = 0
        while open_sets and len(found) < MOST_WAYS and searches < MOST_SEARCHES and bounds.exhausted:
            forbidden = open_sets.pop(0)
            searches += 1
            plan = self.searcher.plan(
                bounds, Situation(situation.changes, situation.lifted, forbidden, situation.without_things)
            )
            if plan is None:
                continue
            way = self.way(plan)
            if not any(covers(other.signature, way.signature) for other in found.values()):
                found[way.signature] = way
            for call in sorted(self._forbiddable(plan)):
                wider = forbidden | self._same_call(call)
                if wider not in seen:
                    seen.add(wider)
                    open_sets.append(wider)
        return AllWays(tuple(found.values()), bounds.exhausted and not open_sets)

    def way(self, plan: tuple[Move, ...]) -> Way:
        """Return the minimal plan with the signature of the given moves."""
        deeds = {self._deed(move) for move in plan if not move.logistics and move.verb not in _NO_DEED}
        return Way(plan, frozenset(deeds))

    def independent(self, one: Way, other: Way) -> bool:
        """Return whether two plans share no action and no object or substance that they do not change."""
        movable = {
            name
            for name, thing in self.world.things.items()
            if thing.kind in {"object", "substance"} and thing.own
        }
        return not (one.verbs & other.verbs) and not (
            one.things & other.things & movable & self._told_apart(one, other)
        )

    def _told_apart(self, one: Way, other: Way) -> frozenset[str]:
        """Return the things of both plans that no call changes.

        Changed things belong to the goal and may be shared.
        """
        changed = {
            change.name.split(".")[0] for way in (one, other) for move in way.plan for change in move.changes
        }
        return (one.things | other.things) - changed

    def _forbiddable(self, plan: tuple[Move, ...]) -> set[str]:
        return {move.text for move in plan if not move.logistics and move.verb not in _NO_DEED}

    def _same_call(self, call: str) -> frozenset[str]:
        """Return a call and all equivalent calls, with other verbs or indistinguishable things."""
        move = next((each for each in self.searcher.moves if each.text == call), None)
        if move is None:
            return frozenset({call})
        deed = self._deed(move)
        return frozenset(
            {each.text for each in self.searcher.moves if self._deed(each).is_same(deed)} | {call}
        )

    def _deed(self, move: Move) -> Deed:
        if move.verb == "choose":
            return Deed("choose", tuple(sorted(change.name for change in move.changes)), "", own=True)
        if move.verb == "answer":
            return Deed("answer", move.arguments[:1], "", own=True)
        return Deed(
            self.verb_twins.get(move.verb, move.verb),
            tuple(self.twins.get(name, name) for name in move.arguments),
            move.of or "",
            move.own,
        )

    @cached_property
    def verb_twins(self) -> Mapping[str, str]:
        """The representative of each own verb: the first verb that differs from it only by name."""
        first: dict[object, str] = {}
        standing: dict[str, str] = {}
        for verb, action in self.world.actions.items():
            if action.own:
                takes = self.world.quantities.get(f"{verb}.takes")
                looks = (
                    action.slots,
                    action.when,
                    action.then,
                    takes.tree if takes is not None else action.takes,
                    action.unattended,
                )
                standing[verb] = first.setdefault(looks, verb)
        return standing

    @cached_property
    def twins(self) -> Mapping[str, str]:
        """The representative of each thing: the first thing with the same kind and properties.

        Things that a rule names are left out.
        """
        named = self._named_somewhere()
        first: dict[object, str] = {}
        standing: dict[str, str] = {}
        for name, thing in self.world.things.items():
            if name in named:
                continue
            looks = (
                thing.kind,
                tuple(
                    sorted(
                        (path.split(".")[1], quantity.tree)
                        for path, quantity in self.world.quantities.items()
                        if path.startswith(f"{name}.")
                    )
                ).__repr__(),
            )
            standing[name] = first.setdefault(looks, name)
        return standing

    def _named_somewhere(self) -> frozenset[str]:
        """Return the things that a rule refers to by name, which are therefore not interchangeable."""
        trees = [self.world.goal, *self.world.rates.values(), *(never.tree for never in self.world.nevers)]
        trees += [
            quantity.tree for quantity in self.world.quantities.values() if quantity.kind is Kind.DERIVED
        ]
        names = {node.thing for tree in trees for node in ex.walk(tree) if isinstance(node, ex.Property)}
        for action in self.world.actions.values():
            slots = {slot.name for slot in action.slots}
            trees = [condition.tree for condition in action.when] + [action.takes]
            trees += [tree for effect in action.then for tree in (effect.target, effect.tree)]
            names |= {
                node.thing for tree in trees for node in ex.walk(tree) if isinstance(node, ex.Property)
            } - slots
            names |= {slot.type for slot in action.slots}
        return frozenset(names)
