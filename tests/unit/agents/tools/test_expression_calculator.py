"""Expressions are computed with the record's own parser, over its values and over those a call gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from impossible_moments.agents.tools.argument_checks import ToolRefusal
from impossible_moments.agents.tools.call_guard import Call
from impossible_moments.domain.vocabulary import ATHENA, NEWTON
from support.golden_records import load_golden_record
from support.small_worlds import build_record

Box = Callable[..., Mapping[str, Call]]


@pytest.fixture
def newton(box: Box) -> Mapping[str, Call]:
    return box(NEWTON, load_golden_record("blast_room"))


def test_a_value_comes_in_si_and_as_people_say_it(newton: Mapping[str, Call]) -> None:
    found = newton["evaluate"](expression="m*g*h", values={"m": "80 kg", "h": "2[m]"})
    assert (found["value"], found["unit"], found["dimension"]) == (1569.06, "J", "energy")
    assert found["readable"] == "1.569 kJ"
    assert found["reads"] == {"g": "9.807 m/s**2", "h": "2 m", "m": "80 kg"}


def test_a_comparison_has_a_truth_a_signed_margin_and_two_sides(newton: Mapping[str, Call]) -> None:
    found: Any = newton["evaluate"](expression="reach >= sill", values={"reach": "90 cm", "sill": "1 m"})
    assert (found["holds"], found["margin"]) == (False, -0.1)
    assert (found["left"]["value"], found["left"]["readable"]) == (0.9, "90 cm")
    assert found["right"]["value"] == 1.0
    assert newton["evaluate"](expression="1.5 > 0.75")["margin"] == 0.5


def test_a_joint_condition_is_told_part_by_part(newton: Mapping[str, Call]) -> None:
    found: Any = newton["evaluate"](expression="1.5 > 1 and 0.5 > 1 and not 2.5 > 3")
    assert found["holds"] is False
    assert [part["holds"] for part in found["parts"]] == [True, False, False]


def test_given_values_go_before_the_records_and_through_what_is_derived(box: Box) -> None:
    world = build_record(quantities=["a = 2[m]", "b = 3*a", "c = b + a", "pace = 1[m/s]"])
    world["goal"], world["things"] = (
        "box.full",
        [{"name": "box", "label": "the box", "props": ["full = false"]}],
    )
    world["actions"] = [{"do": "fill(x: box)", "then": ["x.full = true"], "takes": "c/pace"}]
    evaluate = box(NEWTON, world)["evaluate"]
    assert evaluate(expression="c")["value"] == 8
    assert evaluate(expression="c", values={"a": "1 m"})["value"] == 4
    assert evaluate(expression="c", values={"b": "1 m"})["value"] == 3
    assert evaluate(expression="c")["value"] == 8


def test_a_given_value_measures_what_the_record_measures(newton: Mapping[str, Call]) -> None:
    with pytest.raises(
        ToolRefusal, match=r"`you\.mass` is a mass in the record, but the given value is a length"
    ):
        newton["evaluate"](expression="you.mass", values={"you.mass": "3 m"})


def test_temperatures_are_read_on_their_scale_and_judged_from_ambient(box: Box) -> None:
    evaluate = box(ATHENA)["evaluate"]
    assert evaluate(expression="t", values={"t": "20 °C"})["value"] == 293.15
    values = {"t": "310 K", "ambient": "300 K"}
    assert evaluate(expression="t >= 305[K]", values=values)["margin"] == 0.5


@pytest.mark.parametrize("value", ["5 m", "'warm'"])
def test_an_ambient_that_is_no_temperature_is_left_alone(box: Box, value: str) -> None:
    values = {"t": "310 K", "ambient": value}
    assert box(ATHENA)["evaluate"](expression="t >= 305[K]", values=values)["holds"] is True


def test_near_names_are_suggested(newton: Mapping[str, Call]) -> None:
    with pytest.raises(ToolRefusal, match=r"no such name: `you\.mas` \(did you mean `you\.mass`"):
        newton["evaluate"](expression="you.mas*g")


@pytest.mark.parametrize(
    "expression", ["1/(1 - 1)", "sqrt(0 - 1)", "exp(1e5)", "1e50**6*1e50", "1/(1-1) > 2"]
)
def test_what_has_no_value_says_so(newton: Mapping[str, Call], expression: str) -> None:
    found = newton["evaluate"](expression=expression)
    assert found["value"] is None
    assert "no value" in str(found["why"])


def test_a_quantity_derived_without_a_value_has_none(box: Box) -> None:
    world = build_record(quantities=["a = 1/(2 - 2)", "b = a + 1"])
    assert box(NEWTON, world)["evaluate"](expression="1 + 1", values={"b": "3"})["value"] == 2


def test_a_formula_of_the_library_is_computed_and_held_to_its_range(newton: Mapping[str, Call]) -> None:
    found = newton["evaluate"](expression="orifice_flow(0.6, 0.01[m**2], 2[m])")
    assert found["value"] == pytest.approx(0.6 * 0.01 * (2 * 9.80665 * 2) ** 0.5, rel=1e-5)
    assert "notes" not in found
    upwards = newton["evaluate"](expression="orifice_flow(0.6, 0.01[m**2], 0[m])")
    assert "`orifice_flow` does not hold here" in str(upwards["notes"])


def test_a_decision_is_named_where_nobody_has_chosen(box: Box) -> None:
    world = build_record(quantities=["angle = choose 10..80[deg]", "work = 5[s]"])
    world["goal"], world["things"] = (
        "box.full",
        [{"name": "box", "label": "the box", "props": ["full = false"]}],
    )
    world["actions"] = [
        {
            "do": "fill(x: box)",
            "when": ["steep = angle > 1"],
            "then": ["x.full = true"],
            "takes": "angle*work",
        }
    ]
    evaluate = box(NEWTON, world)["evaluate"]
    assert "middle of its range" in str(evaluate(expression="angle > 0.5")["notes"])
    assert "notes" not in evaluate(expression="angle > 0.5", values={"angle": "45 deg"})


def test_dimensions_are_named(newton: Mapping[str, Call]) -> None:
    assert newton["dimensions"](expression="you.mass*g") == {
        "agrees": True,
        "dimension": "force",
        "si_unit": "N",
    }
    assert newton["dimensions"](expression="you.mass > 3[kg]") == {
        "agrees": True,
        "dimension": "true or false",
    }
    assert newton["dimensions"](expression="you.mass/1[m**3*s]")["si_unit"] == "kg/m**3/s"


def test_what_cannot_be_added_or_compared_is_named(newton: Mapping[str, Call]) -> None:
    found = newton["dimensions"](expression="you.mass + you.reach")
    assert found == {"agrees": False, "problem": "cannot add mass `you.mass` and length `you.reach`"}
    assert "cannot compare" in str(newton["dimensions"](expression="you.mass > 3")["problem"])
    formula = newton["dimensions"](expression="orifice_flow(0.6, 0.01[m], 2[m])")
    assert "takes a area as `area`" in str(formula["problem"])


def test_a_record_that_cannot_be_read_is_said_and_computed_without(box: Box) -> None:
    evaluate = box(NEWTON, {"title": "Half"})["evaluate"]
    assert "cannot be read" in str(evaluate(expression="h*2", values={"h": "1 m"})["notes"])
    with pytest.raises(ToolRefusal, match=r"the record cannot be read: error shape\.missing at /format"):
        evaluate(expression="sill")


def test_a_long_chain_of_derived_quantities_is_followed(box: Box) -> None:
    world = load_golden_record("blast_room")
    world["quantities"] += ["c0 = 1", *(f"c{number} = c{number - 1} + 1" for number in range(1, 350))]
    tools = box(NEWTON, world)
    assert tools["evaluate"](expression="c349")["value"] == 350
    assert tools["dimensions"](expression="c349")["agrees"] is True
