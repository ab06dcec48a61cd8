"""Parsing of actions: slots, conditions, effects and durations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.building.draft import Draft
from impossible_moments.mechanics.building.roles import KINDS, candidates, properties_read, read_role
from impossible_moments.mechanics.dimensions import PLAIN, TIME
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.line_reading import read_line
from impossible_moments.mechanics.lines import LineError, split_line
from impossible_moments.mechanics.plans import LANGUAGE_VERBS
from impossible_moments.mechanics.quantities import Kind, QuantityError, read_value, twenty_percent
from impossible_moments.mechanics.record import ActionForm
from impossible_moments.mechanics.sorts import Sort, Type, did_you_mean
from impossible_moments.mechanics.world import Action, Condition, Effect, Slot

MAX_SLOTS: Final = 4
_DO: Final = re.compile(r"([A-Za-z]\w*)\s*\(\s*(.*?)\s*\)")
_SLOT: Final = re.compile(r"([A-Za-z]\w*)\s*:\s*([A-Za-z]\w*)")


def read_verbs(draft: Draft) -> None:
    """Read the roles and actions of the record into the draft."""
    for number, line in enumerate(draft.record.roles):
        read_role(draft, line, f"/roles/{number}", own=True)
    for number, form in enumerate(draft.record.actions):
        verb = form.do.split("(")[0].strip() or str(number)
        _action(draft, form, f"/actions/{verb}", own=True, logistics=False)


def read_library_verbs(draft: Draft) -> None:
    """Read all roles and actions of the library into the draft. `library_actions` caches the result."""
    for line in draft.library.form.roles:
        read_role(draft, line, "/library/roles", own=False)
    for action in draft.library.form.actions:
        _action(draft, action, f"/library/{action.do}", own=False, logistics=action.logistics)


def _action(draft: Draft, form: ActionForm, where: str, *, own: bool, logistics: bool) -> None:
    head = _head(draft, form.do, where, own=own)
    if head is None:
        return
    verb, slots = head
    if verb in draft.actions or verb in LANGUAGE_VERBS or (own and verb in draft.library.verbs):
        whose = "used by the library" if own and verb in draft.library.verbs else "taken"
        draft.findings.add(
            "name.reserved",
            where,
            f"the verb `{verb}` is already {whose}",
            found=form.do,
            expected=f"another verb, with `of: {verb}` if it is a special case",
        )
        return
    if (
        own
        and form.of is not None
        and form.of not in draft.library.verbs
        and form.of not in draft.library.mechanisms
    ):
        known = sorted({*draft.library.verbs, *draft.library.mechanisms})
        draft.findings.add(
            "action.of",
            f"{where}/of",
            f"the library has no verb or mechanism `{form.of}`{did_you_mean(form.of, known)}",
            found=form.of,
            expected=f"null, or one of {', '.join(known)}",
        )
    variables = _variables(draft, slots)
    when = tuple(_conditions(draft, form, variables, where, own=own))
    then = tuple(_effects(draft, form.then, variables, f"{where}/then", own=own))
    takes = _duration(draft, form, verb, variables, where, own=own)
    if not then and own:
        draft.findings.add(
            "action.no-effect",
            where,
            f"`{verb}` has no effects",
            found=form.do,
            expected="then: `hose.wrapped = true`",
        )
    if takes is not None:
        draft.actions[verb] = Action(verb, slots, when, then, takes, form.unattended, form.of, own, logistics)


def _head(draft: Draft, text: str, where: str, *, own: bool) -> tuple[str, tuple[Slot, ...]] | None:
    example = "undo(tool: driver, plate: vent)"
    match = _DO.fullmatch(text.strip())
    slots: list[Slot] = []
    for part in match[2].split(",") if match and match[2] else ():
        found = _SLOT.fullmatch(part.strip())
        if found is None:
            match = None
            break
        slots.append(Slot(found[1], found[2]))
    names = [slot.name for slot in slots]
    if match is None or len(slots) > MAX_SLOTS:
        draft.findings.add(
            "action.form",
            f"{where}/do",
            f"an action has the form verb(slot: type, ...) with at most {MAX_SLOTS} slots",
            found=text,
            expected=example,
        )
        return None
    taken = next(
        (name for name in names if (own and name in draft.quantities) or names.count(name) > 1), None
    )
    if taken is not None:
        draft.findings.add(
            "name.twice",
            f"{where}/do",
            f"the slot `{taken}` has the name of a quantity or another slot",
            found=text,
            expected="another slot name",
        )
        return None
    for slot in slots:
        if not (
            slot.type in draft.things
            or slot.type in draft.roles
            or slot.type in KINDS
            or slot.type in {"thing", "number"}
        ):
            known = [*draft.things, *draft.roles, *sorted(KINDS), "thing", "number"]
            draft.findings.add(
                "action.form", f"{where}/do", f"`{slot.type}` is not a thing, role or kind{did_you_mean(slot.type, known)}", found=text,
                expected=f"a type: {', '.join([*draft.things, *(name for name, role in draft.roles.items() if role.own)])}, or a kind",
            )  # fmt: skip
            return None
    return match[1], tuple(slots)


def _variables(draft: Draft, slots: tuple[Slot, ...]) -> tuple[dict[str, list[str]], dict[str, Type]]:
    """Return the things that each slot may hold, and the type of each slot variable."""
    holds = {
        slot.name: [thing.name for thing in candidates(draft, slot)]
        for slot in slots
        if slot.type != "number"
    }
    types: dict[str, Type] = {slot.name: PLAIN if slot.type == "number" else Sort.TEXT for slot in slots}
    return holds, types


def _typical(
    draft: Draft, trees: list[Expression], holds: dict[str, list[str]], where: str, *, own: bool
) -> dict[str, Expression]:
    """Choose for each slot a thing with every property that the expressions read, for type checks.

    Slots without such a thing are left out, with a finding if the action is the record's own.
    """
    chosen: dict[str, Expression] = {}
    for slot, things in holds.items():
        wanted = sorted({name for tree in trees for name in properties_read(tree, slot)})
        fitting = next((name for name in things if all(draft.has(name, each) for each in wanted)), None)
        if fitting is not None:
            chosen[slot] = ex.Text(fitting)
        elif own:
            lacking = next(
                (each for each in wanted if not any(draft.has(name, each) for name in things)), None
            )
            known = sorted({each for name in things for each in draft.properties_of(name)})
            draft.findings.add(
                "name.unknown", where, f"no thing that fits `{slot}` has a property `{lacking or wanted}`{did_you_mean(lacking or '', known)}",
                found=", ".join(ex.written(tree) for tree in trees), expected=f"one of {', '.join(known) or 'none: give the thing the property'}",
            )  # fmt: skip
    return chosen


def _conditions(
    draft: Draft,
    form: ActionForm,
    variables: tuple[dict[str, list[str]], dict[str, Type]],
    where: str,
    *,
    own: bool,
) -> Iterator[Condition]:
    seen: set[str] = set()
    for line in form.when:
        example = "edge_fits = tool.edge <= plate.slot"
        try:
            parts = split_line(line, example=example)
        except LineError:
            draft.findings.add(
                "line.form",
                f"{where}/when",
                "a condition must have a name, so that proofs and plan ends can refer to it",
                found=line,
                expected=example,
            )
            continue
        place = f"{where}/when/{parts.head}"
        if parts.head in seen or parts.head in variables[1]:
            draft.findings.add(
                "name.twice",
                place,
                f"`{parts.head}` is already the name of a condition or a slot",
                found=line,
                expected="another name",
            )
            continue
        seen.add(parts.head)
        tree = draft.expression(parts.body, place, example)
        if tree is None:
            continue
        if own:
            draft.no_literals(tree, place)
            draft.not_constant(tree, place)
            typical = _typical(draft, [tree], variables[0], place, own=own)
            if typical.keys() >= {slot for slot in variables[0] if properties_read(tree, slot)}:
                draft.typed(ex.bound(tree, typical), place, want=Sort.TRUTH, variables=variables[1])
        yield Condition(parts.head, tree)


def _effects(
    draft: Draft,
    lines: list[str],
    variables: tuple[dict[str, list[str]], dict[str, Type]],
    where: str,
    *,
    own: bool,
) -> Iterator[Effect]:
    for line in lines:
        example = "plate.open = true"
        parts = read_line(line, where, draft.findings, example=example, code="action.effect", evidence=False)
        if parts is None:
            continue
        target, tree = (
            draft.expression(parts.head, where, example),
            draft.expression(parts.body, where, example),
        )
        if target is None or tree is None:
            continue
        if not isinstance(target, ex.Name | ex.Property) or (
            isinstance(target, ex.Name) and not draft.is_state(target.name)
        ):
            draft.findings.add(
                "action.effect",
                where,
                f"`{parts.head}` cannot be set: an effect sets a property or a quantity of kind state",
                found=line,
                expected=f"{example}, or `{parts.head} = 0 (0..1) state` in quantities",
            )
            continue
        if own:
            draft.no_literals(tree, where)
            typical = _typical(draft, [target, tree], variables[0], where, own=own)
            ground = ex.bound(target, typical)
            if not isinstance(ground, ex.Name | ex.Property):
                continue
            wanted = draft.typed(ground, where)
            if wanted is not None:
                draft.typed(ex.bound(tree, typical), where, want=wanted, variables=variables[1])
        mark_mutable(draft, target, variables[0])
        yield Effect(target, tree)


def mark_mutable(draft: Draft, target: ex.Name | ex.Property, holds: Mapping[str, Sequence[str]]) -> None:
    """Mark the quantities that an effect may change. `holds` lists the possible things of each slot."""
    if isinstance(target, ex.Name):
        draft.mutable.add(target.name)
        return
    for thing in holds.get(target.thing, [target.thing]):
        if draft.has(thing, target.name):
            draft.mutable.add(f"{thing}.{target.name}")


def read_effects(draft: Draft, lines: list[str], where: str) -> tuple[Effect, ...]:
    """Read the effects that the right answer to a puzzle has."""
    return tuple(_effects(draft, lines, ({}, {}), where, own=True))


def _duration(
    draft: Draft,
    form: ActionForm,
    verb: str,
    variables: tuple[dict[str, list[str]], dict[str, Type]],
    where: str,
    *,
    own: bool,
) -> Expression | None:
    """Read the duration of an action. Return its expression, or None after a finding.

    A number becomes a quantity of its own, named `verb.takes`.
    """
    place, example = f"{where}/takes", "people*each, or 4[min] (3..6) @ estimate: handwork"
    text, _, source = form.takes.partition("@")
    name = f"{verb}.takes"
    try:
        quantity = read_value(name, text.strip(), source.strip())
    except QuantityError as problem:
        if problem.code == "assumed.range-and-source" and "source" in str(problem):
            quantity = read_value(name, text.strip(), "estimate: the author's")
        else:
            draft.findings.add(
                problem.code, place, str(problem), found=form.takes, expected=problem.expected or example
            )
            return None
    if quantity.is_number:
        value = quantity.value
        if (
            not isinstance(value, float)
            or value < 0
            or (value > 0 and draft.typed(quantity.tree, place) != TIME)
        ):
            draft.findings.add(
                "action.duration",
                place,
                f"the duration of `{verb}` must be a time of zero or more",
                found=form.takes,
                expected=example,
            )
            return None
        if value == 0:
            return ex.Number(0.0, TIME, "0[s]")
        kind = quantity.kind if quantity.kind is not Kind.GIVEN else Kind.ASSUMED
        stated = twenty_percent(quantity)
        draft.quantities[name] = type(stated)(
            name,
            kind,
            stated.tree,
            stated.low,
            stated.high,
            (),
            stated.source or "estimate: the author's",
            stated.shown,
            stated.stated_range,
        )
        return ex.Property(verb, "takes")
    if own:
        draft.no_literals(quantity.tree, place)
        typical = _typical(draft, [quantity.tree], variables[0], place, own=own)
        draft.typed(ex.bound(quantity.tree, typical), place, want=TIME, variables=variables[1])
    return quantity.tree
