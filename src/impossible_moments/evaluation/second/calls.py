"""Parsing of written calls into typed calls of a world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from impossible_moments.evaluation.second.state import UNBOUND, Bindings, Value, names_read, path_of
from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.dimensions import TIME
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.lines import LineError
from impossible_moments.mechanics.parsing import ExpressionError, parse
from impossible_moments.mechanics.plans import PlanError, PlannedCall, read_call, unquoted
from impossible_moments.mechanics.quantities import Kind, Quantity, read_value
from impossible_moments.mechanics.world import CONSTANTS, Action, Imposed, Slot, World

SHORTEST_QUOTE: Final = 8
"""Least number of characters of a premise that a challenge must quote."""


@dataclass(frozen=True)
class Deed:
    """A call of an action, with its slots filled."""

    action: Action
    bindings: Bindings
    text: str


@dataclass(frozen=True)
class Answer:
    """A call that answers a puzzle."""

    puzzle: str
    text: str


@dataclass(frozen=True)
class Choose:
    """A call that sets decisions."""

    values: tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class Wait:
    """A call that lets a time span pass."""

    span: Expression


@dataclass(frozen=True)
class WaitUntil:
    """A call that lets time pass until a condition holds."""

    condition: Expression


@dataclass(frozen=True)
class Challenge:
    """A call that challenges a premise."""

    quote: str


@dataclass(frozen=True)
class Said:
    """A call without effect on the world, such as a claim."""


Call: TypeAlias = Deed | Answer | Choose | Wait | WaitUntil | Challenge | Said


def read(world: World, text: str) -> Call:
    """Parse a written call of this world; raise `PlanError` if it is not valid here."""
    call = read_call(text)
    match call.verb, call.arguments:
        case "answer", (puzzle, *rest) if rest and puzzle in world.puzzles:
            return Answer(puzzle, unquoted(", ".join(rest)))
        case "choose", arguments if arguments:
            return Choose(tuple(_chosen(world, each) for each in arguments))
        case "wait", (span,):
            return Wait(_span(world, span))
        case "wait_until", (condition,):
            return WaitUntil(_condition(world, condition))
        case "challenge", (quote, *rest):
            return Challenge(unquoted(", ".join((quote, *rest))))
        case (("claim" | "impossible"), _):
            return Said()
        case verb, _ if verb in world.actions:
            return _deed(world, world.actions[verb], call)
    raise PlanError(
        f"`{text}` is not a call of this world: a call names an action, or a verb of the language with its arguments."
    )


def doubted(world: World, quote: str) -> frozenset[str]:
    """Return the premises that contain a quote, ignoring spacing and case; a short quote matches none."""
    words = " ".join(quote.split()).casefold()
    return frozenset(
        never.name
        for never in world.nevers
        if never.by is Imposed.PREMISE
        and len(words) >= SHORTEST_QUOTE
        and words in " ".join(never.evidence.split()).casefold()
    )


def could_stand(world: World, slot: Slot, argument: str) -> bool:
    """Check whether a thing has the type of a slot; the test of a role is not evaluated."""
    thing = world.things.get(argument)
    if thing is None:
        return False
    return slot.type in world.roles or slot.type in {"thing", thing.kind, thing.name}


def _deed(world: World, action: Action, call: PlannedCall) -> Deed:
    if len(call.arguments) != len(action.slots):
        raise PlanError(
            f"`{call}` has {len(call.arguments)} arguments, and {action.signature} takes {len(action.slots)}."
        )
    bindings = {
        slot.name: _argument(world, slot, argument, call)
        for slot, argument in zip(action.slots, call.arguments, strict=True)
    }
    if _misfits(world, action, bindings):
        return Deed(action, bindings, str(call))
    for effect in action.then:
        if (path := path_of(effect.target, bindings)) not in world.quantities:
            raise PlanError(
                f"`{call}` would set `{path}`, which does not exist: call it on something that has it."
            )
    return Deed(action, bindings, str(call))


def _misfits(world: World, action: Action, bindings: Bindings) -> bool:
    """Check whether a thing lacks a property that its role reads; execution reports this failure."""
    roles = ((world.roles[slot.type], slot.name) for slot in action.slots if slot.type in world.roles)
    return any(
        names_read(world, [role.test], {role.variable: bindings[slot]})
        - world.quantities.keys()
        - CONSTANTS.keys()
        for role, slot in roles
    )


def _argument(world: World, slot: Slot, argument: str, call: PlannedCall) -> Value:
    if slot.type == "number":
        try:
            return float(argument)
        except ValueError:
            raise PlanError(
                f"`{argument}` in `{call}` is not a number: slot `{slot.name}` takes one."
            ) from None
    if not could_stand(world, slot, argument):
        raise PlanError(
            f"`{argument}` in `{call}` does not fit slot `{slot.name}`, which takes a {slot.type}."
        )
    return argument


def _chosen(world: World, text: str) -> tuple[str, Value]:
    name, sign, written = (part.strip() for part in text.partition("="))
    quantity = world.quantities.get(name)
    if not sign or quantity is None or quantity.kind is not Kind.DECISION:
        raise PlanError(
            f"`{text}` does not set a decision: write choose(angle=35[deg]) with the name of a decision."
        )
    value = _value(quantity, written)
    if value is None:
        raise PlanError(f"`{text}` is not an allowed value: choose a value that the record offers.")
    return name, value


def _value(quantity: Quantity, written: str) -> Value | None:
    """Return the value that a choice states, or None if the decision does not allow it."""
    try:
        tree = read_value(quantity.name, written).tree
    except LineError:
        return None
    match tree, quantity.tree:
        case ex.Number(value, dimension, _), ex.Number(_, wanted, _) if dimension == wanted:
            if quantity.options:
                offered = (
                    each for each in quantity.options if isinstance(each, float) and _close(each, value)
                )
                return next(offered, None)
            low, high = quantity.low, quantity.high
            inside = low is not None and high is not None and (low <= value or _close(low, value))
            return value if inside and high is not None and (value <= high or _close(value, high)) else None
        case ((ex.Text(value) | ex.Name(value)), ex.Text()):
            return value if value in quantity.options else None
        case ex.Truth(value), ex.Truth():
            return value if value in quantity.options else None
        case _:
            return None


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-9 * max(abs(one), abs(other))


def _span(world: World, text: str) -> Expression:
    try:
        tree = read_value("wait", text).tree
    except LineError as problem:
        raise PlanError(f"`wait({text})` cannot be read: {problem}.") from None
    if isinstance(tree, ex.Text | ex.Truth) or (isinstance(tree, ex.Number) and tree.dimension != TIME):
        raise PlanError(f"`wait({text})` does not give a time: write a time such as wait(20[s]).")
    _known(world, [tree], f"wait({text})")
    return tree


def _condition(world: World, argument: str) -> Expression:
    text = unquoted(argument)
    try:
        tree = parse(text)
    except ExpressionError as problem:
        raise PlanError(f"`wait_until({argument})` cannot be read: {problem}.") from None
    if not isinstance(
        tree, ex.Comparison | ex.All | ex.AnyOf | ex.Not | ex.Name | ex.Property | ex.Truth | ex.Choice
    ):
        raise PlanError(
            f"`wait_until({argument})` does not give a condition: write one such as 'level >= sill'."
        )
    _known(world, [tree], f"wait_until({argument})")
    return tree


def _known(world: World, trees: Sequence[Expression], call: str) -> None:
    unknown = sorted(names_read(world, trees, UNBOUND) - world.quantities.keys() - CONSTANTS.keys())
    if unknown:
        raise PlanError(
            f"`{call}` reads `{unknown[0]}`, which this world does not have: use a name of the record."
        )
