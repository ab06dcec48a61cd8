"""Ways: all essentially different plans, as smallest sets of calls that reach the goal.

Two plans are one way if they make the same calls in another order, differ in going and fetching, swap
things that nothing tells apart, or say the same deed by the record's verb and by the library's.
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
    """What a call does, however it is written: a library verb and the record's special case of it are one deed."""

    verb: str
    things: tuple[str, ...]
    of: str
    own: bool

    def is_same(self, other: Deed) -> bool:
        """Whether two deeds are one: the same verb, or the library's and the record's word for it."""
        if self.verb == other.verb:
            return self.things == other.things
        one_word = self.own is not other.own and bool(self.of) and self.of == other.of
        return one_word and sorted(self.things) == sorted(other.things)


Signature: TypeAlias = frozenset[Deed]


@dataclass(frozen=True, slots=True)
class Way:
    """A smallest plan and what identifies it."""

    plan: tuple[Move, ...]
    signature: Signature

    @property
    def calls(self) -> tuple[str, ...]:
        """The plan as it is written."""
        return tuple(move.text for move in self.plan)

    @property
    def things(self) -> frozenset[str]:
        """The things it uses."""
        return frozenset(argument for move in self.plan for argument in move.arguments)

    @property
    def verbs(self) -> frozenset[str]:
        """The verbs it uses, waiting and fetching aside."""
        return frozenset(
            f"answer {move.arguments[0]}" if move.verb == "answer" else move.verb
            for move in self.plan
            if not move.logistics and move.verb not in _NO_DEED
        )


_NO_DEED: Final = frozenset({"wait", "wait_until"})


@dataclass(frozen=True, slots=True)
class AllWays:
    """The ways found, and whether there can be no more."""

    ways: tuple[Way, ...]
    exhausted: bool


def covers(one: Signature, other: Signature) -> bool:
    """Whether two ways are one: the deeds of either are among the other's, which only spells it out further."""
    return _within(one, other) or _within(other, one)


def _within(one: Signature, other: Signature) -> bool:
    return all(any(deed.is_same(each) for each in other) for deed in one)


class WayFinder:
    """Finds all ways of a world."""

    def __init__(self, searcher: Searcher) -> None:
        self.searcher = searcher
        self.world: World = searcher.executor.engine.world

    def all(self, bounds: Bounds, situation: Situation | None = None) -> AllWays:
        """Every way: find one, then search again with each of its calls forbidden in turn."""
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
        """The way that a plan takes."""
        deeds = {self._deed(move) for move in plan if not move.logistics and move.verb not in _NO_DEED}
        return Way(plan, frozenset(deeds))

    def independent(self, one: Way, other: Way) -> bool:
        """Whether neither way rests on an action, object or substance of the other."""
        movable = {
            name
            for name, thing in self.world.things.items()
            if thing.kind in {"object", "substance"} and thing.own
        }
        return not (one.verbs & other.verbs) and not (
            one.things & other.things & movable & self._told_apart(one, other)
        )

    def _told_apart(self, one: Way, other: Way) -> frozenset[str]:
        """Things that matter: those a call changes are what the goal is about, and shared by nature."""
        changed = {
            change.name.split(".")[0] for way in (one, other) for move in way.plan for change in move.changes
        }
        return (one.things | other.things) - changed

    def _forbiddable(self, plan: tuple[Move, ...]) -> set[str]:
        return {move.text for move in plan if not move.logistics and move.verb not in _NO_DEED}

    def _same_call(self, call: str) -> frozenset[str]:
        """A call with all its twins: the same deed by another word, or with a thing that nothing tells apart."""
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
        """For each own verb one that stands for all that are the same but for their names."""
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
        """For each thing that others cannot be told from, one that stands for them all."""
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
        """Things that a rule calls by name, so that they are not like others."""
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
