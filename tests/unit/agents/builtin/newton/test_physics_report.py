"""NEWTON: verdicts with numbers, margins and sources, and corrections that name what must change."""

from __future__ import annotations

import pytest

from impossible_moments.domain.seed import PhysicalClaim
from support.planted_faults import (
    HEALTHY,
    add_claim,
    build_healthy_seed,
    build_seed_of_offer,
    change_properties,
    change_quantities,
    run_euler,
    run_newton,
)


def test_a_verdict_states_the_numbers_the_margin_and_the_sources() -> None:
    seed = add_claim("swings + crossing/shove_speed + climb <= clock")(build_healthy_seed("cellar"))
    verdicts = {each.claim_id: each.reasoning for each in run_newton(seed).claims}
    assert "2.75 m" in verdicts["C3"]
    assert "2.65 m" in verdicts["C3"]
    assert "3.6% to spare" in verdicts["C3"]
    assert "(“lower edge above the floor at a height of” of the pavement light)" in verdicts["C3"]
    assert "Sources: all stated in the scenario." in verdicts["C3"]
    assert "(estimate: up, hands on the edge, through)" in verdicts["C9"]


def test_verdicts_of_different_claims_differ() -> None:
    reasons = [each.reasoning for name in HEALTHY for each in run_newton(build_healthy_seed(name)).claims]
    assert len(set(reasons)) > 0.9 * len(reasons)


def test_a_claim_in_words_is_judged_by_what_it_names() -> None:
    lying, going, clock = (each.reasoning for each in run_newton(build_healthy_seed("chiefs")).claims)
    assert "Executed at 0.7 m³/min (`calm`) `just_lie` ends `never used_up`" in lying
    assert "Executed at 0.7 m³/min (`calm`) `go_now` reaches the goal" in going
    assert (
        "what counts towards “smoke that makes the room unfit to breathe” = 0 m³, and it comes once that is more than 9.5 m³"
        in clock
    )
    assert "If nothing is done, that is so after" in clock
    demand, *_ = (each.reasoning for each in run_newton(build_healthy_seed("nerve")).claims)
    assert "`over` at the best known values" in demand
    assert "`in_time`" not in demand


def test_each_demand_on_an_open_problem_is_compared_with_the_limit_that_concerns_it() -> None:
    seed = build_seed_of_offer("beyond_the_measured_size", "paper_wasp", "frontier")
    lasts, lifts, *_ = (each.reasoning for each in run_newton(seed).claims)
    assert lasts.startswith("`lasts` where `shown` limits “hoard”: ")
    assert "= 3560 J/g, required at least" in lasts
    assert lifts.startswith("`lifts` where `shown` limits “flow”: ")
    assert "= 0.05 W/g, required at least" in lifts


def test_the_weakest_admitted_person_is_computed() -> None:
    report = run_newton(add_claim("you.push >= 590[N]")(build_healthy_seed("cellar")))
    (claim,) = [each for each in report.claims if each.claim_id == "C9"]
    assert claim.verdict == "VALID"
    assert "weakest person" in claim.reasoning
    assert any(concern.startswith("C9 for the weakest person") for concern in report.concerns)


def test_a_claim_about_a_state_is_evaluated_after_the_step_that_brings_it_about() -> None:
    report = run_newton(add_claim("step.placed")(build_healthy_seed("cellar")))
    (claim,) = [each for each in report.claims if each.claim_id == "C9"]
    assert claim.verdict == "VALID"
    assert claim.reasoning.startswith("After step 2, shove_under(step)")


def test_a_claim_that_names_its_step_is_evaluated_before_that_step() -> None:
    placed = PhysicalClaim(claim_id="C9", text="It is so.", expression="step.placed", step=3)
    too_early = placed.model_copy(update={"claim_id": "C10", "step": 2})
    healthy = build_healthy_seed("cellar")
    sketch = healthy.solution_sketch
    claims = (*sketch.claims, placed, too_early)
    seed = healthy.model_copy(update={"solution_sketch": sketch.model_copy(update={"claims": claims})})
    for verdicts in (
        {each.claim_id: each.verdict for each in run_newton(seed).claims},
        {each.claim_id: each.verdict for each in run_euler(seed).claims},
    ):
        assert verdicts["C9"] == "VALID"
        assert verdicts["C10"] == "INVALID"


def test_a_state_that_no_step_brings_about_is_invalid() -> None:
    report = run_newton(add_claim("stool.placed")(build_healthy_seed("cellar")))
    (claim,) = [each for each in report.claims if each.claim_id == "C9"]
    assert claim.verdict == "INVALID"
    assert "no step of the sketch" in claim.reasoning


def test_a_false_claim_leads_to_a_correction_with_a_value_that_repairs_it() -> None:
    healthy = add_claim("step.bears >= you.mass")(build_healthy_seed("cellar"))
    report = run_newton(change_properties(step__bears="60[kg]")(healthy))
    (correction,) = [each for each in report.corrections_needed if each.problem.startswith("Claim C9")]
    assert correction.subject == "step.bears"
    assert correction.proposal.startswith("step.bears = 94.")
    repaired = change_properties(step__bears="94.2[kg]")(healthy)
    assert run_newton(repaired).corrections_needed == ()


def test_an_impossible_mass_is_vetoed_with_the_mass_that_fits() -> None:
    report = run_newton(change_properties(hammer__mass="110[kg]")(build_healthy_seed("cellar")))
    (veto,) = report.vetoes
    assert veto.law == "mass is density times volume"
    assert "4.19e+04 kg/m³" in veto.proof[0].text
    assert "a mass of at most 29.92 kg" in veto.corrective_proposal
    assert report.corrections_needed[0].subject == "hammer.mass"
    assert report.feasibility == "INVALID"


def test_every_step_of_the_sketch_has_its_conditions_and_forces() -> None:
    lines = run_newton(build_healthy_seed("cellar")).force_and_motion
    assert [line.partition(":")[0] for line in lines] == [
        "swing_at(hammer, opening)",
        "shove_under(step)",
        "climb_out(step, opening)",
    ]
    assert "95 J, required at least 70 J" in lines[0]
    assert "slides under" in lines[1]


def test_a_temperature_has_a_computed_effect() -> None:
    seed = change_quantities(floor_heat="353[K]")(build_healthy_seed("cellar"))
    lines = run_newton(seed).environment
    assert any("floor heat is 353 K" in line and "above 44 °C" in line for line in lines)
    assert not any("floor heat" in line for line in run_newton(build_healthy_seed("cellar")).environment)


def test_a_deadline_is_compared_with_an_amount_and_a_rate() -> None:
    healthy = build_healthy_seed("cellar")
    agreeing = run_newton(change_quantities(tank="750[l]", leak="10[l/s]")(healthy)).threat_model
    differing = run_newton(change_quantities(tank="7500[l]", leak="10[l/s]")(healthy)).threat_model
    assert any("tank / leak = 750 l / 10 l/s = 75 s, 0% from the deadline" in line for line in agreeing)
    assert any("cannot be computed" in line for line in differing)


@pytest.mark.parametrize("name", HEALTHY)
def test_confidence_is_derived_and_not_constant(name: str) -> None:
    assert 0.5 <= run_newton(build_healthy_seed(name)).confidence <= 0.97


def test_thin_margins_and_missing_expressions_lower_the_confidence() -> None:
    healthy = build_healthy_seed("cellar")
    base = run_newton(healthy).confidence
    thin = run_newton(change_properties(opening__sill="2.749[m]")(healthy)).confidence
    sketch = healthy.solution_sketch
    words = PhysicalClaim(claim_id="C9", text="It is so.")
    vague = healthy.model_copy(
        update={"solution_sketch": sketch.model_copy(update={"claims": (*sketch.claims, words)})}
    )
    assert thin < base
    assert run_newton(vague).confidence < base


def test_an_ability_in_the_capability_table_counts_as_stated() -> None:
    seed = build_healthy_seed("glue")
    assert not any("is not stated" in concern for concern in run_newton(seed).concerns)
    rows = tuple(row for row in seed.scenario.capabilities if "through an opening" not in row.parameter)
    without = seed.model_copy(update={"scenario": seed.scenario.model_copy(update={"capabilities": rows})})
    assert any("`you.scramble` decides" in concern for concern in run_newton(without).concerns)
