"""Roles: conditions that decide which things may fill a slot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, get_args

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expression_types import NonNumericType, suggest_similar_name
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.records.line_findings import parse_line_or_report
from impossible_moments.mechanics.records.record import ThingKind
from impossible_moments.mechanics.world.building.world_draft import WorldDraft
from impossible_moments.mechanics.world.world_model import ActionSlot, ThingRole, WorldThing

KINDS: Final = frozenset(get_args(ThingKind))
_ROLE: Final = re.compile(r"([A-Za-z]\w*)\s*\(\s*([A-Za-z]\w*)\s*\)")


def read_role(draft: WorldDraft, line: str, path: str, *, is_own: bool) -> None:
    """Read one role line, such as `seal(o) = o.stretch >= 1.5`, into the draft."""
    example = "seal(o) = o.stretch >= 1.5"
    parts = parse_line_or_report(line, path, draft.findings, example=example, code="role.form")
    if parts is None:
        return
    match = _ROLE.fullmatch(parts.head)
    if match is None:
        draft.findings.add(
            "role.form", path, "a role must name its variable in parentheses", found=line, expected=example
        )
        return
    tree = draft.parse_expression(parts.body, path, example)
    if tree is None:
        return
    role = ThingRole(match[1], match[2], tree, is_own)
    if role.name in draft.roles or role.name in draft.things or role.name in KINDS:
        draft.findings.add(
            "name.twice",
            path,
            f"the role name `{role.name}` is already taken",
            found=line,
            expected="another name for the role",
        )
        return
    draft.roles[role.name] = role
    if is_own:
        _check_role_condition(draft, role, path)


def _check_role_condition(draft: WorldDraft, role: ThingRole, path: str) -> None:
    draft.report_unnamed_literals(role.test, path)
    wanted_properties = list_properties_read(role.test, role.variable)
    fitting_thing = next(
        (name for name in draft.things if all(draft.has_property(name, each) for each in wanted_properties)),
        None,
    )
    if fitting_thing is not None:
        draft.check_expression_type(
            ex.bind_variables(role.test, {role.variable: ex.Text(fitting_thing)}),
            path,
            expected=NonNumericType.TRUTH,
        )
        return
    for name in wanted_properties:
        if not any(draft.has_property(thing, name) for thing in draft.things):
            known = sorted({other.split(".")[1] for other in draft.quantities if "." in other})
            draft.findings.add(
                "name.unknown",
                path,
                f"no thing has a property `{name}`{suggest_similar_name(name, known)}",
                found=ex.format_expression(role.test),
            )
            return
    draft.findings.add(
        "role.unfilled",
        path,
        f"no thing has all properties that the role `{role.name}` reads: {', '.join(wanted_properties)}",
        found=role.name,
    )


def list_properties_read(tree: Expression, variable: str) -> list[str]:
    """Return the sorted properties of a variable that an expression reads."""
    return sorted(
        {
            node.name
            for node in ex.walk_nodes(tree)
            if isinstance(node, ex.Property) and node.thing == variable
        }
    )


def list_slot_candidates(draft: WorldDraft, slot: ActionSlot) -> Iterator[WorldThing]:
    """Yield the things that fit a slot by name or kind, or that have all properties its role reads."""
    if slot.type in draft.things:
        yield draft.things[slot.type]
        return
    role = draft.roles.get(slot.type)
    for thing in draft.things.values():
        if role is not None:
            if all(
                draft.has_property(thing.name, name)
                for name in list_properties_read(role.test, role.variable)
            ):
                yield thing
        elif slot.type in {"thing", thing.kind}:
            yield thing
