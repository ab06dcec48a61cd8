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
_ACTION_HEAD: Final = re.compile(r"([A-Za-z]\w*)\s*\(\s*(.*?)\s*\)")
_SLOT: Final = re.compile(r"([A-Za-z]\w*)\s*:\s*([A-Za-z]\w*)")


def read_roles_and_actions(draft: WorldDraft) -> None:
    """Read the roles and actions of the record into the draft."""
    for number, line in enumerate(draft.record.roles):
        read_role(draft, line, f"/roles/{number}", is_own=True)
    for number, form in enumerate(draft.record.actions):
        verb = form.do.split("(")[0].strip() or str(number)
        _add_action(draft, form, f"/actions/{verb}", is_own=True, logistics=False)


def read_library_roles_and_actions(draft: WorldDraft) -> None:
    """Read all roles and actions of the library into the draft. `library_actions` caches the result."""
    for line in draft.library.form.roles:
        read_role(draft, line, "/library/roles", is_own=False)
    for action in draft.library.form.actions:
        _add_action(draft, action, f"/library/{action.do}", is_own=False, logistics=action.logistics)


def _add_action(draft: WorldDraft, form: ActionForm, path: str, *, is_own: bool, logistics: bool) -> None:
    head = _parse_action_head(draft, form.do, path, is_own=is_own)
    if head is None:
        return
    verb, slots = head
    if verb in draft.actions or verb in LANGUAGE_VERBS or (is_own and verb in draft.library.verbs):
        conflict = "used by the library" if is_own and verb in draft.library.verbs else "taken"
        draft.findings.add(
            "name.reserved",
            path,
            f"the verb `{verb}` is already {conflict}",
            found=form.do,
            expected=f"another verb, with `of: {verb}` if it is a special case",
        )
        return
    if (
        is_own
        and form.of is not None
        and form.of not in draft.library.verbs
        and form.of not in draft.library.mechanisms
    ):
        known = sorted({*draft.library.verbs, *draft.library.mechanisms})
        draft.findings.add(
            "action.of",
            f"{path}/of",
            f"the library has no verb or mechanism `{form.of}`{suggest_similar_name(form.of, known)}",
            found=form.of,
            expected=f"null, or one of {', '.join(known)}",
        )
    variables = _collect_things_and_types_of_slots(draft, slots)
    when = tuple(_read_action_conditions(draft, form, variables, path, is_own=is_own))
    effects = tuple(_read_effects(draft, form.then, variables, f"{path}/then", is_own=is_own))
    duration = _read_action_duration(draft, form, verb, variables, path, is_own=is_own)
    if not effects and is_own:
        draft.findings.add(
            "action.no-effect",
            path,
            f"the action `{verb}` has no effects",
            found=form.do,
            expected="then: `hose.wrapped = true`",
        )
    if duration is not None:
        draft.actions[verb] = Action(
            verb, slots, when, effects, duration, form.unattended, form.of, is_own, logistics
        )


def _parse_action_head(
    draft: WorldDraft, text: str, path: str, *, is_own: bool
) -> tuple[str, tuple[ActionSlot, ...]] | None:
    example = "undo(tool: driver, plate: vent)"
    match = _ACTION_HEAD.fullmatch(text.strip())
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
            f"{path}/do",
            f"an action has the form verb(slot: type, ...) with at most {MAX_SLOTS} slots",
            found=text,
            expected=example,
        )
        return None
    repeated_name = next(
        (name for name in names if (is_own and name in draft.quantities) or names.count(name) > 1), None
    )
    if repeated_name is not None:
        draft.findings.add(
            "name.twice",
            f"{path}/do",
            f"the slot `{repeated_name}` has the name of a quantity or another slot",
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
                "action.form", f"{path}/do", f"`{slot.type}` is not a thing, role or kind{suggest_similar_name(slot.type, known)}", found=text,
                expected=f"a type: {', '.join([*draft.things, *(name for name, role in draft.roles.items() if role.own)])}, or a kind",
            )  # fmt: skip
            return None
    return match[1], tuple(slots)


def _collect_things_and_types_of_slots(
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
    draft: WorldDraft,
    trees: list[Expression],
    things_by_slot: dict[str, list[str]],
    path: str,
    *,
    is_own: bool,
) -> dict[str, Expression]:
    """Choose for each slot a thing with every property that the expressions read, for type checks.

    Slots without such a thing are left out, with a finding if the action is the record's own.
    """
    typical_things: dict[str, Expression] = {}
    for slot, things in things_by_slot.items():
        wanted_properties = sorted({name for tree in trees for name in list_properties_read(tree, slot)})
        fitting_thing = next(
            (name for name in things if all(draft.has_property(name, each) for each in wanted_properties)),
            None,
        )
        if fitting_thing is not None:
            typical_things[slot] = ex.Text(fitting_thing)
        elif is_own:
            missing_property = next(
                (
                    each
                    for each in wanted_properties
                    if not any(draft.has_property(name, each) for name in things)
                ),
                None,
            )
            known = sorted({each for name in things for each in draft.list_properties(name)})
            draft.findings.add(
                "name.unknown", path, f"no thing that fits `{slot}` has a property `{missing_property or wanted_properties}`{suggest_similar_name(missing_property or '', known)}",
                found=", ".join(ex.format_expression(tree) for tree in trees), expected=f"one of {', '.join(known) or 'none: give the thing the property'}",
            )  # fmt: skip
    return typical_things


def _read_action_conditions(
    draft: WorldDraft,
    form: ActionForm,
    variables: tuple[dict[str, list[str]], dict[str, ExpressionType]],
    path: str,
    *,
    is_own: bool,
) -> Iterator[NamedCondition]:
    seen: set[str] = set()
    for line in form.when:
        example = "edge_fits = tool.edge <= plate.slot"
        try:
            parts = parse_line(line, example=example)
        except LineError:
            draft.findings.add(
                "line.form",
                f"{path}/when",
                "a condition must have a name, so that proofs and plan ends can refer to it",
                found=line,
                expected=example,
            )
            continue
        place = f"{path}/when/{parts.head}"
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
        if is_own:
            draft.report_unnamed_literals(tree, place)
            draft.report_constant_condition(tree, place)
            typical = _choose_typical_things(draft, [tree], variables[0], place, is_own=is_own)
            if typical.keys() >= {slot for slot in variables[0] if list_properties_read(tree, slot)}:
                draft.check_expression_type(
                    ex.bind_variables(tree, typical),
                    place,
                    expected=NonNumericType.TRUTH,
                    variables=variables[1],
                )
        yield NamedCondition(parts.head, tree)


def _read_effects(
    draft: WorldDraft,
    lines: list[str],
    variables: tuple[dict[str, list[str]], dict[str, ExpressionType]],
    path: str,
    *,
    is_own: bool,
) -> Iterator[ActionEffect]:
    for line in lines:
        example = "plate.open = true"
        parts = parse_line_or_report(
            line, path, draft.findings, example=example, code="action.effect", evidence=False
        )
        if parts is None:
            continue
        target, tree = (
            draft.parse_expression(parts.head, path, example),
            draft.parse_expression(parts.body, path, example),
        )
        if target is None or tree is None:
            continue
        if not isinstance(target, ex.Name | ex.Property) or (
            isinstance(target, ex.Name) and not draft.is_state(target.name)
        ):
            draft.findings.add(
                "action.effect",
                path,
                f"`{parts.head}` cannot be set: an effect sets a property or a quantity of kind state",
                found=line,
                expected=f"{example}, or `{parts.head} = 0 (0..1) state` in quantities",
            )
            continue
        if is_own:
            draft.report_unnamed_literals(tree, path)
            typical = _choose_typical_things(draft, [target, tree], variables[0], path, is_own=is_own)
            typical_target = ex.bind_variables(target, typical)
            if not isinstance(typical_target, ex.Name | ex.Property):
                continue
            expected_type = draft.check_expression_type(typical_target, path)
            if expected_type is not None:
                draft.check_expression_type(
                    ex.bind_variables(tree, typical), path, expected=expected_type, variables=variables[1]
                )
        mark_mutable_quantities(draft, target, variables[0])
        yield ActionEffect(target, tree)


def mark_mutable_quantities(
    draft: WorldDraft, target: ex.Name | ex.Property, things_by_slot: Mapping[str, Sequence[str]]
) -> None:
    """Mark the quantities that an effect may change. `things_by_slot` lists the possible things of each slot."""
    if isinstance(target, ex.Name):
        draft.mutable.add(target.name)
        return
    for thing in things_by_slot.get(target.thing, [target.thing]):
        if draft.has_property(thing, target.name):
            draft.mutable.add(f"{thing}.{target.name}")


def read_answer_effects(draft: WorldDraft, lines: list[str], path: str) -> tuple[ActionEffect, ...]:
    """Read the effects that the right answer to a puzzle has."""
    return tuple(_read_effects(draft, lines, ({}, {}), path, is_own=True))


def _read_action_duration(
    draft: WorldDraft,
    form: ActionForm,
    verb: str,
    variables: tuple[dict[str, list[str]], dict[str, ExpressionType]],
    path: str,
    *,
    is_own: bool,
) -> Expression | None:
    """Read the duration of an action. Return its expression, or None after a finding.

    A number becomes a quantity of its own, named `verb.takes`.
    """
    place, example = f"{path}/takes", "people*each, or 4[min] (3..6) @ estimate: handwork"
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
        ranged_quantity = add_default_range(quantity)
        draft.quantities[name] = type(ranged_quantity)(
            name,
            kind,
            ranged_quantity.tree,
            ranged_quantity.low,
            ranged_quantity.high,
            (),
            ranged_quantity.source or "estimate: the author's",
            ranged_quantity.display_unit,
            ranged_quantity.has_stated_range,
        )
        return ex.Property(verb, "takes")
    if is_own:
        draft.report_unnamed_literals(quantity.tree, place)
        typical = _choose_typical_things(draft, [quantity.tree], variables[0], place, is_own=is_own)
        draft.check_expression_type(
            ex.bind_variables(quantity.tree, typical), place, expected=TIME, variables=variables[1]
        )
    return quantity.tree
