"""The re-check believes nothing: each way of tampering with a proof is seen."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from impossible_moments.mechanics.language.expression_parser import parse_expression
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_evaluation import Box, IntervalEvaluator
from impossible_moments.mechanics.proofs import (
    CaseSplit,
    NumericSplit,
    Proof,
    RefutedLeaf,
    SolverStatement,
    SplittingCertificate,
    decide_joint_satisfiability,
    recheck_proof,
)
from impossible_moments.mechanics.proofs.independent_evaluation import is_condition_false_everywhere
from support.expression_strategies import boxes, conditions

BOX: Box = {"x": (0.0, 8.0), "y": (0.0, 8.0), "mode": frozenset({"in", "out"})}
CONDITIONS = {
    "small": parse_expression("x <= 3"),
    "large": parse_expression("x >= 5"),
    "shut": parse_expression("not open"),
    "either": parse_expression("open or x > 20"),
    "inside": parse_expression("mode == 'in'"),
    "outside": parse_expression("mode == 'out'"),
}
HALVES = NumericSplit("x", 4.0, RefutedLeaf("large"), RefutedLeaf("small"))
FACTS = CaseSplit("open", ((True, RefutedLeaf("shut")), (False, RefutedLeaf("either"))))
WORDS = CaseSplit("mode", (("in", RefutedLeaf("outside")), ("out", RefutedLeaf("inside"))))


def proof(tree: NumericSplit | CaseSplit | RefutedLeaf, *core: str) -> Proof:
    return Proof(core, "branch-and-bound", SplittingCertificate(tree))


@settings(max_examples=300)
@given(boxes(edges=True), conditions(edges=True))
def test_the_second_reading_confirms_what_intervals_refute(box: Box, tree: Expression) -> None:
    if IntervalEvaluator(box).decide_condition(tree) is False:
        assert is_condition_false_everywhere(tree, box)


@pytest.mark.parametrize(
    "honest",
    [proof(HALVES, "small", "large"), proof(FACTS, "shut", "either"), proof(WORDS, "inside", "outside")],
)
def test_an_honest_proof_passes(honest: Proof) -> None:
    assert recheck_proof(honest, CONDITIONS, BOX)


@pytest.mark.parametrize(
    "tampered",
    [
        pytest.param(
            proof(NumericSplit("x", 4.0, RefutedLeaf("small"), RefutedLeaf("large")), "small", "large"),
            id="leaves swapped",
        ),
        pytest.param(
            proof(NumericSplit("x", 5.5, RefutedLeaf("large"), RefutedLeaf("small")), "small", "large"),
            id="cut moved",
        ),
        pytest.param(
            proof(NumericSplit("x", 9.0, RefutedLeaf("large"), RefutedLeaf("small")), "small", "large"),
            id="cut outside",
        ),
        pytest.param(
            proof(NumericSplit("x", 0.0, RefutedLeaf("large"), RefutedLeaf("small")), "small", "large"),
            id="cut at the end",
        ),
        pytest.param(
            proof(
                NumericSplit("x", float("nan"), RefutedLeaf("large"), RefutedLeaf("small")), "small", "large"
            ),
            id="no number",
        ),
        pytest.param(
            proof(NumericSplit("y", 4.0, RefutedLeaf("large"), RefutedLeaf("small")), "small", "large"),
            id="other direction",
        ),
        pytest.param(
            proof(NumericSplit("w", 4.0, RefutedLeaf("large"), RefutedLeaf("small")), "small", "large"),
            id="unknown name",
        ),
        pytest.param(proof(HALVES, "small"), id="core too small"),
        pytest.param(proof(HALVES, "small", "large", "shut"), id="core too large"),
        pytest.param(proof(HALVES, "small", "large", "large"), id="name twice"),
        pytest.param(proof(HALVES, "small", "huge"), id="no such condition"),
        pytest.param(proof(RefutedLeaf("small"), "small"), id="nothing cut"),
        pytest.param(replace(proof(HALVES, "small", "large"), method="interval"), id="other method"),
        pytest.param(replace(proof(HALVES, "small", "large"), method="z3"), id="no statement"),
        pytest.param(proof(CaseSplit("open", ((True, RefutedLeaf("shut")),)), "shut"), id="a case missing"),
        pytest.param(
            proof(CaseSplit("mode", (("in", RefutedLeaf("outside")),)), "outside"), id="a word missing"
        ),
        pytest.param(
            proof(
                CaseSplit("x", ((True, RefutedLeaf("large")), (False, RefutedLeaf("small")))),
                "small",
                "large",
            ),
            id="no fact",
        ),
        pytest.param(
            Proof(("small",), "z3", SolverStatement(("small",), "unsat")), id="satisfiable statement"
        ),
        pytest.param(
            Proof(("small", "large"), "z3", SolverStatement(("small",), "unsat")), id="another core"
        ),
        pytest.param(Proof((), "z3", SolverStatement((), "unsat")), id="empty core"),
    ],
)
def test_a_tampered_proof_fails(tampered: Proof) -> None:
    assert not recheck_proof(tampered, CONDITIONS, BOX)


def test_a_proof_does_not_carry_over_to_a_different_box_or_a_weaker_condition() -> None:
    box: Box = {"x": (0.0, 2.0), "y": (0.0, 2.0)}
    named = {"near": parse_expression("x**2 + y**2 <= 1"), "far": parse_expression("x + y >= 1.8")}
    found = decide_joint_satisfiability(named, box)
    assert isinstance(found, Proof)
    assert recheck_proof(found, named, box)
    assert not recheck_proof(found, {**named, "far": parse_expression("x + y >= 1.4")}, box)
    assert not recheck_proof(found, named, {**box, "x": (0.0, 0.5)})
    whole = {"area": parse_expression("x*y >= 20")}
    assert recheck_proof(Proof(("area",), "interval", SplittingCertificate(RefutedLeaf("area"))), whole, box)
    assert not recheck_proof(
        Proof(("area",), "interval", SplittingCertificate(RefutedLeaf("area"))),
        whole,
        {**box, "x": (0.0, 11.0)},
    )


def test_every_moved_leaf_of_a_found_proof_is_seen_or_still_true() -> None:
    box: Box = {"x": (0.0, 2.0), "y": (0.0, 2.0)}
    named = {"near": parse_expression("x**2 + y**2 <= 1"), "far": parse_expression("x + y >= 1.8")}
    found = decide_joint_satisfiability(named, box)
    assert isinstance(found, Proof)
    assert isinstance(found.certificate, SplittingCertificate)
    assert not recheck_proof(
        replace(found, certificate=SplittingCertificate(_swapped(found.certificate.tree))), named, box
    )


def _swapped(tree: RefutedLeaf | NumericSplit | CaseSplit) -> RefutedLeaf | NumericSplit | CaseSplit:
    if isinstance(tree, RefutedLeaf):
        return RefutedLeaf("far" if tree.condition == "near" else "near")
    assert isinstance(tree, NumericSplit)
    return replace(tree, low=_swapped(tree.low), high=_swapped(tree.high))


def test_a_statement_of_a_solver_is_put_to_another() -> None:
    named = {"at most": parse_expression("x <= 3"), "more": parse_expression("x > 3")}
    found = Proof(("at most", "more"), "z3", SolverStatement(("at most", "more"), "unsat"))
    assert recheck_proof(found, named, {"x": (0.0, 9.0)})
    assert not recheck_proof(found, {**named, "more": parse_expression("x > 2.9")}, {"x": (0.0, 9.0)})
