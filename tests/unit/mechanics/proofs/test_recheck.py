"""The re-check believes nothing: each way of tampering with a proof is seen."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.intervals import Box, Reading
from impossible_moments.mechanics.parsing import parse
from impossible_moments.mechanics.proofs import (
    Cases,
    Leaf,
    Proof,
    Split,
    Splitting,
    Statement,
    decide,
    recheck,
)
from impossible_moments.mechanics.proofs.second_reading import is_false
from trees import boxes, conditions

BOX: Box = {"x": (0.0, 8.0), "y": (0.0, 8.0), "mode": frozenset({"in", "out"})}
CONDITIONS = {
    "small": parse("x <= 3"),
    "large": parse("x >= 5"),
    "shut": parse("not open"),
    "either": parse("open or x > 20"),
    "inside": parse("mode == 'in'"),
    "outside": parse("mode == 'out'"),
}
HALVES = Split("x", 4.0, Leaf("large"), Leaf("small"))
FACTS = Cases("open", ((True, Leaf("shut")), (False, Leaf("either"))))
WORDS = Cases("mode", (("in", Leaf("outside")), ("out", Leaf("inside"))))


def proof(tree: Split | Cases | Leaf, *core: str) -> Proof:
    return Proof(core, "branch-and-bound", Splitting(tree))


@settings(max_examples=300)
@given(boxes(edges=True), conditions(edges=True))
def test_the_second_reading_confirms_what_intervals_refute(box: Box, tree: Expression) -> None:
    if Reading(box).truth(tree) is False:
        assert is_false(tree, box)


@pytest.mark.parametrize(
    "honest",
    [proof(HALVES, "small", "large"), proof(FACTS, "shut", "either"), proof(WORDS, "inside", "outside")],
)
def test_an_honest_proof_passes(honest: Proof) -> None:
    assert recheck(honest, CONDITIONS, BOX)


@pytest.mark.parametrize(
    "tampered",
    [
        pytest.param(
            proof(Split("x", 4.0, Leaf("small"), Leaf("large")), "small", "large"), id="leaves swapped"
        ),
        pytest.param(proof(Split("x", 5.5, Leaf("large"), Leaf("small")), "small", "large"), id="cut moved"),
        pytest.param(
            proof(Split("x", 9.0, Leaf("large"), Leaf("small")), "small", "large"), id="cut outside"
        ),
        pytest.param(
            proof(Split("x", 0.0, Leaf("large"), Leaf("small")), "small", "large"), id="cut at the end"
        ),
        pytest.param(
            proof(Split("x", float("nan"), Leaf("large"), Leaf("small")), "small", "large"), id="no number"
        ),
        pytest.param(
            proof(Split("y", 4.0, Leaf("large"), Leaf("small")), "small", "large"), id="other direction"
        ),
        pytest.param(
            proof(Split("w", 4.0, Leaf("large"), Leaf("small")), "small", "large"), id="unknown name"
        ),
        pytest.param(proof(HALVES, "small"), id="core too small"),
        pytest.param(proof(HALVES, "small", "large", "shut"), id="core too large"),
        pytest.param(proof(HALVES, "small", "large", "large"), id="name twice"),
        pytest.param(proof(HALVES, "small", "huge"), id="no such condition"),
        pytest.param(proof(Leaf("small"), "small"), id="nothing cut"),
        pytest.param(replace(proof(HALVES, "small", "large"), method="interval"), id="other method"),
        pytest.param(replace(proof(HALVES, "small", "large"), method="z3"), id="no statement"),
        pytest.param(proof(Cases("open", ((True, Leaf("shut")),)), "shut"), id="a case missing"),
        pytest.param(proof(Cases("mode", (("in", Leaf("outside")),)), "outside"), id="a word missing"),
        pytest.param(
            proof(Cases("x", ((True, Leaf("large")), (False, Leaf("small")))), "small", "large"), id="no fact"
        ),
        pytest.param(Proof(("small",), "z3", Statement(("small",), "unsat")), id="satisfiable statement"),
        pytest.param(Proof(("small", "large"), "z3", Statement(("small",), "unsat")), id="another core"),
        pytest.param(Proof((), "z3", Statement((), "unsat")), id="empty core"),
    ],
)
def test_a_tampered_proof_fails(tampered: Proof) -> None:
    assert not recheck(tampered, CONDITIONS, BOX)


def test_a_proof_does_not_carry_over_to_a_different_box_or_a_weaker_condition() -> None:
    box: Box = {"x": (0.0, 2.0), "y": (0.0, 2.0)}
    named = {"near": parse("x**2 + y**2 <= 1"), "far": parse("x + y >= 1.8")}
    found = decide(named, box)
    assert isinstance(found, Proof)
    assert recheck(found, named, box)
    assert not recheck(found, {**named, "far": parse("x + y >= 1.4")}, box)
    assert not recheck(found, named, {**box, "x": (0.0, 0.5)})
    whole = {"area": parse("x*y >= 20")}
    assert recheck(Proof(("area",), "interval", Splitting(Leaf("area"))), whole, box)
    assert not recheck(
        Proof(("area",), "interval", Splitting(Leaf("area"))), whole, {**box, "x": (0.0, 11.0)}
    )


def test_every_moved_leaf_of_a_found_proof_is_seen_or_still_true() -> None:
    box: Box = {"x": (0.0, 2.0), "y": (0.0, 2.0)}
    named = {"near": parse("x**2 + y**2 <= 1"), "far": parse("x + y >= 1.8")}
    found = decide(named, box)
    assert isinstance(found, Proof)
    assert isinstance(found.certificate, Splitting)
    assert not recheck(replace(found, certificate=Splitting(_swapped(found.certificate.tree))), named, box)


def _swapped(tree: Leaf | Split | Cases) -> Leaf | Split | Cases:
    if isinstance(tree, Leaf):
        return Leaf("far" if tree.condition == "near" else "near")
    assert isinstance(tree, Split)
    return replace(tree, low=_swapped(tree.low), high=_swapped(tree.high))


def test_a_statement_of_a_solver_is_put_to_another() -> None:
    named = {"at most": parse("x <= 3"), "more": parse("x > 3")}
    found = Proof(("at most", "more"), "z3", Statement(("at most", "more"), "unsat"))
    assert recheck(found, named, {"x": (0.0, 9.0)})
    assert not recheck(found, {**named, "more": parse("x > 2.9")}, {"x": (0.0, 9.0)})
