"""EULER: objections with both figures, and corrections that repair what they object to."""

from __future__ import annotations

from support.planted_faults import (
    add_claim,
    build_healthy_seed,
    change_properties,
    change_quantities,
    change_step_time,
    remove_step,
    replace_status,
    run_euler,
)


def test_a_calculation_shows_the_range_over_all_stated_ranges() -> None:
    seed = add_claim("swings + crossing/shove_speed + climb <= clock")(build_healthy_seed("cellar"))
    calculations = {each.claim_id: each.calculation for each in run_euler(seed).claims}
    assert "12 s to 23 s against 75 s: it holds everywhere" in calculations["C9"]


def test_a_claim_that_holds_only_as_stated_is_named() -> None:
    report = run_euler(add_claim("swings <= 7[s]")(build_healthy_seed("cellar")))
    (claim,) = [each for each in report.claims if each.claim_id == "C9"]
    assert claim.verdict == "VALID"
    assert "does not hold everywhere" in claim.calculation
    assert any("not over all stated ranges: C9" in line for line in report.edge_cases)


def test_a_sketch_without_a_step_is_vetoed_and_the_step_is_named() -> None:
    report = run_euler(remove_step("shove_under(step)")(build_healthy_seed("cellar")))
    assert "`blocked climb_out.ready`" in report.vetoes[0].proof[0].text
    assert report.corrections_needed[0].subject == "shove_under(step)"


def test_a_late_sketch_is_vetoed_and_a_sufficient_value_is_proposed() -> None:
    healthy = build_healthy_seed("cellar")
    report = run_euler(change_quantities(clock="17[s]")(healthy))
    assert "`late`" in report.vetoes[0].proof[0].text
    (correction,) = [each for each in report.corrections_needed if "The sketch" in each.problem]
    assert correction.proposal.endswith("lets the sketch reach the goal.")
    subject, _, rest = correction.proposal.partition(" = ")
    value, unit = rest.split()[:2]
    repaired = change_quantities(**{"clock": "17[s]", subject: f"{value}[{unit}]"})(healthy)
    assert not any("reaches the goal" in veto.claim for veto in run_euler(repaired).vetoes)


def test_a_blocked_sketch_is_opened_by_a_thing_with_a_margin_and_not_by_another_person() -> None:
    report = run_euler(change_properties(step__bears="60[kg]")(build_healthy_seed("cellar")))
    (correction,) = [each for each in report.corrections_needed if "The sketch" in each.problem]
    assert correction.subject == "step.bears"
    assert correction.proposal.startswith("step.bears = 94")


def test_a_worst_case_that_misses_the_deadline_is_disputed_with_a_deadline_that_does_not() -> None:
    report = run_euler(change_quantities(clock="22[s]")(build_healthy_seed("cellar")))
    (challenge,) = report.challenges
    assert "23 s" in challenge.evidence[0].text
    assert "27.1 s" in challenge.recommendation
    assert run_euler(change_quantities(clock="27.1[s]")(build_healthy_seed("cellar"))).challenges == ()


def test_a_thin_worst_case_is_a_concern_only() -> None:
    report = run_euler(change_quantities(clock="24[s]")(build_healthy_seed("cellar")))
    assert (report.challenges, report.vetoes, report.corrections_needed) == ((), (), ())
    assert any("27.1 s" in line for line in report.parameter_adjustments)


def test_a_fragile_scenario_may_fail_in_its_worst_case() -> None:
    assert run_euler(build_healthy_seed("damp")).challenges == ()


def test_a_misstated_time_is_challenged_with_both_figures() -> None:
    report = run_euler(change_step_time("swing_at(hammer, opening)", 2.0)(build_healthy_seed("cellar")))
    (challenge,) = report.challenges
    assert challenge.claim == "swing_at(hammer, opening) takes 2 s."
    assert "6 s" in challenge.evidence[0].text
    assert "2 s" in challenge.evidence[0].text
    assert report.corrections_needed[0].subject == "swing_at(hammer, opening)"


def test_another_plan_is_named_with_a_value_that_closes_it() -> None:
    healthy = build_healthy_seed("cellar")
    report = run_euler(change_properties(stool__bears="150[kg]")(healthy))
    assert any("stool" in path for path in report.alternative_paths)
    (correction,) = [each for each in report.corrections_needed if "The scenario is" in each.problem]
    assert correction.subject.startswith("stool.")
    assert "leaves the sketch as it is" in correction.proposal


def test_a_status_other_than_the_computed_one_is_vetoed() -> None:
    seed = replace_status(claim="KS-Multiple", ways=["break_and_climb"], traps=["tap_at_it", "jump_for_it"])
    (veto,) = run_euler(seed(build_healthy_seed("cellar"))).vetoes
    assert "computed = KS-Singular, claimed = KS-Multiple" in veto.proof[0].text


def test_sensitivity_says_from_what_to_what() -> None:
    rows = {row.quantity: row for row in run_euler(build_healthy_seed("cellar")).sensitivity}
    assert rows["opening.sill"].breaks
    assert "from 2.65 m to 3.18 m: break and climb ends `blocked climb_out.high`" in rows["opening.sill"].how
    fragile = [row for row in run_euler(build_healthy_seed("damp")).sensitivity if row.breaks]
    assert fragile
