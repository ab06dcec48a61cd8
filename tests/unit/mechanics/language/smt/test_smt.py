"""Z3 may refute only what execution nowhere accepts, tolerance and rounding included."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from impossible_moments.mechanics.language import smt
from impossible_moments.mechanics.language.expression_parser import parse_expression
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_evaluation import Box
from impossible_moments.mechanics.language.smt import NonAlgebraicExpression
from support.execution import build_true_conditions, execute_expression
from support.expression_strategies import boxes, conditions, points


def decided(box: Box, *texts: str) -> smt.SolverVerdict:
    return smt.check_satisfiability({text: parse_expression(text) for text in texts}, box)


@settings(max_examples=60)
@given(st.data(), boxes(), st.lists(conditions(algebraic=True), min_size=1, max_size=3))
def test_conditions_that_hold_at_a_point_are_never_refuted(
    data: st.DataObject, box: Box, trees: list[Expression]
) -> None:
    point = data.draw(points(box))
    holding = build_true_conditions(trees, point)
    assume(holding is not None)
    expressible = {
        name: tree for name, tree in (holding or {}).items() if smt.can_express_condition(tree, box)
    }
    assert smt.check_satisfiability(expressible, box).answer != "unsatisfiable"


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("x == 0 or 1/x > 3", {"x": (0.0, 0.0)}),
        ("not open or 1/x > 3", {"x": (0.0, 0.0), "open": False}),
        ("(sqrt(x) if x >= 0 else 7) == 7", {"x": (-2.0, -1.0)}),
        ("(x + 1e20) - 1e20 == 0", {"x": (1.0, 2.0)}),
        ("not x < 3", {"x": (2.9999999999, 2.9999999999)}),
        ("not x != 3", {"x": (2.9999999999, 2.9999999999)}),
        ("x*0.3 - x*0.1 - x*0.2 != 0", {"x": (1.0, 1.0)}),
    ],
)
def test_what_execution_accepts_is_not_refuted(text: str, box: Box) -> None:
    point = {name: known[0] if isinstance(known, tuple) else known for name, known in box.items()}
    assert execute_expression(
        parse_expression(text),
        {name: value for name, value in point.items() if isinstance(value, bool | float)},
    )
    assert decided(box, text).answer != "unsatisfiable"


def test_a_product_that_execution_rounds_to_zero_is_not_refuted() -> None:
    tree = parse_expression("x*x <= 0 and x > 0")
    assert execute_expression(tree, {"x": 1e-200})
    assert smt.check_satisfiability({"tiny": tree}, {"x": (0.0, 1.0)}).answer != "unsatisfiable"


def test_the_core_names_the_conditions_that_conflict() -> None:
    verdict = decided({"x": (0.0, 9.0), "y": (0.0, 9.0)}, "x*y >= 9", "y >= 1", "x**2 + y**2 <= 16")
    assert verdict.core == ("x*y >= 9", "x**2 + y**2 <= 16")


def test_a_condition_and_its_denial_conflict_in_spite_of_the_tolerance() -> None:
    assert decided({"x": (0.0, 9.0)}, "x <= 3", "x > 3").answer == "unsatisfiable"


def test_a_division_counts_only_for_the_condition_that_makes_it() -> None:
    verdict = decided({"x": (0.0, 9.0)}, "x <= 0", "1/x >= 0")
    assert verdict.core == ("x <= 0", "1/x >= 0")


def test_a_quantity_may_bear_the_name_of_an_auxiliary() -> None:
    box = {"root0": (-5.0, -4.0), "x": (1.0, 2.0), "quotient!0": (-5.0, -4.0)}
    assert decided(box, "sqrt(x) >= 1", "root0 <= -4").answer == "satisfiable"


def test_a_model_is_a_point_of_the_box() -> None:
    verdict = decided({"x": (0.0, 2.0)}, "x**2 == 2", "open")
    assert verdict.model["x"] == pytest.approx(2**0.5)
    assert verdict.model["open"] is True


def test_facts_and_words_with_known_values_take_part() -> None:
    box: Box = {"x": (0.0, 2.0), "mode": "out", "open": True}
    assert decided(box, "mode == 'in' or not open").answer == "unsatisfiable"
    assert decided(box, "open == (x > 1)", "x < 0.5").answer == "unsatisfiable"


@pytest.mark.parametrize(
    "text", ["exp(x) > 3", "x**0.3 > 1", "ceil(x) > 1", "1/(x*0.1 - y*0.3) > 1", "mode == 'in'"]
)
def test_what_the_reals_cannot_say_is_refused(text: str) -> None:
    box: Box = {"x": (0.0, 2.0), "y": (0.5, 1.0), "mode": frozenset({"in", "out"})}
    assert not smt.can_express_condition(parse_expression(text), box)
    with pytest.raises(NonAlgebraicExpression):
        decided(box, text)


def test_another_procedure_confirms_a_conflict_and_only_a_conflict() -> None:
    box = {"x": (0.0, 2.0), "y": (0.0, 2.0)}
    conflict = {"near": parse_expression("x**2 + y**2 <= 1"), "far": parse_expression("x + y >= 1.5")}
    assert smt.verify_refutation(conflict, box)
    assert not smt.verify_refutation({"near": conflict["near"]}, box)
