"""Every proof passes its re-check, and none that was tampered with does."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given, settings

from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_evaluation import Box
from impossible_moments.mechanics.proofs import (
    NumericSplit,
    Proof,
    RefutedLeaf,
    SolverStatement,
    SplittingCertificate,
    decide_joint_satisfiability,
    impossibility,
    recheck_proof,
)
from impossible_moments.mechanics.proofs.admissible_box import build_admissible_box
from support import strategies
from support.golden_records import (
    Data,
    check_golden_record,
    check_record,
    list_records_claiming,
    load_golden_record,
)


def analysis_of(name: str) -> WorldAnalysis:
    analysis = check_golden_record(name).analysis
    assert analysis is not None
    return analysis


class Made(NamedTuple):
    """A proof with the conditions and the box it is about."""

    proof: Proof
    conditions: Mapping[str, Expression]
    box: Box


def proved(analysis: WorldAnalysis) -> list[Made]:
    """A proof for each condition that stops an approach of a paradox wherever in the ranges one looks."""
    world, made = analysis.world, []
    box = build_admissible_box(world.quantities, estimates_doubled=True)
    for plan in analysis.plans.values():
        for test in (test for move in plan for test in move.tests):
            if not world.collect_stated_quantities(test.tree) & world.mutable and not test.holds(
                analysis.engine.build_start_values()
            ):
                conditions = {test.name: world.expand_derived_quantities(test.tree)}
                proof = decide_joint_satisfiability(conditions, box)
                assert isinstance(proof, Proof), test.name
                made.append(Made(proof, conditions, box))
    return made


def put_to_the_recheck(data: Data) -> list[Made]:
    """The proofs that a check of some data makes and puts to the re-check."""
    made: list[Made] = []

    def noted(proof: Proof, conditions: Mapping[str, Expression], box: Box) -> bool:
        made.append(Made(proof, dict(conditions), dict(box)))
        return recheck_proof(proof, conditions, box)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(impossibility, "recheck_proof", noted)
        check_record(data)
    return made


@pytest.mark.parametrize("name", list_records_claiming("PX"))
def test_a_golden_paradox_rests_on_proofs_that_were_rechecked(name: str) -> None:
    assert put_to_the_recheck(load_golden_record(name))


@pytest.mark.parametrize("name", list_records_claiming("PX"))
def test_every_proof_that_a_golden_paradox_rests_on_passes_its_recheck(name: str) -> None:
    assert all(recheck_proof(*made) for made in put_to_the_recheck(load_golden_record(name)))


@pytest.mark.parametrize("name", list_records_claiming("PX"))
def test_what_stops_an_approach_of_a_golden_paradox_is_proved_over_all_ranges(name: str) -> None:
    made = proved(analysis_of(name))

    assert made
    assert all(recheck_proof(*each) for each in made)


@pytest.mark.parametrize("name", list_records_claiming("PX"))
def test_a_proof_about_the_contrary_of_what_stops_an_approach_is_refused(name: str) -> None:
    for made in proved(analysis_of(name)):
        contrary = {condition: ex.Negation(tree) for condition, tree in made.conditions.items()}
        assert not recheck_proof(made.proof, contrary, made.box)


@pytest.mark.parametrize("name", list_records_claiming("PX"))
def test_a_proof_without_a_core_is_refused(name: str) -> None:
    for made in proved(analysis_of(name)):
        assert not recheck_proof(replace(made.proof, core=()), made.conditions, made.box)


@settings(max_examples=15)
@given(strategies.conflicting_worlds())
def test_two_calls_that_never_succeed_together_are_proved_to_conflict(data: Data) -> None:
    verdict = check_record(data).verdict

    assert verdict is not None
    assert verdict.impossibility is not None
    assert verdict.impossibility.proved
    assert [each.rechecked for each in verdict.impossibility.refuted_plans] == [True]


@settings(max_examples=15)
@given(strategies.conflicting_worlds())
def test_the_proof_of_a_conflict_names_both_conditions(data: Data) -> None:
    (made,) = put_to_the_recheck(data)

    assert set(made.proof.core) == {"prise.strong", "lift.gentle"}


@settings(max_examples=15)
@given(strategies.conflicting_worlds())
def test_a_tampered_proof_of_a_conflict_is_refused(data: Data) -> None:
    (made,) = put_to_the_recheck(data)
    accepted = [
        name for name, proof in _tampered(made.proof) if recheck_proof(proof, made.conditions, made.box)
    ]

    assert accepted == []


def _tampered(proof: Proof) -> Iterator[tuple[str, Proof]]:
    """False proofs that look much like a true one of two conditions."""
    first, last = proof.core
    yield "half of the core", replace(proof, core=(first,))
    yield "the other half of the core", replace(proof, core=(last,))
    yield "the core twice", replace(proof, core=(*proof.core, *proof.core))
    yield "a condition more", replace(proof, core=(*proof.core, "goal"))
    yield "a condition nobody knows", replace(proof, core=(first, "weather"))
    yield "one condition blamed", Proof((first,), "interval", SplittingCertificate(RefutedLeaf(first)))
    yield "the other blamed", Proof((last,), "interval", SplittingCertificate(RefutedLeaf(last)))
    yield "a statement about one condition", Proof((first,), "z3", SolverStatement((first,), "unsat"))
    yield (
        "a cut outside the box",
        replace(
            proof,
            method="branch-and-bound",
            certificate=SplittingCertificate(
                NumericSplit("pull", math.inf, RefutedLeaf(first), RefutedLeaf(last))
            ),
        ),
    )
    yield (
        "the parts exchanged",
        replace(
            proof,
            method="branch-and-bound",
            certificate=SplittingCertificate(
                NumericSplit("pull", 1e-9, RefutedLeaf(first), RefutedLeaf(last))
            ),
        ),
    )
