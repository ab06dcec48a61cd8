"""Physical claims: they decide the design, name both sides with values, and can be broken."""

from __future__ import annotations

import re

import pytest

from impossible_moments.agents.builtin.athena.claims.claim_expressions import CHANGE, is_vacuous
from impossible_moments.agents.builtin.athena.claims.physical_claims import derive_physical_claims
from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign
from impossible_moments.domain.seed import PhysicalClaim
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.checks.record_design import read_record_design
from impossible_moments.mechanics.language.expression_parser import parse_expression
from impossible_moments.mechanics.language.expressions import Comparison
from support.planted_faults import (
    HEALTHY,
    build_healthy_seed,
    build_seed_of_offer,
    run_euler,
    run_newton,
)
from support.small_blueprints import build_seed, draw_room


def design_of(record: dict[str, object]) -> DeclaredDesign:
    design, findings = read_record_design(record, load_everyday_library())
    assert design is not None, findings
    return DeclaredDesign(design)


def claims_of(name: str) -> tuple[PhysicalClaim, ...]:
    return build_seed(draw_room(name)).solution_sketch.claims


@pytest.mark.parametrize("name", HEALTHY)
def test_every_design_has_claims_and_none_of_them_is_false_at_the_stated_values(name: str) -> None:
    seed = build_healthy_seed(name)
    declared = design_of(seed.mechanics)
    claims = seed.solution_sketch.claims
    assert claims
    computed = [each for each in claims if each.expression]
    for claim in computed:
        tree = parse_expression(claim.expression, declared.world.library.templates)
        assert declared.engine.evaluate_expression(tree) is True, claim


@pytest.mark.parametrize("name", HEALTHY)
def test_no_claim_is_a_bound_at_zero(name: str) -> None:
    for claim in build_healthy_seed(name).solution_sketch.claims:
        assert not re.search(r"(?:>=?|<=?) -?0(?:\.0+)?(?:\[[^\]]*\])?$", claim.expression)


def test_a_claim_names_both_sides_with_values_and_units() -> None:
    (claim,) = [
        each
        for each in claims_of("ice_house/one_way")
        if each.expression == "hammer.blow >= opening.withstands"
    ]
    figures = re.findall(r"\d+ J", claim.text)
    assert len(figures) == 4
    assert " against " in claim.text
    assert "is at least" in claim.text


def test_the_condition_that_stops_a_wrong_answer_is_claimed_as_failing() -> None:
    texts = {each.expression: each.text for each in claims_of("ice_house/one_way")}
    assert texts["you.reach + you.jump < opening.sill"].startswith("The wrong answer “")


def test_a_comparison_that_half_of_every_number_leaves_true_is_vacuous() -> None:
    declared = design_of(draw_room("ice_house/one_way").instance.record)
    (way,) = declared.answering
    step = declared.list_steps(way)[-1]
    wide = parse_expression("opening.clear >= 0.1*you.width", declared.world.library.templates)
    tight = parse_expression("opening.clear >= you.width", declared.world.library.templates)
    assert isinstance(wide, Comparison)
    assert isinstance(tight, Comparison)
    assert CHANGE == 0.5
    assert is_vacuous(wide, declared, way, step)
    assert not is_vacuous(tight, declared, way, step)


def test_a_condition_on_what_a_step_has_changed_is_claimed_in_values_at_the_start() -> None:
    declared = design_of(draw_room("ice_house/one_way").instance.record)
    (way,) = declared.answering
    last = declared.list_steps(way)[-1]
    placed = parse_expression("step.placed", declared.world.library.templates)
    assert declared.engine.evaluate_expression(placed, last.values) is True
    assert declared.engine.evaluate_expression(placed) is False
    assert declared.engine.evaluate_expression(declared.replace_effects(placed, last.effects)) is True


def test_a_wrong_statement_of_the_design_becomes_a_false_claim() -> None:
    record = dict(draw_room("ice_house/one_way").instance.record)
    record["things"] = [
        {**thing, "props": re.sub(r"blow = [\d.]+", "blow = 1000", "\n".join(thing["props"]))}
        if thing["name"] == "tapper"
        else thing
        for thing in record["things"]
    ]
    declared = design_of(record)
    found = {each.expression for each in derive_physical_claims(declared, {}, {})}
    false = [
        text
        for text in found
        if text and declared.engine.evaluate_expression(parse_expression(text)) is False
    ]
    assert false == ["tapper.blow < opening.withstands"]


def test_the_danger_that_a_wrong_answer_meets_is_claimed_for_both_sides() -> None:
    seed = build_seed_of_offer("the_small_mark", "chalk_on_the_pump", "in_plain_sight")
    solution, wrong, *_ = seed.solution_sketch.claims
    assert solution.expression == "plain.strain <= limit"
    assert wrong.expression == "star.strain > limit"
    assert wrong.text.startswith("The wrong answer “Pump the water in the courtyard” fails. After step 1")


def test_a_claim_about_a_sum_of_steps_is_computed_once_from_the_start() -> None:
    seed = build_seed_of_offer("dose_and_damage", "thirty_milliseconds", "disputed")
    (claim,) = [
        each
        for each in seed.solution_sketch.claims
        if each.expression == "gained + alpha.helps + gamma.helps >= need"
    ]
    stated = re.search(r"(\d+) % is at least", claim.text)
    assert stated is not None
    (physics,) = [each for each in run_newton(seed).claims if each.claim_id == claim.claim_id]
    (mathematics,) = [each for each in run_euler(seed).claims if each.claim_id == claim.claim_id]
    assert f" {stated[1]} %, required at least" in physics.reasoning
    assert f" {stated[1]} % ≥ " in mathematics.calculation


def test_a_duration_that_a_choice_decides_is_computed_with_the_choice_of_its_own_plan() -> None:
    seed = build_seed_of_offer("the_eager_hand", "gate_valve", "less_haste")
    (claim,) = [each for each in seed.solution_sketch.claims if "`crawl`" in each.text]
    assert claim.expression == "150*each > clock"
    assert run_euler(seed).challenges == ()


def test_a_condition_on_what_is_chosen_is_claimed_with_the_choice_of_its_plan() -> None:
    seed = build_seed_of_offer("say_it_wrong", "dhow_at_lamu", "inverted")
    solution, wrong, *_ = seed.solution_sketch.claims
    assert solution.expression == "abs(9 + (came_monday - asked_monday) - meant) <= slack"
    assert "0 is at most 0.5" in solution.text
    assert wrong.expression == "abs(16 + (came_monday - asked_monday) - meant) > slack"
    assert "7 is more than 0.5" in wrong.text


def test_a_choice_keeps_its_unit_in_a_claim() -> None:
    seed = build_seed_of_offer("say_it_wrong", "rice_for_the_feast", "inverted")
    assert seed.solution_sketch.claims[0].expression == "abs(200[kg]*(1 - cut)*(1 + adds) - meant) <= slack"
    assert {each.verdict for each in run_newton(seed).claims} == {"VALID"}
