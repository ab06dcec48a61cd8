"""The floor: no report, vote or confidence outweighs what the record computes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from impossible_moments.agents.orchestrator.gates.gate_case import GateResources
from impossible_moments.agents.orchestrator.gates.public_text_comparison import (
    find_public_numbers_missing_from_record,
)
from impossible_moments.agents.orchestrator.quality_gates import GateDecision, build_specified_gates
from impossible_moments.agents.orchestrator.seed_computation import (
    ClaimValue,
    SeedComputation,
    compute_seed_results,
)
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import PhysicalClaim, SeedDocument
from impossible_moments.domain.validation import MathematicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, Phase
from impossible_moments.library.bibliography import load_research_works
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.scenarios.similarity.embedding import TfidfEmbedder
from support.dossiers import (
    build_accepted_seed,
    change_deliverables,
    make_full_dossier,
    make_mathematics_report,
)
from support.gate_faults import build_resources
from support.golden_dossiers import build_brief, build_seed, build_validated_dossier, load_computations
from support.golden_records import NAMES, load_golden_document

GATES = build_specified_gates()


def decided(dossier: Dossier, phase: Phase) -> GateDecision:
    return GATES[phase].decide(dossier, 1, resources=build_resources())


def texts(dossier: Dossier, phase: Phase, criterion: str) -> list[str]:
    return [each.text for each in decided(dossier, phase).deficiencies if each.criterion == criterion]


def with_expression(expression: str) -> SeedComputation:
    claim = PhysicalClaim(claim_id="C", text="A claim.", expression=expression)
    sketch = build_accepted_seed().solution_sketch.model_copy(update={"claims": (claim,)})
    return compute_seed_results(
        build_accepted_seed().model_copy(update={"solution_sketch": sketch}), load_everyday_library()
    )


def written(**changes: str) -> SeedDocument:
    scenario = build_accepted_seed().scenario.model_copy(update=changes)
    return build_accepted_seed().model_copy(update={"scenario": scenario})


# what is computed


def test_the_example_is_computed() -> None:
    found = compute_seed_results(build_accepted_seed(), load_everyday_library())

    assert (found.full_status, found.status, found.deadline) == ("KS-Singular", "KS", 18.0)
    assert found.margins == pytest.approx((0.5132,), abs=1e-4)
    assert found.breaking_quantities == ("you.reach", "chair.blow", "window.sill")


def test_a_record_that_cannot_be_read_is_computed_as_nothing() -> None:
    found = compute_seed_results(
        build_accepted_seed().model_copy(update={"mechanics": {"format": "?"}}), load_everyday_library()
    )

    assert (found.status, found.margins, found.claims) == (None, (), {})


def test_the_same_record_is_computed_once_in_a_scenario() -> None:
    made = load_computations("blast_room")

    assert made.get_computation(build_accepted_seed()) is made.get_computation(
        build_accepted_seed().model_copy(update={"correct_outcome": "OUT"})
    )


@pytest.mark.parametrize(
    ("expression", "holds"),
    [
        ("chair.blow >= window.withstands", True),
        ("you.reach + you.jump >= window.sill", False),
        ("diagonal == sqrt(side**2 + (side/2)**2)", True),
        ("diagonal == side", False),
        ("table.placed", None),
    ],
)
def test_a_claim_holds_or_not_as_the_record_states(expression: str, holds: bool | None) -> None:  # noqa: FBT001 - the expected value
    assert with_expression(expression).claims == {"C": ClaimValue(holds)}


@pytest.mark.parametrize(
    "expression",
    ["chair.blow", "1 < 2", "chair.blow >= ladder.height", "chair.blow >= side", "side >", "x" * 900],
)
def test_a_claim_that_means_nothing_in_the_record_says_why(expression: str) -> None:
    assert with_expression(expression).claims["C"].problem


# the floor holds


def test_a_false_claim_is_invalid_though_both_validators_call_it_valid() -> None:
    false = PhysicalClaim(claim_id="C3", text="A jump is enough.", expression="you.jump >= window.sill")
    sketch = build_accepted_seed().solution_sketch
    claims = (*sketch.claims[:2], false)
    dossier = change_deliverables(
        make_full_dossier(Phase.VALIDATE),
        SeedDocument,
        solution_sketch=sketch.model_copy(update={"claims": claims}),
    )

    assert texts(dossier, Phase.VALIDATE, "No INVALID claims without revision")


@pytest.mark.parametrize("margin", [0.51, 0.5132, 0.516])
def test_a_margin_rounded_to_percents_is_the_computed_one(margin: float) -> None:
    dossier = change_deliverables(make_full_dossier(Phase.VALIDATE), MathematicsReport, margin=margin)

    assert decided(dossier, Phase.VALIDATE).advances


@pytest.mark.parametrize("margin", [None, 0.49, 0.53, -0.1])
def test_another_margin_is_refused(margin: float | None) -> None:
    dossier = change_deliverables(make_full_dossier(Phase.VALIDATE), MathematicsReport, margin=margin)

    assert texts(dossier, Phase.VALIDATE, "Margin computed")


def test_the_computed_margin_is_not_told() -> None:
    dossier = change_deliverables(make_full_dossier(Phase.VALIDATE), MathematicsReport, margin=0.6)

    assert not any("51" in text for text in texts(dossier, Phase.VALIDATE, "Margin computed"))


def test_a_budget_against_another_deadline_is_refused() -> None:
    dossier = change_deliverables(make_full_dossier(Phase.VALIDATE), MathematicsReport, deadline_seconds=20.0)

    assert "18 s" in texts(dossier, Phase.VALIDATE, "Margin computed")[0]


def test_a_weakness_that_a_profile_denies_is_named() -> None:
    denied = tuple(row.model_copy(update={"breaks": False}) for row in make_mathematics_report().sensitivity)
    dossier = change_deliverables(make_full_dossier(Phase.VALIDATE), MathematicsReport, sensitivity=denied)

    (text,) = texts(dossier, Phase.VALIDATE, "Sensitivity analysis complete")
    # the direction, the value that was tried and the condition that blocks the plan
    assert "window.sill = 3.24[m] (20% more) ends `blocked climb_from.high`" in text


def test_a_record_of_another_category_is_refused() -> None:
    dossier = change_deliverables(
        make_full_dossier(Phase.SEED),
        SeedDocument,
        mechanics={**load_golden_document("blast_room"), "category": "The Cascade"},
    )

    assert "The Cascade" in texts(dossier, Phase.SEED, "Category match")[0]


# numbers of the public text


@pytest.mark.parametrize(
    "threat",
    [
        "18 s are left.",
        "It blows in 18 seconds.",
        "200 kPa, and 70 kPa kills.",
        "18000 ms are left.",
        "From 70 to 200 kPa.",
        "No number at all.",
    ],
)
def test_a_number_of_the_record_may_be_told_again(threat: str) -> None:
    assert (
        list(
            find_public_numbers_missing_from_record(
                written(threat=threat),
                build_resources().computations.get_computation(build_accepted_seed()).report,
            )
        )
        == []
    )


@pytest.mark.parametrize(
    "threat",
    [
        "17 s are left.",
        "It blows in 18 min.",
        "18 kg of it.",
        "Thirty of them wait.",
        "18 of them wait.",
        "From 71 to 200 kPa.",
        "180 kPa at zero.",
    ],
)
def test_a_number_of_its_own_is_found(threat: str) -> None:
    assert (
        len(
            list(
                find_public_numbers_missing_from_record(
                    written(threat=threat),
                    build_resources().computations.get_computation(build_accepted_seed()).report,
                )
            )
        )
        == 1
    )


def test_a_narrative_that_is_not_the_records_is_refused() -> None:
    dossier = change_deliverables(
        make_full_dossier(Phase.VALIDATE),
        SeedDocument,
        scenario=written(narrative="You are in a room with a window.").scenario,
    )

    assert "narrative" in texts(dossier, Phase.VALIDATE, "Prose follows the record")[0]


# every golden record


def bench_of(name: str) -> GateResources:
    return GateResources(load_computations(name), TfidfEmbedder(), load_research_works())


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_golden_record_passes_the_first_gate(name: str) -> None:
    dossier = Dossier.create_for_brief(build_brief(name)).add_deliverable(
        Phase.SEED, ATHENA, build_seed(name)
    )

    assert GATES[Phase.SEED].decide(dossier, 1, resources=bench_of(name)).deficiencies == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_golden_record_passes_the_second_gate(name: str) -> None:
    assert (
        GATES[Phase.VALIDATE].decide(build_validated_dossier(name), 1, resources=bench_of(name)).deficiencies
        == ()
    )


# rows that are read otherwise for some scenarios

Change = Callable[[str], Dossier]


def without_proof(name: str) -> Dossier:
    sketch = build_seed(name).solution_sketch.model_copy(update={"impossibility_proof": ""})
    return change_deliverables(build_validated_dossier(name), SeedDocument, solution_sketch=sketch)


def without_criteria(name: str) -> Dossier:
    sketch = build_seed(name).solution_sketch.model_copy(update={"evaluation_criteria": ()})
    return change_deliverables(build_validated_dossier(name), SeedDocument, solution_sketch=sketch)


def without_rules(name: str) -> Dossier:
    scenario = build_seed(name).scenario
    rows = tuple(row.model_copy(update={"notes": ""}) for row in scenario.objects)
    return change_deliverables(
        build_validated_dossier(name), SeedDocument, scenario=scenario.model_copy(update={"objects": rows})
    )


def without_analysis(name: str) -> Dossier:
    return change_deliverables(
        build_validated_dossier(name), MathematicsReport, EULER, impossibility_proof="", optimization=""
    )


# fmt: off
REPLACED = [
    (Phase.SEED,     "clear_sky",         without_proof,    {"Solution sketch present"}),
    (Phase.SEED,     "ten_per_cent",      without_criteria, {"Solution sketch present"}),
    (Phase.SEED,     "the_painted_hives", without_rules,    {"Object table complete"}),
    (Phase.VALIDATE, "clear_sky",         without_analysis, {"Timing budget validated", "Sensitivity analysis complete"}),
    (Phase.VALIDATE, "ten_per_cent",      without_analysis, {"Timing budget validated", "Sensitivity analysis complete"}),
]
# fmt: on


@pytest.mark.parametrize(("phase", "name", "spoil", "missed"), REPLACED)
def test_what_replaces_a_row_is_asked_for(phase: Phase, name: str, spoil: Change, missed: set[str]) -> None:
    decision = GATES[phase].decide(spoil(name), 1, resources=bench_of(name))

    assert {each.criterion for each in decision.deficiencies} == missed


@pytest.mark.parametrize("name", ["bin_nine", "varga_and_adeyemi"])
def test_a_cascade_needs_no_distractor_where_failures_are_coupled(name: str) -> None:
    dossier = change_deliverables(build_validated_dossier(name), SeedDocument, distractor_inventory=())

    assert GATES[Phase.SEED].decide(dossier, 1, resources=bench_of(name)).advances


def test_a_scenario_without_deadline_needs_no_timing_budget() -> None:
    dossier = change_deliverables(
        build_validated_dossier("eggs_in_a_wetsuit"), MathematicsReport, timing_budget=()
    )

    assert GATES[Phase.VALIDATE].decide(dossier, 1, resources=bench_of("eggs_in_a_wetsuit")).advances
