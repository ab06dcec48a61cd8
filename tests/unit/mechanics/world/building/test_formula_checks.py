"""Formulas of the library inside a record: replaced, typed, and refused where they do not hold."""

from __future__ import annotations

from typing import Final

import pytest

from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language.expression_parser import (
    ExpressionError,
    list_formula_calls,
    parse_expression,
)
from impossible_moments.mechanics.records.record import Record
from impossible_moments.mechanics.world.building.formula_checks import check_formula_ranges
from impossible_moments.mechanics.world.building.world_builder import build_world
from impossible_moments.mechanics.world.engine import WorldEngine
from support.small_worlds import build_record

FORMULAS: Final = load_everyday_library().templates


def _built(*quantities: str) -> tuple[Findings, WorldEngine]:
    findings = Findings()
    world, draft = build_world(
        Record.model_validate(build_record(quantities=list(quantities))), load_everyday_library(), findings
    )
    engine = WorldEngine(world)
    check_formula_ranges(draft, engine)
    return findings, engine


def test_a_call_is_replaced_by_its_formula() -> None:
    tree = parse_expression("orifice_flow(c, a, h)", FORMULAS)
    assert tree == parse_expression("c*a*sqrt(2*g*h)")


def test_a_call_leaves_a_note_of_what_it_was_given() -> None:
    (call,) = list_formula_calls("2*orifice_flow(c, a, h + 1)", FORMULAS)
    assert (call.name, call.arguments[2]) == ("orifice_flow", parse_expression("h + 1"))


def test_without_a_library_a_formula_is_no_function() -> None:
    with pytest.raises(ExpressionError, match="no such function"):
        parse_expression("orifice_flow(c, a, h)")


def test_a_formula_inside_a_formula_is_refused() -> None:
    with pytest.raises(ExpressionError, match="define its value as a quantity first"):
        parse_expression("orifice_flow(c, a, orifice_flow(c, a, h))", FORMULAS)


def test_a_call_with_too_few_arguments_hears_what_is_wanted() -> None:
    with pytest.raises(ExpressionError, match="discharge, area, head"):
        parse_expression("orifice_flow(c, a)", FORMULAS)


def test_a_quantity_is_computed_by_a_formula() -> None:
    _, engine = _built("hole = 5[cm**2]", "head = 2[m]", "c = 0.61", "flow = orifice_flow(c, hole, head)")
    assert engine.get_quantity_value("flow", engine.build_start_values()) == pytest.approx(
        0.61 * 5e-4 * (2 * 9.80665 * 2) ** 0.5
    )


def test_an_argument_that_measures_something_else_is_refused() -> None:
    findings, _ = _built("hole = 5[cm]", "head = 2[m]", "c = 0.61", "flow = orifice_flow(c, hole, head)")
    assert "formula.argument" in findings.codes


def test_a_formula_outside_its_range_is_refused() -> None:
    findings, _ = _built("hole = 5[cm**2]", "head = 2[m]", "c = 3", "flow = orifice_flow(c, hole, head)")
    assert "formula.range" in findings.codes


def test_a_formula_where_it_holds_is_not_spoken_of() -> None:
    findings, _ = _built("hole = 5[cm**2]", "head = 2[m]", "c = 0.61", "flow = orifice_flow(c, hole, head)")
    assert not {"formula.range", "formula.argument"} & set(findings.codes)
