"""Parsing of actions: slots, conditions, effects and durations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.dimensions import PLAIN, TIME
from impossible_moments.mechanics.language.expression_types import (
    ExpressionType,
    NonNumericType,
    suggest_similar_name,
)
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.records.line_findings import parse_line_or_report
from impossible_moments.mechanics.records.lines import LineError, parse_line
from impossible_moments.mechanics.records.plans import LANGUAGE_VERBS
from impossible_moments.mechanics.records.quantities import (
    QuantityError,
    QuantityKind,
    add_default_range,
    parse_quantity_value,
)
from impossible_moments.mechanics.records.record import ActionForm
from impossible_moments.mechanics.world.building.roles import (
    KINDS,
    list_properties_read,
    list_slot_candidates,
    read_role,
)
from impossible_moments.mechanics.world.building.world_draft import WorldDraft
from impossible_moments.mechanics.world.world_model import Action, ActionEffect, ActionSlot, NamedCondition

MAX_SLOTS: Final = 4
_DO: Final = re.compile(r"([A-Za-z]\w*)\s*\(\s*(.*?)\s*\)")
_SLOT: Final = re.compile(r"([A-Za-z]\w*)\s*:\s*([A-Za-z]\w*)")


def read_roles_and_actions(draft: WorldDraft) -> None:
    """Read the roles and actions of the record into the draft."""
    for number, line in enumerate(draft.record.roles):
        read_role(draft, line, f"/roles/{number}", own=True)
    for number, form in enumerate(draft.record.actions):
        verb = form.do.split("(")[0].strip() or str(number)
        _add_action(draft, form, f"/actions/{verb}", own=True, logistics=False)


def read_library_roles_and_actions(draft: WorldDraft) -> None:
    """Read all roles and actions of the library into the draft. `library_actions` caches the result."""
    for line in draft.library.form.roles:
        read_role(draft, line, "/library/roles", own=False)
    for action in draft.library.form.actions:
        _add_action(draft, action, f"/library/{action.do}", own=False, logistics=action.logistics)


def _add_action(draft: WorldDraft, form: ActionForm, where: str, *, own: bool, logistics: bool) -> None:
    head = _parse_action_head(draft, form.do, where, own=own)
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
            f"the library has no verb or mechanism `{form.of}`{suggest_similar_name(form.of, known)}",
            found=form.of,
            expected=f"null, or one of {', '.join(known)}",
        )
    variables = _collect_slot_variables(draft, slots)
    when = tuple(_read_action_conditions(draft, form, variables, where, own=own))
    then = tuple(_read_effects(draft, form.then, variables, f"{where}/then", own=own))
    takes = _read_action_duration(draft, form, verb, variables, where, own=own)
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


def _parse_action_head(
    draft: WorldDraft, text: str, where: str, *, own: bool
) -> tuple[str, tuple[ActionSlot, ...]] | None:
    example = "undo(tool: driver, plate: vent)"
    match = _DO.fullmatch(text.strip())
    slots: list[ActionSlot] = []
    for part in match[2].split(",") if match and match[2] else ():
        found = _SLOT.fullmatch(part.strip())
        if found is None:
            match = None
            break
        slots.append(ActionSlot(found[1], found[2]))
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
                "action.form", f"{where}/do", f"`{slot.type}` is not a thing, role or kind{suggest_similar_name(slot.type, known)}", found=text,
                expected=f"a type: {', '.join([*draft.things, *(name for name, role in draft.roles.items() if role.own)])}, or a kind",
            )  # fmt: skip
            return None
    return match[1], tuple(slots)


def _collect_slot_variables(
    draft: WorldDraft, slots: tuple[ActionSlot, ...]
) -> tuple[dict[str, list[str]], dict[str, ExpressionType]]:
    """Return the things that each slot may hold, and the type of each slot variable."""
    holds = {
        slot.name: [thing.name for thing in list_slot_candidates(draft, slot)]
        for slot in slots
        if slot.type != "number"
    }
    types: dict[str, ExpressionType] = {
        slot.name: PLAIN if slot.type == "number" else NonNumericType.TEXT for slot in slots
    }
    return holds, types


def _choose_typical_things(
    draft: WorldDraft, trees: list[Expression], holds: dict[str, list[str]], where: str, *, own: bool
) -> dict[str, Expression]:
    """Choose for each slot a thing with every property that the expressions read, for type checks.

    Slots without such a thing are left out, with a finding if the action is the record's own.
    """
    chosen: dict[str, Expression] = {}
    for slot, things in holds.items():
        wanted = sorted({name for tree in trees for name in list_properties_read(tree, slot)})
        fitting = next(
            (name for name in things if all(draft.has_property(name, each) for each in wanted)), None
        )
        if fitting is not None:
            chosen[slot] = ex.Text(fitting)
        elif own:
            lacking = next(
                (each for each in wanted if not any(draft.has_property(name, each) for name in things)), None
            )
            known = sorted({each for name in things for each in draft.list_properties(name)})
            draft.findings.add(
                "name.unknown", where, f"no thing that fits `{slot}` has a property `{lacking or wanted}`{suggest_similar_name(lacking or '', known)}",
                found=", ".join(ex.format_expression(tree) for tree in trees), expected=f"one of {', '.join(known) or 'none: give the thing the property'}",
            )  # fmt: skip
    return chosen


def _read_action_conditions(
    draft: WorldDraft,
    form: ActionForm,
    variables: tuple[dict[str, list[str]], dict[str, ExpressionType]],
    where: str,
    *,
    own: bool,
) -> Iterator[NamedCondition]:
    seen: set[str] = set()
    for line in form.when:
        example = "edge_fits = tool.edge <= plate.slot"
        try:
            parts = parse_line(line, example=example)
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
        tree = draft.parse_expression(parts.body, place, example)
        if tree is None:
            continue
        if own:
            draft.report_unnamed_literals(tree, place)
            draft.report_constant_condition(tree, place)
            typical = _choose_typical_things(draft, [tree], variables[0], place, own=own)
            if typical.keys() >= {slot for slot in variables[0] if list_properties_read(tree, slot)}:
                draft.check_expression_type(
                    ex.bind_variables(tree, typical), place, want=NonNumericType.TRUTH, variables=variables[1]
                )
        yield NamedCondition(parts.head, tree)


def _read_effects(
    draft: WorldDraft,
    lines: list[str],
    variables: tuple[dict[str, list[str]], dict[str, ExpressionType]],
    where: str,
    *,
    own: bool,
) -> Iterator[ActionEffect]:
    for line in lines:
        example = "plate.open = true"
        parts = parse_line_or_report(
            line, where, draft.findings, example=example, code="action.effect", evidence=False
        )
        if parts is None:
            continue
        target, tree = (
            draft.parse_expression(parts.head, where, example),
            draft.parse_expression(parts.body, where, example),
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
            draft.report_unnamed_literals(tree, where)
            typical = _choose_typical_things(draft, [target, tree], variables[0], where, own=own)
            ground = ex.bind_variables(target, typical)
            if not isinstance(ground, ex.Name | ex.Property):
                continue
            wanted = draft.check_expression_type(ground, where)
            if wanted is not None:
                draft.check_expression_type(
                    ex.bind_variables(tree, typical), where, want=wanted, variables=variables[1]
                )
        mark_mutable_quantities(draft, target, variables[0])
        yield ActionEffect(target, tree)


def mark_mutable_quantities(
    draft: WorldDraft, target: ex.Name | ex.Property, holds: Mapping[str, Sequence[str]]
) -> None:
    """Mark the quantities that an effect may change. `holds` lists the possible things of each slot."""
    if isinstance(target, ex.Name):
        draft.mutable.add(target.name)
        return
    for thing in holds.get(target.thing, [target.thing]):
        if draft.has_property(thing, target.name):
            draft.mutable.add(f"{thing}.{target.name}")


def read_answer_effects(draft: WorldDraft, lines: list[str], where: str) -> tuple[ActionEffect, ...]:
    """Read the effects that the right answer to a puzzle has."""
    return tuple(_read_effects(draft, lines, ({}, {}), where, own=True))


def _read_action_duration(
    draft: WorldDraft,
    form: ActionForm,
    verb: str,
    variables: tuple[dict[str, list[str]], dict[str, ExpressionType]],
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
        quantity = parse_quantity_value(name, text.strip(), source.strip())
    except QuantityError as problem:
        if problem.code == "assumed.range-and-source" and "source" in str(problem):
            quantity = parse_quantity_value(name, text.strip(), "estimate: the author's")
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
            or (value > 0 and draft.check_expression_type(quantity.tree, place) != TIME)
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
        kind = quantity.kind if quantity.kind is not QuantityKind.GIVEN else QuantityKind.ASSUMED
        stated = add_default_range(quantity)
        draft.quantities[name] = type(stated)(
            name,
            kind,
            stated.tree,
            stated.low,
            stated.high,
            (),
            stated.source or "estimate: the author's",
            stated.display_unit,
            stated.has_stated_range,
        )
        return ex.Property(verb, "takes")
    if own:
        draft.report_unnamed_literals(quantity.tree, place)
        typical = _choose_typical_things(draft, [quantity.tree], variables[0], place, own=own)
        draft.check_expression_type(
            ex.bind_variables(quantity.tree, typical), place, want=TIME, variables=variables[1]
        )
    return quantity.tree
