"""Decisions: a proof means that no point holds, a witness is one, and the core has nothing to spare."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from impossible_moments.mechanics.language.expression_parser import parse_expression
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_evaluation import Box
from impossible_moments.mechanics.proofs import (
    Proof,
    ProofBudget,
    UndecidedResult,
    Witness,
    decide_joint_satisfiability,
    recheck_proof,
)
from support.execution import build_true_conditions, execute_expression
from support.expression_strategies import boxes, conditions, points

SMALL = ProofBudget(boxes=120)


def parsed(*texts: str) -> dict[str, Expression]:
    return {text: parse_expression(text) for text in texts}


@settings(max_examples=60)
@given(st.data(), boxes(edges=True), st.lists(conditions(edges=True), min_size=1, max_size=3))
def test_conditions_that_hold_at_a_point_are_never_proved_to_conflict(
    data: st.DataObject, box: Box, trees: list[Expression]
) -> None:
    point = data.draw(points(box))
    holding = build_true_conditions(trees, point)
    assume(holding is not None)
    decided = decide_joint_satisfiability(holding or {}, box, SMALL)
    assert not isinstance(decided, Proof)


@settings(max_examples=60)
@given(boxes(), st.lists(conditions(), min_size=1, max_size=3))
def test_witnesses_hold_and_proofs_pass_the_recheck(box: Box, trees: list[Expression]) -> None:
    named = {str(place): tree for place, tree in enumerate(trees)}
    decided = decide_joint_satisfiability(named, box, SMALL)
    if isinstance(decided, Witness):
        point = {name: value for name, value in decided.point.items() if not isinstance(value, str)}
        assert all(execute_expression(tree, point) is True for tree in trees)
    if isinstance(decided, Proof):
        assert recheck_proof(decided, named, box)


@pytest.mark.parametrize(
    ("texts", "box", "method"),
    [
        (("x*y >= 20",), {"x": (0, 3), "y": (0, 3)}, "interval"),
        (("d/v <= 5",), {"d": (100, 200), "v": (0, 10)}, "interval"),
        (("sqrt(x) > 3",), {"x": (-1, 4)}, "interval"),
        (("x**2 + y**2 <= 1", "x + y >= 1.8"), {"x": (0, 2), "y": (0, 2)}, "branch-and-bound"),
        (("exp(-x/5) >= 0.5", "sin(y)*x >= 4"), {"x": (0, 20), "y": (0, 6)}, "branch-and-bound"),
        (("open", "not open or x < 2", "sqrt(x - 3) > 1"), {"x": (0, 9)}, "branch-and-bound"),
        (
            ("m*v**2/2 <= 1e-3", "m >= 1e-6", "v >= 100"),
            {"m": (1e-9, 1e3), "v": (1e-3, 1e6)},
            "branch-and-bound",
        ),
        (("x <= 3", "x > 3"), {"x": (0, 9)}, "z3"),
        (("x*y == 1", "x*y*z < 0.999*z", "z > 0.01"), {"x": (0.1, 9), "y": (0.1, 9), "z": (0, 9)}, "z3"),
    ],
)
def test_conflicts_are_proved_and_pass_the_recheck(texts: tuple[str, ...], box: Box, method: str) -> None:
    named = parsed(*texts)
    decided = decide_joint_satisfiability(named, box)
    assert isinstance(decided, Proof)
    assert (decided.method, decided.core) == (method, texts)
    assert recheck_proof(decided, named, box)


def test_the_core_leaves_out_what_the_conflict_does_not_need() -> None:
    named = parsed("y >= 1", "x <= 3", "x + y <= 100", "x > 5", "open")
    decided = decide_joint_satisfiability(named, {"x": (0, 9), "y": (0, 9)})
    assert isinstance(decided, Proof)
    assert decided.core == ("x <= 3", "x > 5")


@pytest.mark.parametrize(
    ("texts", "box"),
    [
        (("x > 1", "x < 2"), {"x": (0, 9)}),
        (("x + y == 10", "x*y == 20"), {"x": (0, 20), "y": (0, 20)}),
        (("x >= 9",), {"x": (0, 9)}),
        (("x*y*z > 26.9", "x < 3"), {"x": (0, 3), "y": (0, 3), "z": (0, 3)}),
        (("mode == 'in'", "open or x > 8"), {"x": (0, 9), "mode": frozenset({"in", "out"})}),
        (("open == true", "lit != open"), {}),
        (("m > 2e-9", "m < 3e-9"), {"m": (1e-9, 1e3)}),
        ((), {"x": (0, 1)}),
    ],
)
def test_witnesses_are_found(texts: tuple[str, ...], box: Box) -> None:
    assert isinstance(decide_joint_satisfiability(parsed(*texts), box), Witness)


def test_a_witness_speaks_only_of_names_that_occur() -> None:
    decided = decide_joint_satisfiability(parsed("x > 1"), {"x": (0, 9), "y": (0, 9)})
    assert decided == Witness({"x": 4.5})


@pytest.mark.parametrize(
    ("texts", "box", "reason"),
    [
        (("x > y",), {"x": (0, 9)}, "no bounds for `y`"),
        (("x > 1",), {"x": (9, 0)}, "the lower first"),
        (("x > 1",), {"x": (0, float("inf"))}, "finite bounds"),
        (("exp(x) <= 2", "exp(x) > 2*1"), {"x": (0, 9)}, "too thin to cut"),
        (
            ("exp(x)*sin(y)*x*y == 1.5", "sin(x*y) == 0.3", "cos(x + y) == 0.2"),
            {"x": (0, 9), "y": (0, 9)},
            "parts",
        ),
    ],
)
def test_what_stays_open_says_why(texts: tuple[str, ...], box: Box, reason: str) -> None:
    decided = decide_joint_satisfiability(parsed(*texts), box, ProofBudget(boxes=300))
    assert isinstance(decided, UndecidedResult)
    assert reason in decided.reason


def test_a_conflict_without_bounds_is_still_seen_where_intervals_suffice() -> None:
    assert isinstance(decide_joint_satisfiability(parsed("x > 10", "y > 1"), {"x": (0, 9)}), Proof)


def test_a_decision_is_the_same_each_time() -> None:
    named, box = parsed("x**3 + y**3 <= 1.9", "x*y >= 1", "x <= 2"), {"x": (0, 3), "y": (0, 3)}
    assert decide_joint_satisfiability(named, box) == decide_joint_satisfiability(named, box)
