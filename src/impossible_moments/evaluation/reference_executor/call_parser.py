"""Parsing of written calls into typed calls of a world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from impossible_moments.evaluation.reference_executor.reference_state import (
    UNBOUND,
    Bindings,
    Value,
    collect_names_read,
    resolve_path,
)
from impossible_moments.mechanics.language import TIME, Expression, ExpressionError, parse_expression
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import (
    LineError,
    PlanError,
    PlannedCall,
    Quantity,
    QuantityKind,
    parse_call,
    parse_quantity_value,
    strip_quotes,
)
from impossible_moments.mechanics.world import CONSTANTS, Action, ActionSlot, NeverRuleSource, World

SHORTEST_QUOTE: Final = 8
"""Least number of characters of a premise that a challenge must quote."""


@dataclass(frozen=True)
class ActionCall:
    """A call of an action, with its slots filled."""

    action: Action
    bindings: Bindings
    text: str


@dataclass(frozen=True)
class AnswerCall:
    """A call that answers a puzzle."""

    puzzle: str
    text: str


@dataclass(frozen=True)
class ChooseCall:
    """A call that sets decisions."""

    values: tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class WaitCall:
    """A call that lets a time span pass."""

    span: Expression


@dataclass(frozen=True)
class WaitUntilCall:
    """A call that lets time pass until a condition holds."""

    condition: Expression


@dataclass(frozen=True)
class ChallengeCall:
    """A call that challenges a premise."""

    quote: str


@dataclass(frozen=True)
class EffectlessCall:
    """A call without effect on the world, such as a claim."""


Call: TypeAlias = (
    ActionCall | AnswerCall | ChooseCall | WaitCall | WaitUntilCall | ChallengeCall | EffectlessCall
)


def parse_world_call(world: World, text: str) -> Call:
    """Parse a written call of this world; raise `PlanError` if it is not valid here."""
    call = parse_call(text)
    match call.verb, call.arguments:
        case "answer", (puzzle, *rest) if rest and puzzle in world.puzzles:
            return AnswerCall(puzzle, strip_quotes(", ".join(rest)))
        case "choose", arguments if arguments:
            return ChooseCall(tuple(_parse_choice(world, each) for each in arguments))
        case "wait", (span,):
            return WaitCall(_parse_waiting_span(world, span))
        case "wait_until", (condition,):
            return WaitUntilCall(_parse_awaited_condition(world, condition))
        case "challenge", (quote, *rest):
            return ChallengeCall(strip_quotes(", ".join((quote, *rest))))
        case (("claim" | "impossible"), _):
            return EffectlessCall()
        case verb, _ if verb in world.actions:
            return _build_action_call(world, world.actions[verb], call)
    raise PlanError(
        f"`{text}` is not a call of this world: a call names an action, or a verb of the language with its arguments."
    )


def find_premises_containing_quote(world: World, quote: str) -> frozenset[str]:
    """Return the premises that contain a quote, ignoring spacing and case; a short quote matches none."""
    words = " ".join(quote.split()).casefold()
    return frozenset(
        never.name
        for never in world.never_rules
        if never.by is NeverRuleSource.PREMISE
        and len(words) >= SHORTEST_QUOTE
        and words in " ".join(never.evidence.split()).casefold()
    )


def can_fill_slot(world: World, slot: ActionSlot, argument: str) -> bool:
    """Check whether a thing has the type of a slot; the test of a role is not evaluated."""
    thing = world.things.get(argument)
    if thing is None:
        return False
    return slot.type in world.roles or slot.type in {"thing", thing.kind, thing.name}


def _build_action_call(world: World, action: Action, call: PlannedCall) -> ActionCall:
    if len(call.arguments) != len(action.slots):
        raise PlanError(
            f"`{call}` has {len(call.arguments)} arguments, and {action.signature} takes {len(action.slots)}."
        )
    bindings = {
        slot.name: _parse_argument(world, slot, argument, call)
        for slot, argument in zip(action.slots, call.arguments, strict=True)
    }
    if _has_misfitting_thing(world, action, bindings):
        return ActionCall(action, bindings, str(call))
    for effect in action.then:
        if (path := resolve_path(effect.target, bindings)) not in world.quantities:
            raise PlanError(
                f"`{call}` would set `{path}`, which does not exist: call it on something that has it."
            )
    return ActionCall(action, bindings, str(call))


def _has_misfitting_thing(world: World, action: Action, bindings: Bindings) -> bool:
    """Check whether a thing lacks a property that its role reads; execution reports this failure."""
    roles = ((world.roles[slot.type], slot.name) for slot in action.slots if slot.type in world.roles)
    return any(
        collect_names_read(world, [role.test], {role.variable: bindings[slot]})
        - world.quantities.keys()
        - CONSTANTS.keys()
        for role, slot in roles
    )


def _parse_argument(world: World, slot: ActionSlot, argument: str, call: PlannedCall) -> Value:
    if slot.type == "number":
        try:
            return float(argument)
        except ValueError:
            raise PlanError(
                f"`{argument}` in `{call}` is not a number: slot `{slot.name}` takes one."
            ) from None
    if not can_fill_slot(world, slot, argument):
        raise PlanError(
            f"`{argument}` in `{call}` does not fit slot `{slot.name}`, which takes a {slot.type}."
        )
    return argument


def _parse_choice(world: World, text: str) -> tuple[str, Value]:
    name, sign, value_text = (part.strip() for part in text.partition("="))
    quantity = world.quantities.get(name)
    if not sign or quantity is None or quantity.kind is not QuantityKind.DECISION:
        raise PlanError(
            f"`{text}` does not set a decision: write choose(angle=35[deg]) with the name of a decision."
        )
    value = _parse_decision_value(quantity, value_text)
    if value is None:
        raise PlanError(f"`{text}` is not an allowed value: choose a value that the record offers.")
    return name, value


def _parse_decision_value(quantity: Quantity, written: str) -> Value | None:
    """Return the value that a choice states, or None if the decision does not allow it."""
    try:
        tree = parse_quantity_value(quantity.name, written).tree
    except LineError:
        return None
    match tree, quantity.tree:
        case ex.Number(value, dimension, _), ex.Number(_, wanted, _) if dimension == wanted:
            if quantity.options:
                options = (
                    each for each in quantity.options if isinstance(each, float) and _are_close(each, value)
                )
                return next(options, None)
            low, high = quantity.low, quantity.high
            inside = low is not None and high is not None and (low <= value or _are_close(low, value))
            return (
                value if inside and high is not None and (value <= high or _are_close(value, high)) else None
            )
        case ((ex.Text(value) | ex.Name(value)), ex.Text()):
            return value if value in quantity.options else None
        case ex.Truth(value), ex.Truth():
            return value if value in quantity.options else None
        case _:
            return None


def _are_close(first: float, second: float) -> bool:
    return abs(first - second) <= 1e-9 * max(abs(first), abs(second))


def _parse_waiting_span(world: World, text: str) -> Expression:
    try:
        tree = parse_quantity_value("wait", text).tree
    except LineError as problem:
        raise PlanError(f"`wait({text})` cannot be read: {problem}.") from None
    if isinstance(tree, ex.Text | ex.Truth) or (isinstance(tree, ex.Number) and tree.dimension != TIME):
        raise PlanError(f"`wait({text})` does not give a time: write a time such as wait(20[s]).")
    _require_known_names(world, [tree], f"wait({text})")
    return tree


def _parse_awaited_condition(world: World, argument: str) -> Expression:
    text = strip_quotes(argument)
    try:
        tree = parse_expression(text)
    except ExpressionError as problem:
        raise PlanError(f"`wait_until({argument})` cannot be read: {problem}.") from None
    if not isinstance(
        tree,
        ex.Comparison
        | ex.Conjunction
        | ex.Disjunction
        | ex.Negation
        | ex.Name
        | ex.Property
        | ex.Truth
        | ex.Conditional,
    ):
        raise PlanError(
            f"`wait_until({argument})` does not give a condition: write one such as 'level >= sill'."
        )
    _require_known_names(world, [tree], f"wait_until({argument})")
    return tree


def _require_known_names(world: World, trees: Sequence[Expression], call: str) -> None:
    unknown = sorted(collect_names_read(world, trees, UNBOUND) - world.quantities.keys() - CONSTANTS.keys())
    if unknown:
        raise PlanError(
            f"`{call}` reads `{unknown[0]}`, which this world does not have: use a name of the record."
        )
