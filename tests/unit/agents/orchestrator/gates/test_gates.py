"""What a gate decides: advance, loop or escalate; and how gates are extended and tightened."""

from __future__ import annotations

from dataclasses import replace

import pytest

from impossible_moments.agents.orchestrator.gates.checks.seed_checks import extract_seed_essence
from impossible_moments.agents.orchestrator.gates.gate_case import Remedy
from impossible_moments.agents.orchestrator.gates.gate_limits import GateLimits
from impossible_moments.agents.orchestrator.quality_gates import (
    GateDecision,
    GateOutcome,
    build_specified_gates,
)
from impossible_moments.domain.brief import TwinWanted
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.disputes import Veto
from impossible_moments.domain.dossier import DisagreementLogEntry, Dossier, VetoCase
from impossible_moments.domain.refinement import CalibrationVote, ReadinessVote, ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import JointAssessment, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import (
    ATHENA,
    EULER,
    NEWTON,
    ROLES,
    SOCRATES,
    DifficultyDimension,
    Phase,
)
from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios.similarity.scenario_similarity import ComparedScenario
from support.dossiers import (
    build_accepted_seed,
    change_deliverables,
    make_full_dossier,
    make_physics_report,
    remove_deliverables,
)
from support.gate_faults import FAULTS, GateFault, add_corpus, build_resources
from support.golden_dossiers import build_seed

GATES = build_specified_gates()


def decided(
    dossier: Dossier, phase: Phase, attempt: int = 1, limits: GateLimits | None = None
) -> GateDecision:
    judged = build_resources() if limits is None else replace(build_resources(), limits=limits)
    return GATES[phase].decide(dossier, attempt, resources=judged)


def fault(criterion: str) -> GateFault:
    return next(each for each in FAULTS if each.criterion == criterion)


def missed(decision: GateDecision) -> set[str]:
    return {each.criterion for each in decision.deficiencies}


# attempts


@pytest.mark.parametrize(("attempt", "outcome"), [(1, "LOOP"), (2, "LOOP"), (3, "ESCALATE"), (4, "ESCALATE")])
def test_after_the_last_attempt_a_human_decides(attempt: int, outcome: str) -> None:
    spoilt = fault("Edge cases documented").dossier

    assert decided(spoilt, Phase.VALIDATE, attempt).outcome == outcome


def test_good_work_advances_at_the_last_attempt() -> None:
    assert decided(make_full_dossier(Phase.VALIDATE), Phase.VALIDATE, 3).advances


def test_settings_can_take_attempts_away() -> None:
    spoilt = fault("Edge cases documented").dossier

    decision = decided(spoilt, Phase.VALIDATE, 2, GateLimits(attempts={Phase.VALIDATE: 2}))

    assert decision.outcome is GateOutcome.ESCALATE


# confidence


def test_a_confidence_below_its_threshold_is_discussed() -> None:
    dossier = change_deliverables(make_full_dossier(Phase.VALIDATE), PhysicsReport, confidence=0.6)

    (doubt,) = decided(dossier, Phase.VALIDATE).needs_discussion

    assert (doubt.addressee, doubt.remedy) == (NEWTON, Remedy.DISCUSSION)


@pytest.mark.parametrize("phase", [Phase.VALIDATE, Phase.GROUND, Phase.CLASSIFY])
def test_a_confidence_below_a_half_goes_to_a_human_at_once(phase: Phase) -> None:
    last = make_full_dossier(phase).entries[-1].deliverable
    kind = MathematicsReport if phase is Phase.VALIDATE else type(last)

    assert (
        decided(change_deliverables(make_full_dossier(phase), kind, confidence=0.49), phase).outcome
        is GateOutcome.ESCALATE
    )


@pytest.mark.parametrize("confidence", [0.7, 1.0])
def test_a_confidence_at_its_threshold_suffices(confidence: float) -> None:
    dossier = change_deliverables(make_full_dossier(Phase.VALIDATE), PhysicsReport, confidence=confidence)

    assert decided(dossier, Phase.VALIDATE).advances


def test_settings_can_ask_for_more_confidence() -> None:
    decision = decided(
        make_full_dossier(Phase.VALIDATE), Phase.VALIDATE, limits=GateLimits(confidence={NEWTON: 0.95})
    )

    assert missed(decision) == {"NEWTON confidence >= 0.7"}


@pytest.mark.parametrize(
    "loosened",
    [
        {"confidence": {NEWTON: 0.6}},
        {"confidence": {"DARWIN": 0.4}},
        {"timing_margin": 0.05},
        {"similarity": 0.9},
        {"attempts": {Phase.SEED: 4}},
    ],
)
def test_settings_cannot_loosen_a_gate(loosened: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError, match="tighten"):
        GateLimits(**loosened)  # type: ignore[arg-type]


# ethics


def test_an_ethical_fail_goes_to_a_human_at_once() -> None:
    assert (
        decided(fault("Ethical review PASS or PASS-WITH-NOTES").dossier, Phase.CLASSIFY).outcome
        is GateOutcome.ESCALATE
    )


def test_an_ethical_pass_with_notes_advances() -> None:
    dossier = make_full_dossier(Phase.CLASSIFY)
    report = dossier.find_latest_deliverable(ClassificationReport)
    assert report is not None
    noted = report.ethics.model_copy(update={"status": "PASS-WITH-NOTES", "notes": "A bomb is told of."})

    assert decided(change_deliverables(dossier, ClassificationReport, ethics=noted), Phase.CLASSIFY).advances


# what is judged is the scenario as it stands


def test_reports_on_an_older_seed_do_not_count() -> None:
    seed = build_accepted_seed()
    revised = seed.model_copy(update={"wrong_answers": seed.wrong_answers[:1]})
    dossier = make_full_dossier(Phase.VALIDATE).add_deliverable(Phase.VALIDATE, ATHENA, revised)

    assert "All physical claims validated" in missed(decided(dossier, Phase.VALIDATE))


def test_votes_on_an_older_seed_do_not_count() -> None:
    seed = build_accepted_seed()
    revised = seed.model_copy(update={"wrong_answers": seed.wrong_answers[:1]})
    dossier = make_full_dossier(Phase.REFINE).add_deliverable(Phase.REFINE, ATHENA, revised)

    assert missed(decided(dossier, Phase.REFINE)) == {
        "All agents have reviewed",
        "Difficulty calibration vote complete",
        "Final consensus vote: APPROVE or APPROVE-WITH-NOTES",
        "Final solution status: unanimous",
        "SOCRATES blind vs. informed delta documented",
        "Distractor review complete",
    }


def test_votes_stay_valid_if_the_same_seed_is_handed_in_again() -> None:
    dossier = make_full_dossier(Phase.REFINE).add_deliverable(Phase.REFINE, ATHENA, build_accepted_seed())

    assert missed(decided(dossier, Phase.REFINE)) == set()


def test_memos_from_before_a_redesign_do_not_count() -> None:
    dossier = make_full_dossier(Phase.REFINE)
    for entry in make_full_dossier(Phase.CLASSIFY).entries:
        dossier = dossier.add_deliverable(entry.phase, entry.author, entry.deliverable)

    assert "All agents have reviewed" in missed(decided(dossier, Phase.REFINE))


@pytest.mark.parametrize("phase", list(Phase))
def test_an_empty_dossier_is_told_what_to_hand_in(phase: Phase) -> None:
    empty = Dossier.create_for_brief(make_full_dossier(Phase.SEED).brief)

    assert decided(empty, phase).outcome is GateOutcome.LOOP


# vetoes, votes and divisions


def vetoed(outcome: str) -> Dossier:
    veto = Veto(claim="The chair breaks the pane.", law="conservation of energy")
    dossier = change_deliverables(make_full_dossier(Phase.VALIDATE), PhysicsReport, vetoes=(veto,))
    return replace(dossier, vetoes=(VetoCase(Phase.VALIDATE, NEWTON, veto, outcome),))


@pytest.mark.parametrize("outcome", ["LIFTED", "DOWNGRADED", "ESCALATED"])
def test_a_settled_veto_holds_nothing_up(outcome: str) -> None:
    assert decided(vetoed(outcome), Phase.VALIDATE).advances


@pytest.mark.parametrize("outcome", ["RETURNED", "DISCARDED"])
def test_a_veto_that_was_not_answered_holds_the_scenario_up(outcome: str) -> None:
    assert missed(decided(vetoed(outcome), Phase.VALIDATE)) == {"No active vetoes"}


def test_a_veto_that_led_to_a_redesign_is_settled() -> None:
    assert decided(replace(vetoed("RETURNED"), redesigns=1), Phase.VALIDATE).advances


def test_one_refusal_of_five_does_not_hold_a_scenario_up() -> None:
    dossier = change_deliverables(make_full_dossier(Phase.REFINE), ReadinessVote, NEWTON, vote="REVISE")

    assert decided(dossier, Phase.REFINE).advances


def test_what_a_refusal_asks_for_goes_to_whom_it_names() -> None:
    dossier = change_deliverables(
        fault("Final consensus vote: APPROVE or APPROVE-WITH-NOTES").dossier,
        ReadinessVote,
        EULER,
        addressed_to=SOCRATES,
    )

    assert {each.addressee for each in decided(dossier, Phase.REFINE).deficiencies} == {ATHENA, SOCRATES}


def test_a_division_that_was_discussed_and_voted_on_again_is_resolved() -> None:
    dossier = fault("No dimension with range > 2 unresolved").dossier
    for role in ROLES:
        vote = dossier.find_latest_deliverable(CalibrationVote, role)
        assert vote is not None
        dossier = dossier.add_deliverable(Phase.REFINE, role, vote)
    logged = DisagreementLogEntry(
        f"calibration of {DifficultyDimension.B}", ROLES, "structured debate", "re-voted", "calibration"
    )

    assert decided(replace(dossier, disagreements=(logged,)), Phase.REFINE).advances


def test_a_joint_assessment_that_needs_revision_holds_the_scenario_up() -> None:
    dossier = change_deliverables(make_full_dossier(Phase.VALIDATE), JointAssessment, status="NEEDS-REVISION")

    assert missed(decided(dossier, Phase.VALIDATE)) == {"No INVALID claims without revision"}


def test_a_claim_judged_by_one_validator_alone_is_open() -> None:
    dossier = change_deliverables(make_full_dossier(Phase.VALIDATE), MathematicsReport, claims=())

    (open_claims,) = decided(dossier, Phase.VALIDATE).deficiencies

    assert open_claims.addressee == EULER


def test_a_timing_that_leaves_too_little_goes_to_the_designer_too() -> None:
    lacks = decided(fault("Timing budget validated").dossier, Phase.VALIDATE).deficiencies

    assert ATHENA in {each.addressee for each in lacks if each.criterion == "Timing budget validated"}


# duplicates


def others() -> tuple[ComparedScenario, ...]:
    return tuple(
        extract_seed_essence(build_seed(name), name) for name in ("clear_sky", "section_b", "second_movement")
    )


def test_other_scenarios_are_no_duplicates() -> None:
    judged = add_corpus(build_resources(), *others())

    assert GATES[Phase.SEED].decide(make_full_dossier(Phase.SEED), 1, resources=judged).advances


def test_settings_can_ask_for_more_distance() -> None:
    judged = replace(add_corpus(build_resources(), *others()), limits=GateLimits(similarity=0.01))

    decision = GATES[Phase.SEED].decide(make_full_dossier(Phase.SEED), 1, resources=judged)

    assert missed(decision) == {"No duplicate scenario"}


def test_a_scenario_is_no_duplicate_of_itself() -> None:
    judged = add_corpus(build_resources(), extract_seed_essence(build_accepted_seed(), "IM-0001"))

    assert GATES[Phase.SEED].decide(make_full_dossier(Phase.SEED), 1, resources=judged).advances


def twin_of(name: str) -> Dossier:
    """The dossier of a scenario that is to be the twin of another."""
    dossier = make_full_dossier(Phase.SEED)
    wanted = TwinWanted(of=name, title="Another", drawn_as="room/loft/one_way", variant="none")
    return replace(dossier, brief=dossier.brief.model_copy(update={"twin": wanted}))


def test_a_twin_may_be_near_to_its_sibling() -> None:
    judged = add_corpus(build_resources(), *others(), extract_seed_essence(build_accepted_seed(), "IM-0099"))

    assert GATES[Phase.SEED].decide(twin_of("IM-0099"), 1, resources=judged).advances


def test_a_twin_may_be_near_to_nothing_but_its_sibling() -> None:
    known = tuple(extract_seed_essence(build_accepted_seed(), name) for name in ("IM-0098", "IM-0099"))

    decision = GATES[Phase.SEED].decide(
        twin_of("IM-0099"), 1, resources=add_corpus(build_resources(), *known)
    )

    assert missed(decision) == {"No duplicate scenario"}


# repeatable


@pytest.mark.parametrize("each", FAULTS, ids=lambda each: f"{each.phase}: {each.criterion}")
def test_the_same_dossier_is_decided_the_same(each: GateFault) -> None:
    first, second = (
        GATES[each.phase].decide(each.dossier, 1, resources=each.resources, documents=each.documents)
        for _ in range(2)
    )

    assert first == second


def test_a_failed_computation_is_told_from_other_deficiencies() -> None:
    decision = decided(fault("Margin computed").dossier, Phase.VALIDATE)

    assert decision.failed_computations == decision.deficiencies


# notes


def test_each_note_is_for_its_addressee() -> None:
    unsure = change_deliverables(make_full_dossier(Phase.VALIDATE), PhysicsReport, confidence=0.69)
    decision = decided(unsure, Phase.VALIDATE)

    (note,) = decision.notes

    assert (note.addressee, note.phase) == (NEWTON, Phase.VALIDATE)


def test_a_missing_deliverable_is_named_and_is_not_a_demand_on_the_seed() -> None:
    decision = decided(remove_deliverables(make_full_dossier(Phase.REFINE), ReviewMemo, NEWTON), Phase.REFINE)

    assert not decision.advances
    assert {each.addressee for each in decision.deficiencies} == {NEWTON}
    assert decision.notes == ()


# extension


def extended(**row: object) -> GateDecision:
    gates = build_specified_gates()
    gates[Phase.VALIDATE]["criteria"].append(row)
    return gates[Phase.VALIDATE].decide(make_full_dossier(Phase.VALIDATE), 1, resources=build_resources())


def test_an_added_criterion_that_is_not_met_shuts_the_gate() -> None:
    decision = extended(
        name="DARWIN_assessment_complete", check=lambda deliverables: "DARWIN" in deliverables
    )

    assert missed(decision) == {"DARWIN_assessment_complete"}


def test_an_added_criterion_sees_who_handed_in_what() -> None:
    decision = extended(
        name="NEWTON reports", check=lambda given: given["NEWTON"] == (make_physics_report(),)
    )

    assert decision.advances


def test_an_added_criterion_that_is_not_required_is_a_remark() -> None:
    decision = extended(name="DARWIN was here", check=lambda given: "DARWIN" in given, required=False)

    assert decision.advances
    assert [each.criterion for each in decision.remarks] == ["DARWIN was here"]


@pytest.mark.parametrize(
    "row",
    [
        {"name": "No active vetoes", "check": bool},
        {"name": "x"},
        {"name": "", "check": bool},
        {"name": "x", "check": bool, "weight": 3},
        {"name": "x", "check": bool, "required": "yes"},
    ],
    ids=str,
)
def test_a_criterion_that_cannot_be_added_is_refused_in_words(row: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError, match="criterion"):
        extended(**row)


def test_criteria_cannot_be_taken_away() -> None:
    criteria = build_specified_gates()[Phase.SEED]["criteria"]

    assert not {"pop", "remove", "clear", "__delitem__", "__setitem__", "insert"} & set(dir(criteria))


def test_gates_cannot_be_replaced() -> None:
    with pytest.raises(TypeError):
        GATES[Phase.SEED] = GATES[Phase.GROUND]  # type: ignore[index]


def test_a_gate_has_nothing_but_criteria() -> None:
    with pytest.raises(KeyError):
        GATES[Phase.SEED]["attempts"]


def test_a_seed_document_is_named_as_missing_once_a_row() -> None:
    decision = decided(remove_deliverables(make_full_dossier(Phase.SEED), SeedDocument), Phase.SEED)

    assert len(decision.deficiencies) == sum(row.binding for row in GATES[Phase.SEED].criteria)
