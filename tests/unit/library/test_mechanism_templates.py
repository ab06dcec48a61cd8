"""Formulas that records call by name: each example comes out, each has its unit, each says where it holds."""

from __future__ import annotations

from typing import Final

import pytest

from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.dimensions import PLAIN, Dimension
from impossible_moments.mechanics.language.expression_types import (
    ExpressionType,
    NonNumericType,
    infer_type,
    require_condition,
)
from impossible_moments.mechanics.language.scalar_evaluation import Closure, compile_expression
from impossible_moments.mechanics.records.formula_templates import FormulaTemplate, collect_formula_names
from impossible_moments.mechanics.records.quantities import parse_quantity_value
from impossible_moments.mechanics.world.world_model import CONSTANTS
from support.every_case import find_failures, name_cases

FUNCTIONS: Final = frozenset(ex.FUNCTIONS)


def _templates() -> dict[str, FormulaTemplate]:
    return name_cases(load_everyday_library().templates.all, lambda each: each.name)


def _values(template: FormulaTemplate) -> dict[str, float]:
    found = {}
    for name, text in template.form.example.items():
        value = parse_quantity_value(name, text).value
        assert isinstance(value, float)
        found[name] = value
    return found


def _computed(tree: ex.Expression, values: dict[str, float]) -> float | bool:
    def resolve(name: str) -> Closure:
        value = CONSTANTS[name].value if name in CONSTANTS else values[name]
        return lambda _values: value

    found: float | bool = compile_expression(tree, resolve)([])
    return found


def check_worked_example(template: FormulaTemplate) -> None:
    values = _values(template)
    expected = values.pop("gives")
    assert values.keys() == {name for name, _ in template.parameters}
    assert _computed(template.tree, values) == pytest.approx(expected, rel=6e-3)


def test_the_worked_example_comes_out() -> None:
    assert find_failures(check_worked_example, _templates()) == []


def check_validity_of_example(template: FormulaTemplate) -> None:
    values = _values(template)
    assert [name for name, tree in template.valid if not _computed(tree, values)] == []


def test_the_example_lies_where_the_formula_holds() -> None:
    assert find_failures(check_validity_of_example, _templates()) == []


def check_unit(template: FormulaTemplate) -> None:
    dimensions = dict(template.parameters)

    def lookup(node: ex.Name | ex.Property) -> ExpressionType:
        assert isinstance(node, ex.Name)
        return CONSTANTS[node.name].dimension if node.name in CONSTANTS else dimensions[node.name]

    found = infer_type(template.tree, lookup)
    assert found == template.gives
    for _, tree in template.valid:
        require_condition(tree, lookup)


def test_the_formula_has_the_unit_it_says() -> None:
    assert find_failures(check_unit, _templates()) == []


def check_units_of_example(template: FormulaTemplate) -> None:
    wanted: dict[str, Dimension] = {**dict(template.parameters), "gives": template.gives}
    for name, text in template.form.example.items():
        tree = parse_quantity_value(name, text).tree
        assert infer_type(tree, lambda _node: NonNumericType.TEXT) == wanted.get(name, PLAIN), name


def test_the_example_is_given_in_the_units_of_the_parameters() -> None:
    assert find_failures(check_units_of_example, _templates()) == []


def test_every_formula_says_where_it_holds_and_where_it_comes_from() -> None:
    for template in _templates().values():
        assert template.valid, template.name
        assert template.form.source, template.name
        assert template.form.source != "estimate", template.name


def test_no_formula_has_the_name_of_a_function_or_of_a_verb() -> None:
    names = _templates().keys()  # no name occurs twice
    assert not names & FUNCTIONS
    assert not names & load_everyday_library().verbs.keys()


def test_a_formula_reads_nothing_but_its_parameters() -> None:
    for template in _templates().values():
        assert (
            collect_formula_names(template.tree)
            <= {name for name, _ in template.parameters} | CONSTANTS.keys()
        ), template.name
