"""What holds of every unit, record, plan and proof: nothing hangs on spelling, order, repetition or trust."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import pint
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import strategies
from golden_records import NAMES, Data, checked, claiming, golden, golden_report, published
from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics import impossibility
from impossible_moments.mechanics.analysis import Analysis
from impossible_moments.mechanics.check import Report
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.intervals import Box
from impossible_moments.mechanics.parsing import parse
from impossible_moments.mechanics.proofs import Leaf, Proof, Split, Splitting, Statement, decide, recheck
from impossible_moments.mechanics.sensitivity import profile
from impossible_moments.mechanics.sorts import TypeProblem, type_of
from impossible_moments.mechanics.symbolic import admissible_box
from impossible_moments.mechanics.units import UnitError, known_units, unit
from rewritten_records import in_other_units, names_of, renamed, reordered

ENDS = re.compile(r"goal|late|short|blocked [\w.]+|never \w+")
PREFIXES = ("f", "p", "n", "u", "m", "c", "d", "h", "k", "M", "G", "T")
PREFIXED = ("m", "g", "s", "A", "K", "mol", "cd", "N", "Pa", "J", "W", "V", "C", "F", "ohm", "S", "H", "Wb", "T",
            "Hz", "l", "L", "bar", "eV", "lm", "lx", "Gy", "Sv", "Bq")  # fmt: skip
ELSEWHERE = {"rpm": "1/min", "ly": "light_year", "percent": "percent", "t": "metric_ton", "1": "dimensionless"}
MONEY = frozenset({"eur", "EUR", "usd", "USD"})
SLOW = frozenset(claiming("OF"))
QUICK = tuple(name for name in NAMES if name not in SLOW)

each_quick_record = pytest.mark.parametrize("name", QUICK)


@pytest.fixture(scope="module")
def registry() -> pint.UnitRegistry:
    return pint.UnitRegistry(autoconvert_offset_to_baseunit=True)


def summary(report: Report) -> tuple[str | None, Counter[str]]:
    """What must not hang on how a record is said: its status and how often each code was found."""
    return report.verdict and report.verdict.status, Counter(report.findings.codes)


def analysis_of(name: str) -> Analysis:
    analysis = golden_report(name).analysis
    assert analysis is not None
    return analysis


# units


@given(strategies.units(), st.floats(-1e9, 1e9))
def test_a_value_comes_back_from_si_as_it_went(name: str, value: float) -> None:
    measure = unit(name)

    assert math.isclose(measure.from_si(measure.to_si(value)), value, rel_tol=1e-9, abs_tol=1e-6)


@pytest.mark.parametrize("name", [name for name in known_units() if name not in MONEY])
def test_a_unit_is_as_large_as_pint_says(name: str, registry: pint.UnitRegistry) -> None:
    expected = registry.Quantity(3.0, ELSEWHERE.get(name, name)).to_base_units()

    assert math.isclose(unit(name).to_si(3.0), _in_si(expected), rel_tol=1e-9)


@pytest.mark.parametrize("name", PREFIXED)
def test_a_prefixed_unit_is_as_large_as_pint_says(name: str, registry: pint.UnitRegistry) -> None:
    sizes = {
        prefix + name: _in_si(registry.Quantity(1.0, prefix + name).to_base_units()) for prefix in PREFIXES
    }

    assert {each: unit(each).factor for each in sizes} == pytest.approx(sizes, rel=1e-9)


def _in_si(quantity: Any) -> float:  # noqa: ANN401 - pint's quantities have no useful type
    """A value in SI base units with kilograms; pint's base units are the same, but for the radian."""
    return float(quantity.magnitude)


@given(strategies.units(), strategies.units())
def test_what_measures_differently_cannot_be_added(one: str, other: str) -> None:
    assume(unit(one).dimension != unit(other).dimension)
    tree = ex.Arithmetic("+", ex.Number(1.0, unit(one).dimension), ex.Number(1.0, unit(other).dimension))

    with pytest.raises(TypeProblem):
        type_of(tree, _nothing)


def test_metres_and_seconds_cannot_be_added() -> None:
    with pytest.raises(TypeProblem):
        type_of(parse("1[m] + 1[s]"), _nothing)


@given(strategies.units(), strategies.units())
def test_what_measures_alike_can_be_added(one: str, other: str) -> None:
    assume(unit(one).dimension == unit(other).dimension)
    tree = ex.Arithmetic("+", ex.Number(1.0, unit(one).dimension), ex.Number(1.0, unit(other).dimension))

    assert type_of(tree, _nothing) == unit(one).dimension


@given(st.text("abdefghkmnopstuMGT", min_size=2, max_size=6))
def test_a_unit_is_read_or_refused_and_nothing_else(text: str) -> None:
    try:
        measure = unit(text)
    except UnitError:
        return
    assert 0 < measure.factor < math.inf


def _nothing(node: ex.Name | ex.Property) -> Any:  # noqa: ANN401 - never answers
    raise AssertionError(node)


# what a verdict does not hang on


@each_quick_record
@settings(max_examples=3)
@given(strategies.orders)
def test_a_verdict_does_not_hang_on_the_units_values_are_written_in(name: str, order: Random) -> None:
    assert summary(checked(in_other_units(golden(name), order))) == summary(golden_report(name))


@each_quick_record
@settings(max_examples=3)
@given(st.data())
def test_a_verdict_does_not_hang_on_names(name: str, draw: st.DataObject) -> None:
    data = golden(name)
    names = draw.draw(strategies.names_for(data))

    assert summary(checked(renamed(data, names))) == summary(golden_report(name))


@each_quick_record
@settings(max_examples=3)
@given(strategies.orders)
def test_a_verdict_does_not_hang_on_the_order_of_a_record(name: str, order: Random) -> None:
    assert summary(checked(reordered(golden(name), order))) == summary(golden_report(name))


@pytest.mark.parametrize("name", ["blast_room", "sealed_cage"])
@settings(max_examples=3)
@given(st.data())
def test_what_is_wrong_does_not_hang_on_names_order_or_units(name: str, draw: st.DataObject) -> None:
    data = published(name)
    order = draw.draw(strategies.orders)
    other = in_other_units(reordered(renamed(data, draw.draw(strategies.names_for(data))), order), order)

    assert summary(checked(other)) == summary(checked(data))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SLOW))
def test_a_frontier_does_not_hang_on_names_order_or_units(name: str) -> None:
    data, order = golden(name), Random(1)
    other = in_other_units(reordered(renamed(data, strategies.fresh_names(data, order)), order), order)

    assert summary(checked(other)) == summary(golden_report(name))


@pytest.mark.parametrize("name", NAMES)
def test_renaming_leaves_no_old_name_in_a_plan(name: str) -> None:
    data = golden(name)
    other = renamed(data, strategies.fresh_names(data, Random(1)))
    words = {word for each in other["approaches"] for call in each["plan"] for word in _words(call)}

    assert words.isdisjoint({*names_of(data)["things"], *names_of(data)["verbs"]})


def _words(call: str) -> list[str]:
    return re.findall(r"\w+", re.sub(r"'[^']*'|\"[^\"]*\"", "", call))


# repetition


@each_quick_record
def test_checking_a_record_again_finds_the_same(name: str) -> None:
    assert list(checked(golden(name)).findings) == list(golden_report(name).findings)


@settings(max_examples=10)
@given(st.sampled_from(QUICK), st.sampled_from(QUICK))
def test_the_order_of_two_checks_does_not_matter(one: str, other: str) -> None:
    first, second = checked(golden(one)), checked(golden(other))
    second_first, first_second = checked(golden(other)), checked(golden(one))

    assert [list(first.findings), list(second.findings)] == [
        list(first_second.findings),
        list(second_first.findings),
    ]


# plans


@each_quick_record
@settings(max_examples=15)
@given(st.data())
def test_any_plan_ends_in_one_of_the_six_forms(name: str, draw: st.DataObject) -> None:
    executor = analysis_of(name).executor
    outcome = executor.run(draw.draw(strategies.plans(executor)))

    assert ENDS.fullmatch(outcome.end)


@each_quick_record
@settings(max_examples=10)
@given(st.data())
def test_a_plan_carried_out_twice_ends_alike(name: str, draw: st.DataObject) -> None:
    executor = analysis_of(name).executor
    plan = draw.draw(strategies.plans(executor))

    assert executor.run(plan) == executor.run(plan)


@each_quick_record
@settings(max_examples=10)
@given(st.data())
def test_a_plan_that_is_written_down_and_read_again_ends_alike(name: str, draw: st.DataObject) -> None:
    executor = analysis_of(name).executor
    plan = draw.draw(strategies.plans(executor))

    assert executor.run(executor.plan(move.text for move in plan)) == executor.run(plan)


@each_quick_record
def test_no_plan_that_the_search_calls_a_way_fails(name: str) -> None:
    analysis = analysis_of(name)

    assert [way.calls for way in analysis.found.ways if not analysis.executor.run(way.plan).reaches_goal] == []


# sensitivity


@settings(max_examples=40)
@given(strategies.breaking())
def test_a_planted_breaking_value_makes_a_way_fragile_just_there(planted: strategies.Planted) -> None:
    verdict = checked(planted.data).verdict

    assert verdict is not None
    (fragile,) = verdict.fragile_in
    assert (verdict.status, fragile.quantity) == ("KS-Fragile", "pull")
    assert math.isclose(fragile.breaks_at, planted.limit, rel_tol=1e-3)


@settings(max_examples=40)
@given(strategies.holding())
def test_a_way_that_works_in_the_whole_range_is_not_fragile(planted: strategies.Planted) -> None:
    verdict = checked(planted.data).verdict

    assert verdict is not None
    assert verdict.fragile_in == ()


@settings(max_examples=40)
@given(strategies.breaking_between())
def test_a_planted_stretch_within_a_range_makes_a_way_fragile(planted: strategies.Planted) -> None:
    verdict = checked(planted.data).verdict

    assert verdict is not None
    assert verdict.status == "KS-Fragile", verdict.reason


@settings(max_examples=40)
@given(strategies.breaking() | strategies.holding())
def test_the_profile_says_whether_a_fifth_less_breaks_the_way(planted: strategies.Planted) -> None:
    assume(abs(0.8 * planted.value / planted.limit - 1) > 1e-6)
    analysis = checked(planted.data).analysis
    assert analysis is not None
    (pull,) = [each for each in profile(analysis.executor, analysis.plans["lever"]) if each.quantity == "pull"]

    assert (pull.lower == "goal") == (0.8 * planted.value > planted.limit)


# proofs


class Made(NamedTuple):
    """A proof with the conditions and the box it is about."""

    proof: Proof
    conditions: Mapping[str, Expression]
    box: Box


def proved(analysis: Analysis) -> list[Made]:
    """A proof for each condition that stops an approach of a paradox wherever in the ranges one looks."""
    world, made = analysis.world, []
    box = admissible_box(world.quantities, estimates_doubled=True)
    for plan in analysis.plans.values():
        for test in (test for move in plan for test in move.tests):
            if not world.bases(test.tree) & world.mutable and not test.holds(analysis.engine.start()):
                conditions = {test.name: world.expanded(test.tree)}
                proof = decide(conditions, box)
                assert isinstance(proof, Proof), test.name
                made.append(Made(proof, conditions, box))
    return made


def put_to_the_recheck(data: Data) -> list[Made]:
    """The proofs that a check of some data makes and puts to the re-check."""
    made: list[Made] = []

    def noted(proof: Proof, conditions: Mapping[str, Expression], box: Box) -> bool:
        made.append(Made(proof, dict(conditions), dict(box)))
        return recheck(proof, conditions, box)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(impossibility, "recheck", noted)
        checked(data)
    return made


@pytest.mark.parametrize("name", claiming("PX"))
def test_a_golden_paradox_rests_on_proofs_that_were_rechecked(name: str) -> None:
    assert put_to_the_recheck(golden(name))


@pytest.mark.parametrize("name", claiming("PX"))
def test_every_proof_that_a_golden_paradox_rests_on_passes_its_recheck(name: str) -> None:
    assert all(recheck(*made) for made in put_to_the_recheck(golden(name)))


@pytest.mark.parametrize("name", claiming("PX"))
def test_what_stops_an_approach_of_a_golden_paradox_is_proved_over_all_ranges(name: str) -> None:
    made = proved(analysis_of(name))

    assert made
    assert all(recheck(*each) for each in made)


@pytest.mark.parametrize("name", claiming("PX"))
def test_a_proof_about_the_contrary_of_what_stops_an_approach_is_refused(name: str) -> None:
    for made in proved(analysis_of(name)):
        contrary = {condition: ex.Not(tree) for condition, tree in made.conditions.items()}
        assert not recheck(made.proof, contrary, made.box)


@pytest.mark.parametrize("name", claiming("PX"))
def test_a_proof_without_a_core_is_refused(name: str) -> None:
    for made in proved(analysis_of(name)):
        assert not recheck(replace(made.proof, core=()), made.conditions, made.box)


@settings(max_examples=15)
@given(strategies.conflicts())
def test_two_calls_that_never_succeed_together_are_proved_to_conflict(data: Data) -> None:
    verdict = checked(data).verdict

    assert verdict is not None
    assert verdict.impossibility is not None
    assert verdict.impossibility.proved
    assert [each.rechecked for each in verdict.impossibility.closed] == [True]


@settings(max_examples=15)
@given(strategies.conflicts())
def test_the_proof_of_a_conflict_names_both_conditions(data: Data) -> None:
    (made,) = put_to_the_recheck(data)

    assert set(made.proof.core) == {"prise.strong", "lift.gentle"}


@settings(max_examples=15)
@given(strategies.conflicts())
def test_a_tampered_proof_of_a_conflict_is_refused(data: Data) -> None:
    (made,) = put_to_the_recheck(data)
    accepted = [name for name, proof in _tampered(made.proof) if recheck(proof, made.conditions, made.box)]

    assert accepted == []


def _tampered(proof: Proof) -> Iterator[tuple[str, Proof]]:
    """False proofs that look much like a true one of two conditions."""
    first, last = proof.core
    yield "half of the core", replace(proof, core=(first,))
    yield "the other half of the core", replace(proof, core=(last,))
    yield "the core twice", replace(proof, core=(*proof.core, *proof.core))
    yield "a condition more", replace(proof, core=(*proof.core, "goal"))
    yield "a condition nobody knows", replace(proof, core=(first, "weather"))
    yield "one condition blamed", Proof((first,), "interval", Splitting(Leaf(first)))
    yield "the other blamed", Proof((last,), "interval", Splitting(Leaf(last)))
    yield "a statement about one condition", Proof((first,), "z3", Statement((first,), "unsat"))
    yield "a cut outside the box", replace(
        proof,
        method="branch-and-bound",
        certificate=Splitting(Split("pull", math.inf, Leaf(first), Leaf(last))),
    )
    yield "the parts exchanged", replace(
        proof,
        method="branch-and-bound",
        certificate=Splitting(Split("pull", 1e-9, Leaf(first), Leaf(last))),
    )
