"""The library as one: closed, typed, and what it says of the world."""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest

from impossible_moments.library.affordances import (
    find_row_affordances,
    iterate_operator_uses,
    read_row_properties,
)
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.dimensions import TIME
from impossible_moments.mechanics.language.expression_types import (
    ExpressionType,
    NonNumericType,
    infer_type,
    require_condition,
)
from impossible_moments.mechanics.records.library import LibraryRow
from impossible_moments.mechanics.world.building.library_actions import (
    LibraryActionProfile,
    build_library_action_catalogue,
)
from impossible_moments.mechanics.world.world_model import CONSTANTS

LIBRARY: Final = load_everyday_library()
OBJECTS: Final = [row for row in LIBRARY.form.things if row.kind == "object"]
OPERATORS: Final = build_library_action_catalogue(LIBRARY).actions
ROLES: Final = build_library_action_catalogue(LIBRARY).roles
DOMAINS: Final = {
    "egress", "structures", "fluids", "heat", "electricity", "chemistry", "rescue", "signals", "scale", "rules",
}  # fmt: skip
KNOWN: Final = {**LIBRARY.properties, **LIBRARY.further}


def test_there_are_enough_affordances_operators_and_formulas() -> None:
    assert len(ROLES) >= 60
    assert len(OPERATORS) >= 120
    assert len(LIBRARY.form.templates) >= 40


def test_every_domain_has_operators() -> None:
    domains = Counter(action.domain for action in LIBRARY.form.actions)
    assert set(domains) == DOMAINS
    assert min(domains.values()) >= 8


@pytest.mark.parametrize("row", OBJECTS, ids=lambda row: row.name)
def test_no_thing_is_without_its_everyday_uses_as_operators(row: LibraryRow) -> None:
    assert row.uses
    assert set(row.uses) <= set(find_row_affordances(row, LIBRARY))
    assert any(not use.operator.action.logistics for use in iterate_operator_uses(row, LIBRARY))


def test_every_affordance_is_asked_for_by_an_operator() -> None:
    asked = {slot.type for each in OPERATORS.values() for slot in each.action.slots}
    assert ROLES.keys() <= asked


def test_no_property_is_declared_twice() -> None:
    names = [
        line.partition("=")[0].strip().split("[")[0].split("(")[0]
        for line in (*LIBRARY.form.properties, *LIBRARY.form.further)
    ]
    assert [name for name, count in Counter(names).items() if count > 1] == []


def test_the_properties_of_every_row_measure_what_the_vocabulary_says() -> None:
    wrong = []
    for row in LIBRARY.form.things:
        for name, quantity in read_row_properties(row).items():
            if name in KNOWN and not isinstance(quantity.tree, ex.Name | ex.Property):
                found = infer_type(quantity.tree, lambda _node: NonNumericType.TEXT)
                if found != KNOWN[name][0]:
                    wrong.append((row.name, name))
    assert wrong == []


def _types(each: LibraryActionProfile) -> dict[str, ExpressionType]:
    standing = {
        f"{name}.{prop}": infer_type(quantity.tree, lambda _node: NonNumericType.TEXT)
        for name in LIBRARY.form.always
        for prop, quantity in read_row_properties(LIBRARY.rows[name]).items()
    }
    slots = {
        f"{slot.name}.{name}": KNOWN[name][0]
        for slot in each.action.slots
        for name in each.needs[slot.name]
        if name in KNOWN
    }
    return {**standing, **slots}


@pytest.mark.parametrize("each", OPERATORS.values(), ids=lambda each: each.action.verb)
def test_every_condition_effect_and_duration_of_an_operator_measures_what_it_should(
    each: LibraryActionProfile,
) -> None:
    types = _types(each)
    slots = {slot.name for slot in each.action.slots}

    def lookup(node: ex.Name | ex.Property) -> ExpressionType:
        if isinstance(node, ex.Name):
            return NonNumericType.TEXT if node.name in slots else CONSTANTS[node.name].dimension
        if node.path in types:
            return types[node.path]
        return KNOWN[node.name][0]

    for condition in each.action.when:
        require_condition(condition.tree, lookup)
    for effect in each.action.then:
        assert infer_type(effect.target, lookup) == infer_type(effect.tree, lookup) or _bare_zero(effect.tree)
    if each.duration is None and not _bare_zero(each.action.takes):
        assert infer_type(each.action.takes, lookup) == TIME


def _bare_zero(tree: ex.Expression) -> bool:
    return isinstance(tree, ex.Number) and tree.value == 0


def test_every_operator_is_told_in_a_sentence() -> None:
    assert [action.do for action in LIBRARY.form.actions if not action.about] == []


def test_every_operator_decides_something_and_changes_something() -> None:
    for each in OPERATORS.values():
        assert each.action.when, each.action.verb
        assert each.action.then, each.action.verb


def test_the_hash_changes_with_a_single_figure() -> None:
    form = LIBRARY.form.model_copy(deep=True)
    form.things[3].props[0] = form.things[3].props[0] + " "
    assert type(LIBRARY)(form).fingerprint != LIBRARY.fingerprint


def test_the_same_files_give_the_same_hash() -> None:
    load_everyday_library.cache_clear()
    assert load_everyday_library().fingerprint == LIBRARY.fingerprint
