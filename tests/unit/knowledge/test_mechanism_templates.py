"""Formulas that records call by name: each example comes out, each has its unit, each says where it holds."""

from __future__ import annotations

from typing import Final

import pytest

from impossible_moments.knowledge.everyday import everyday
from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.dimensions import PLAIN, Dimension
from impossible_moments.mechanics.quantities import read_value
from impossible_moments.mechanics.scalars import Closure, compiled
from impossible_moments.mechanics.sorts import Sort, Type, condition_type, type_of
from impossible_moments.mechanics.templates import Template, mentioned
from impossible_moments.mechanics.world import CONSTANTS

TEMPLATES: Final = everyday().templates.all
FUNCTIONS: Final = frozenset(ex.FUNCTIONS)


def _values(template: Template) -> dict[str, float]:
    found = {}
    for name, text in template.form.example.items():
        value = read_value(name, text).value
        assert isinstance(value, float)
        found[name] = value
    return found


def _computed(tree: ex.Expression, values: dict[str, float]) -> float | bool:
    def resolve(name: str) -> Closure:
        value = CONSTANTS[name].value if name in CONSTANTS else values[name]
        return lambda _values: value

    found: float | bool = compiled(tree, resolve)([])
    return found


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda each: each.name)
def test_the_worked_example_comes_out(template: Template) -> None:
    values = _values(template)
    expected = values.pop("gives")
    assert values.keys() == {name for name, _ in template.parameters}
    assert _computed(template.tree, values) == pytest.approx(expected, rel=6e-3)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda each: each.name)
def test_the_example_lies_where_the_formula_holds(template: Template) -> None:
    values = _values(template)
    assert [name for name, tree in template.valid if not _computed(tree, values)] == []


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda each: each.name)
def test_the_formula_has_the_unit_it_says(template: Template) -> None:
    dimensions = dict(template.parameters)

    def lookup(node: ex.Name | ex.Property) -> Type:
        assert isinstance(node, ex.Name)
        return CONSTANTS[node.name].dimension if node.name in CONSTANTS else dimensions[node.name]

    found = type_of(template.tree, lookup)
    assert found == template.gives
    for _, tree in template.valid:
        condition_type(tree, lookup)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda each: each.name)
def test_the_example_is_given_in_the_units_of_the_parameters(template: Template) -> None:
    wanted: dict[str, Dimension] = {**dict(template.parameters), "gives": template.gives}
    for name, text in template.form.example.items():
        tree = read_value(name, text).tree
        assert type_of(tree, lambda _node: Sort.TEXT) == wanted.get(name, PLAIN), name


def test_every_formula_says_where_it_holds_and_where_it_comes_from() -> None:
    for template in TEMPLATES:
        assert template.valid, template.name
        assert template.form.source, template.name
        assert template.form.source != "estimate", template.name


def test_no_formula_has_the_name_of_a_function_or_of_a_verb() -> None:
    names = {template.name for template in TEMPLATES}
    assert len(names) == len(TEMPLATES)
    assert not names & FUNCTIONS
    assert not names & everyday().verbs.keys()


def test_a_formula_reads_nothing_but_its_parameters() -> None:
    for template in TEMPLATES:
        assert mentioned(template.tree) <= {name for name, _ in template.parameters} | CONSTANTS.keys(), (
            template.name
        )
