"""Declarations of quantities and things by the record, with the properties that the library adds."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, get_args

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.dimensions import TIME
from impossible_moments.mechanics.language.expression_parser import IDENTIFIER
from impossible_moments.mechanics.language.expression_types import (
    ExpressionType,
    ExpressionTypeError,
    NonNumericType,
    suggest_similar_name,
)
from impossible_moments.mechanics.records.library import LibraryRow
from impossible_moments.mechanics.records.lines import LineError, parse_line
from impossible_moments.mechanics.records.plans import LANGUAGE_VERBS
from impossible_moments.mechanics.records.quantities import (
    Quantity,
    QuantityError,
    QuantityKind,
    parse_quantity,
    parse_quantity_value,
)
from impossible_moments.mechanics.records.record import ThingForm, ThingKind
from impossible_moments.mechanics.world.building.formula_checks import check_formula_arguments
from impossible_moments.mechanics.world.building.world_draft import WorldDraft
from impossible_moments.mechanics.world.world_model import CONSTANTS, ELAPSED, WorldThing

RESERVED: Final = frozenset(
    {
        *CONSTANTS,
        *ex.FUNCTIONS,
        *LANGUAGE_VERBS,
        ELAPSED,
        "deadline",
        "goal",
        "true",
        "false",
        "and",
        "or",
        "not",
        "if",
        "else",
        "thing",
        "number",
        *get_args(ThingKind),
    }
)
LARGEST_EXPANSION: Final = 2_000


def read_quantities_and_things(draft: WorldDraft) -> None:
    """Read quantities and things into the draft, then check types, formula arguments and expression sizes."""
    draft.quantities[ELAPSED] = Quantity(ELAPSED, QuantityKind.STATE, ex.Number(0.0, TIME), 0.0, 1e12)
    for number, line in enumerate(draft.record.quantities):
        _add_quantity(draft, line, f"/quantities/{number}")
    for name in draft.library.form.always:
        if name not in {thing.name for thing in draft.record.things}:
            _add_thing(draft, draft.library.rows[name], f"/library/{name}", is_own=False)
    for form in draft.record.things:
        _add_thing(draft, form, f"/things/{form.name}", is_own=True)
    _check_quantity_types(draft)
    check_formula_arguments(draft)
    _check_expansion_sizes(draft)


def _add_quantity(draft: WorldDraft, line: str, path: str) -> None:
    quantity = _parse_quantity(draft, line, path)
    if quantity is None:
        return
    if quantity.kind is QuantityKind.DERIVED:
        draft.record_formula_calls(parse_line(line, example="").body, path)
    if quantity.name in RESERVED:
        draft.findings.add(
            "name.reserved",
            path,
            f"the quantity name `{quantity.name}` is a reserved name of the language",
            found=line,
            expected="another name",
        )
    elif quantity.name in draft.quantities:
        draft.findings.add(
            "name.twice",
            path,
            f"the quantity `{quantity.name}` is declared twice",
            found=line,
            expected="one line for each name",
        )
    else:
        draft.quantities[quantity.name] = quantity


def _parse_quantity(draft: WorldDraft, line: str, path: str) -> Quantity | None:
    try:
        return parse_quantity(line, draft.library.templates)
    except QuantityError as problem:
        draft.findings.add(
            problem.code, path, str(problem), found=problem.found or line, expected=problem.expected
        )
        return None


def _add_thing(draft: WorldDraft, form: ThingForm, path: str, *, is_own: bool) -> None:
    if form.name in draft.things or form.name in draft.quantities or form.name in RESERVED:
        draft.findings.add(
            "name.twice",
            path,
            f"the thing name `{form.name}` is already taken",
            found=form.name,
            expected="another name",
        )
        return
    row = _find_library_row(draft, form, path)
    kind = row.kind if row is not None and form.kind == "object" else form.kind
    draft.things[form.name] = WorldThing(
        form.name, form.label, kind, form.like or (form.name if row else None), is_own
    )
    for line in draft.library.kinds[kind].props if kind in draft.library.kinds else ():
        _add_property(draft, form.name, line, path, is_stated=False)
    if row is not None and row is not form:
        for line in row.props:
            _add_property(draft, form.name, line, path, is_stated=False)
    seen: set[str] = set()
    for line in form.props:
        name = _add_property(draft, form.name, line, f"{path}/props", is_stated=is_own)
        if name in seen:
            draft.findings.add(
                "name.twice",
                f"{path}/props",
                f"the property `{name}` is declared twice",
                found=line,
                expected="one line for each property",
            )
        seen.add(name)


def _find_library_row(draft: WorldDraft, form: ThingForm, path: str) -> LibraryRow | None:
    if form.like is None:
        # a record may override single properties of the library things `you`, `water` and `air`
        return draft.library.rows.get(form.name) if form.name in draft.library.form.always else None
    row = draft.library.rows.get(form.like)
    if row is None:
        draft.findings.add(
            "thing.like", f"{path}/like", f"the library has no row `{form.like}`{suggest_similar_name(form.like, draft.library.rows)}",
            found=form.like, expected=f"null, or one of {', '.join(sorted(draft.library.rows))}",
        )  # fmt: skip
    return row


def _add_property(draft: WorldDraft, thing: str, line: str, record_path: str, *, is_stated: bool) -> str:
    """Read one property line and return the property name, or an empty string after a finding.

    `is_stated` is true for properties stated by the record. Numbers from the library become assumed quantities.
    """
    try:
        parts = parse_line(line, example="mass = 4[kg]")
        path = f"{thing}.{_validate_property_name(parts.head)}"
        quantity = parse_quantity_value(path, parts.body, parts.evidence, draft.library.templates)
    except QuantityError as problem:
        draft.findings.add(
            problem.code, record_path, str(problem), found=problem.found or line, expected=problem.expected
        )
        return ""
    except LineError as problem:
        draft.findings.add("line.form", record_path, str(problem), found=line, expected="mass = 4[kg]")
        return ""
    if not is_stated and quantity.kind is QuantityKind.GIVEN and quantity.is_number:
        quantity = replace(quantity, kind=QuantityKind.ASSUMED, source=quantity.source or "library")
    draft.quantities[path] = quantity
    if quantity.kind is QuantityKind.DERIVED:
        draft.record_formula_calls(parts.body, record_path)
    if is_stated:
        draft.own_paths.add(path)
    return parts.head


def _validate_property_name(text: str) -> str:
    if not IDENTIFIER.fullmatch(text):
        raise LineError(f"`{text}` is not a property name: use letters, digits and single underscores")
    return text


def _check_quantity_types(draft: WorldDraft) -> None:
    """Check that every quantity has a type, and that a property has the library's type on all things."""
    first: dict[str, tuple[str, object]] = {}
    for name in list(draft.quantities):
        path = _get_quantity_record_path(name)
        try:
            found = draft.infer_quantity_type(name)
        except ExpressionTypeError as problem:
            text = str(problem)
            code = (
                "quantity.cycle"
                if "itself" in text
                else "name.unknown"
                if "unknown" in text or "no property" in text
                else "dimension.mismatch"
            )
            draft.findings.add(code, path, text, found=ex.format_expression(draft.quantities[name].tree))
            del draft.quantities[name]
            continue
        if draft.quantities[name].kind is QuantityKind.DERIVED:
            draft.read_names |= ex.collect_paths(draft.quantities[name].tree)
            draft.report_unnamed_literals(draft.quantities[name].tree, path)
        if "." not in name:
            continue
        property_name = name.split(".")[1]
        known = draft.library.properties.get(property_name)
        if known is not None and known[0] != found:
            expected_type = known[0].value if isinstance(known[0], NonNumericType) else str(known[0])
            actual_type = found.value if isinstance(found, NonNumericType) else str(found)
            draft.findings.add(
                "property.dimension", path, f"`{name}` is a {actual_type}, but in the library `{property_name}` is a {expected_type}: {known[1]}",
                found=ex.format_expression(draft.quantities[name].tree), expected=f"a {expected_type}, or another property name",
            )  # fmt: skip
        _mark_property_with_other_library_type(draft, name, found, path)
        first_use = first.setdefault(property_name, (name, found))
        if first_use[1] != found:
            draft.findings.add(
                "property.type", path, _describe_type_clash(draft, name, first_use[0]),
                found=name, expected="a separate property name for each type",
            )  # fmt: skip


def _describe_type_clash(draft: WorldDraft, name: str, other: str) -> str:
    """Return why two properties clash. A name of the library is taken, whatever the record calls the thing."""
    property_name = name.split(".")[1]
    known = draft.library.properties.get(property_name) or draft.library.further.get(property_name)
    if known is None:
        return f"`{name}` and `{other}` are the same property with two types"
    library_type = known[0].value if isinstance(known[0], NonNumericType) else f"dimension {known[0]}"
    return (
        f"`{property_name}` is a property of the library with {library_type} ({known[1]}), and `{other}` has it; "
        f"choose another name for `{name}`"
    )


def _mark_property_with_other_library_type(
    draft: WorldDraft, name: str, type_: ExpressionType, path: str
) -> None:
    """Mark a property whose name has another type in the library, so that library actions ignore it."""
    known = draft.library.further.get(name.split(".")[1])
    if known is not None and known[0] != type_:
        draft.foreign_paths.add(name)
        if name in draft.own_paths:
            library_type = known[0].value if isinstance(known[0], NonNumericType) else str(known[0])
            draft.findings.add(
                "property.other", path, f"in the library `{name.split('.')[1]}` is a {library_type} ({known[1]}); library actions ignore `{name}`",
                found=name, expected=f"a {library_type}, or any other name",
            )  # fmt: skip


def _get_quantity_record_path(name: str) -> str:
    return f"/things/{name.split('.', maxsplit=1)[0]}/props" if "." in name else "/quantities"


def _check_expansion_sizes(draft: WorldDraft) -> None:
    sizes: dict[str, int] = {}

    def measure_expansion(name: str) -> int:
        if name not in sizes:
            quantity = draft.quantities.get(name)
            if quantity is None or quantity.kind is not QuantityKind.DERIVED:
                sizes[name] = 1
            else:
                leaves = [
                    node.name if isinstance(node, ex.Name) else node.path
                    for node in ex.walk_nodes(quantity.tree)
                    if isinstance(node, ex.Name | ex.Property)
                ]
                sizes[name] = min(
                    sum(measure_expansion(leaf) for leaf in leaves)
                    + sum(1 for _ in ex.walk_nodes(quantity.tree)),
                    10 * LARGEST_EXPANSION,
                )
        return sizes[name]

    for name in list(draft.quantities):
        if measure_expansion(name) > LARGEST_EXPANSION:
            draft.findings.add(
                "expression.size", _get_quantity_record_path(name), f"the quantity or property `{name}` has more than {LARGEST_EXPANSION} parts when fully expanded",
                found=ex.format_expression(draft.quantities[name].tree), expected="fewer levels of derived quantities",
            )  # fmt: skip
            del draft.quantities[name]
