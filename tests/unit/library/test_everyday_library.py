"""The library as one: closed, typed, and what it says of the world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Final

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
    LibraryActionCatalogue,
    LibraryActionProfile,
    build_library_action_catalogue,
)
from impossible_moments.mechanics.world.world_model import CONSTANTS
from support.every_case import find_failures, name_cases

DOMAINS: Final = {
    "egress", "structures", "fluids", "heat", "electricity", "chemistry", "rescue", "signals", "scale", "rules",
}  # fmt: skip


def catalogue() -> LibraryActionCatalogue:
    return build_library_action_catalogue(load_everyday_library())


@cache
def known_properties() -> Mapping[str, tuple[ExpressionType, str]]:
    return {**load_everyday_library().properties, **load_everyday_library().further}


def test_there_are_enough_affordances_operators_and_formulas() -> None:
    assert len(catalogue().roles) >= 60
    assert len(catalogue().actions) >= 120
    assert len(load_everyday_library().form.templates) >= 40


def test_every_domain_has_operators() -> None:
    domains = Counter(action.domain for action in load_everyday_library().form.actions)
    assert set(domains) == DOMAINS
    assert min(domains.values()) >= 8


def check_uses(row: LibraryRow) -> None:
    assert row.uses
    assert set(row.uses) <= set(find_row_affordances(row, load_everyday_library()))
    assert any(
        not use.operator.action.logistics for use in iterate_operator_uses(row, load_everyday_library())
    )


def test_no_thing_is_without_its_everyday_uses_as_operators() -> None:
    objects = [row for row in load_everyday_library().form.things if row.kind == "object"]
    assert find_failures(check_uses, name_cases(objects, lambda row: row.name)) == []


def test_every_affordance_is_asked_for_by_an_operator() -> None:
    asked = {slot.type for each in catalogue().actions.values() for slot in each.action.slots}
    assert catalogue().roles.keys() <= asked


def test_no_property_is_declared_twice() -> None:
    names = [
        line.partition("=")[0].strip().split("[")[0].split("(")[0]
        for line in (*load_everyday_library().form.properties, *load_everyday_library().form.further)
    ]
    assert [name for name, count in Counter(names).items() if count > 1] == []


def test_the_properties_of_every_row_measure_what_the_vocabulary_says() -> None:
    wrong = []
    for row in load_everyday_library().form.things:
        for name, quantity in read_row_properties(row).items():
            if name in known_properties() and not isinstance(quantity.tree, ex.Name | ex.Property):
                found = infer_type(quantity.tree, lambda _node: NonNumericType.TEXT)
                if found != known_properties()[name][0]:
                    wrong.append((row.name, name))
    assert wrong == []


def _types(each: LibraryActionProfile) -> dict[str, ExpressionType]:
    standing = {
        f"{name}.{prop}": infer_type(quantity.tree, lambda _node: NonNumericType.TEXT)
        for name in load_everyday_library().form.always
        for prop, quantity in read_row_properties(load_everyday_library().rows[name]).items()
    }
    slots = {
        f"{slot.name}.{name}": known_properties()[name][0]
        for slot in each.action.slots
        for name in each.needs[slot.name]
        if name in known_properties()
    }
    return {**standing, **slots}


def check_dimensions(each: LibraryActionProfile) -> None:
    types = _types(each)
    slots = {slot.name for slot in each.action.slots}

    def lookup(node: ex.Name | ex.Property) -> ExpressionType:
        if isinstance(node, ex.Name):
            return NonNumericType.TEXT if node.name in slots else CONSTANTS[node.name].dimension
        if node.path in types:
            return types[node.path]
        return known_properties()[node.name][0]

    for condition in each.action.when:
        require_condition(condition.tree, lookup)
    for effect in each.action.then:
        assert infer_type(effect.target, lookup) == infer_type(effect.tree, lookup) or _bare_zero(effect.tree)
    if each.duration is None and not _bare_zero(each.action.takes):
        assert infer_type(each.action.takes, lookup) == TIME


def test_every_condition_effect_and_duration_of_an_operator_measures_what_it_should() -> None:
    assert find_failures(check_dimensions, catalogue().actions) == []


def _bare_zero(tree: ex.Expression) -> bool:
    return isinstance(tree, ex.Number) and tree.value == 0


def test_every_operator_is_told_in_a_sentence() -> None:
    assert [action.do for action in load_everyday_library().form.actions if not action.about] == []


def test_every_operator_decides_something_and_changes_something() -> None:
    for each in catalogue().actions.values():
        assert each.action.when, each.action.verb
        assert each.action.then, each.action.verb


def test_the_hash_changes_with_a_single_figure() -> None:
    form = load_everyday_library().form.model_copy(deep=True)
    form.things[3].props[0] = form.things[3].props[0] + " "
    assert type(load_everyday_library())(form).fingerprint != load_everyday_library().fingerprint


def test_the_same_files_give_the_same_hash() -> None:
    before = load_everyday_library().fingerprint
    load_everyday_library.cache_clear()
    assert load_everyday_library().fingerprint == before
