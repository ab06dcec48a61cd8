"""The veto protocol, step by step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from impossible_moments.agents.orchestrator.protocols import challenge_protocol
from impossible_moments.agents.orchestrator.protocols.escalation_protocol import EscalationTrigger
from impossible_moments.agents.orchestrator.protocols.veto_protocol import (
    VetoOutcome,
    VetoState,
    resolve_veto,
)
from impossible_moments.agents.orchestrator.protocols.veto_validity import RaisedVeto
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import (
    Answer,
    Ballot,
    ChallengeResponse,
    Evidence,
    HumanDecision,
    Option,
    Veto,
    VetoReview,
)
from impossible_moments.domain.dossier import Dossier, VetoCase
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, ROLES, SOCRATES, Phase
from impossible_moments.errors import ConfigurationError
from support.dispute_cases import (
    CLAIM,
    DESK,
    STRONG,
    DisputeRun,
    Reply,
    build_ballot,
    build_decision,
    build_dossier,
    build_evidence,
    build_panel,
    build_response,
    build_seed,
    build_veto,
    reply_from_script,
)
from support.golden_records import list_records_claiming, load_golden_document


def replying(*, satisfied: bool = True, **changes: LabelledModel) -> Reply:
    return reply_from_script(
        {
            SeedDocument: changes.get("revised", build_seed(name="The Lever")),
            VetoReview: VetoReview(satisfied=satisfied, reason="I looked"),
            Ballot: changes.get("ballot", build_ballot("CHALLENGER")),
            ChallengeResponse: build_response(Answer.ACCEPT),
            HumanDecision: changes.get("human", build_decision()),
        }
    )


def run(
    raised: Veto,
    reply: Reply | None = None,
    *,
    by: str = NEWTON,
    before: Dossier | None = None,
    phase: Phase = Phase.VALIDATE,
    confidence: float = 1.0,
    **sitting: Any,
) -> tuple[DisputeRun, Dossier, VetoOutcome]:
    course = DisputeRun()
    raised_veto = RaisedVeto(phase, by, raised, confidence)
    flow = resolve_veto(DESK, before or build_dossier(), raised_veto, panel=build_panel(**sitting))
    after, outcome = course.run_flow(flow, reply or replying())
    return course, after, outcome


REDESIGNED = replace(build_dossier(), redesigns=1)

# what is no veto

# fmt: off
INVALID = {
    "no proof":                  {"proof": ()},
    "an opinion":                {"proof": (build_evidence("It seems tight."),)},
    "a citation":                {"proof": (build_evidence(kind="citation"),)},
    "contradicted by mechanics": {"proof": (build_evidence(expression=STRONG),)},
    "about nothing":             {"proof": (build_evidence(expression="1 > 2"),)},
    "no law":                    {"law": " "},
    "an opinion for a law":      {"law": "common sense"},
    "a belief with a number":    {"proof": (build_evidence("I am 90 % sure."),)},
    "a number alone":            {"proof": (build_evidence("It takes 12 s."),)},
    "a false relation":          {"proof": (build_evidence("200 N < 58.9 N"),)},
    "not evaluated":             {"proof": (build_evidence("it stays shut", expression="lid.open"),)},
    "a detail":                  {"core": False},
    "no way out":                {"corrective_proposal": ""},
}
# fmt: on


@pytest.mark.parametrize("changes", INVALID.values(), ids=INVALID.keys())
def test_what_is_no_veto_is_downgraded(changes: dict[str, Any]) -> None:
    _, _, outcome = run(build_veto(**changes))
    assert outcome.state is VetoState.DOWNGRADED


def test_a_downgraded_veto_goes_on_as_a_challenge() -> None:
    _, after, outcome = run(build_veto(core=False))
    assert outcome.challenge is not None
    assert (outcome.challenge.state, len(after.challenges)) == (challenge_protocol.ChallengeState.ACCEPTED, 1)


def test_an_agent_without_the_power_to_veto_challenges() -> None:
    _, _, outcome = run(build_veto(), by=GALILEO)
    assert outcome.reason == "GALILEO may not veto; EULER, NEWTON may"


def test_an_agent_that_is_given_the_power_vetoes() -> None:
    _, _, outcome = run(build_veto(), by=GALILEO, vetoers=frozenset({GALILEO}))
    assert outcome.state is VetoState.LIFTED


def test_a_proof_that_the_mechanics_confirm_stands() -> None:
    before = build_dossier(document=build_seed(pull=1.0))
    _, _, outcome = run(build_veto(proof=(build_evidence(expression=STRONG),)), before=before)
    assert outcome.state is VetoState.LIFTED


def test_a_scenario_that_is_said_to_be_flawed_needs_no_proposal() -> None:
    _, _, outcome = run(build_veto(correctable=False, corrective_proposal=""))
    assert outcome.state is VetoState.RETURNED


# revision and review


def test_athena_revises_and_the_vetoing_agent_reviews() -> None:
    course, _, outcome = run(build_veto(), by=EULER)
    assert (course.agents, outcome.state) == ([ATHENA, EULER], VetoState.LIFTED)


def test_athena_reads_the_veto_and_no_report() -> None:
    course, _, _ = run(build_veto())
    assert CLAIM in course.collect_notes_to(ATHENA)


def test_the_revised_seed_is_filed() -> None:
    _, after, _ = run(build_veto())
    assert after.find_latest_deliverable(SeedDocument) == build_seed(name="The Lever")


def test_the_same_seed_again_is_no_revision() -> None:
    course, _, outcome = run(build_veto(), replying(revised=build_seed()))
    assert (course.agents, outcome.state) == ([ATHENA], VetoState.RETURNED)


# what no revision cures


def test_an_unlifted_veto_sends_the_scenario_back_once() -> None:
    _, _, outcome = run(build_veto(), replying(satisfied=False))
    assert outcome.state is VetoState.RETURNED


def test_after_a_redesign_a_human_decides() -> None:
    course, after, _ = run(build_veto(), replying(satisfied=False), before=REDESIGNED)
    assert (course.agents[-1], len(after.reviews)) == ("HUMAN", 1)


def test_what_computes_as_a_paradox_is_proposed_as_one() -> None:
    paradox = build_seed(mechanics=load_golden_document(list_records_claiming("PX")[0]))
    course, _, outcome = run(
        build_veto(correctable=False), before=replace(build_dossier(document=paradox), redesigns=1)
    )
    assert (outcome.state, course.asks) == (VetoState.RECLASSIFIED, [])


def test_what_was_meant_as_a_paradox_is_not_proposed_as_one() -> None:
    paradox = build_seed(mechanics=load_golden_document(list_records_claiming("PX")[0]))
    course, _, _ = run(
        build_veto(correctable=False), before=replace(build_dossier("PX", paradox), redesigns=1)
    )
    assert course.agents == ["HUMAN"]


@pytest.mark.parametrize(("agent", "discipline"), [(NEWTON, "physicist"), (EULER, "engineer")])
def test_the_expert_knows_the_ground_of_the_veto(agent: str, discipline: str) -> None:
    _, after, _ = run(build_veto(correctable=False), by=agent, before=REDESIGNED)
    assert after.reviews[0].discipline == discipline


# fmt: off
DECISIONS = {
    Option.RESOLVE:  VetoState.LIFTED,
    Option.REDESIGN: VetoState.RETURNED,
    Option.DISCARD:  VetoState.DISCARDED,
    Option.SPLIT:    VetoState.ESCALATED,
}
# fmt: on


@pytest.mark.parametrize(("option", "state"), DECISIONS.items())
def test_a_humans_decision_ends_a_veto(option: Option, state: VetoState) -> None:
    _, _, outcome = run(
        build_veto(), replying(satisfied=False, human=build_decision(option)), before=REDESIGNED
    )
    assert (outcome.state, outcome.decision) == (state, build_decision(option))


def test_a_human_who_finds_the_veto_right_does_not_lift_it() -> None:
    human = build_decision(Option.RESOLVE, prevails="CHALLENGER")
    _, _, outcome = run(build_veto(), replying(satisfied=False, human=human), before=REDESIGNED)
    assert outcome.state is VetoState.RETURNED


# limits and logs


def test_the_third_veto_of_an_agent_goes_to_a_human_at_once() -> None:
    earlier = VetoCase(Phase.VALIDATE, NEWTON, build_veto(), "LIFTED")
    course, after, _ = run(build_veto(), before=replace(build_dossier(), vetoes=(earlier, earlier)))
    assert (course.agents, after.reviews[0].reason.partition(":")[0]) == (
        ["HUMAN"],
        EscalationTrigger.VETO_LIMIT,
    )


def test_settings_may_allow_fewer_vetoes() -> None:
    course, _, _ = run(build_veto(), vetoes_per_agent=0)
    assert course.agents == ["HUMAN"]


@pytest.mark.parametrize("limit", ["challenges_per_agent", "vetoes_per_agent", "redesigns"])
def test_settings_may_not_loosen_a_limit(limit: str) -> None:
    with pytest.raises(ConfigurationError, match="not loosen"):
        build_panel(**{limit: 4})


def test_a_downgraded_veto_does_not_count() -> None:
    earlier = VetoCase(Phase.VALIDATE, NEWTON, build_veto(), "DOWNGRADED")
    course, _, _ = run(build_veto(), before=replace(build_dossier(), vetoes=(earlier, earlier)))
    assert course.agents == [ATHENA, NEWTON]


def test_every_veto_is_logged_with_its_evidence() -> None:
    _, after, _ = run(build_veto())
    assert [(case.veto, case.outcome) for case in after.vetoes] == [(build_veto(), "LIFTED")]


# fmt: off
PROVING = {
    "two quantities":       build_evidence("58.9 N < 200 N"),
    "in other units":       build_evidence("0.2 kN exceeds 58.9 N"),
    "with words between":   build_evidence("the required force of 200 N is more than the available 58.9 N"),
    "two numbers":          build_evidence("there are 3 keys needed, and 3 > 2 are there"),
    "a sum":                build_evidence("9 s + 3.5 s = 12.5 s"),
}
# fmt: on


@pytest.mark.parametrize("proof", PROVING.values(), ids=PROVING.keys())
def test_a_relation_of_two_computed_quantities_proves(proof: Evidence) -> None:
    _, _, outcome = run(build_veto(proof=(proof,)))
    assert outcome.state is VetoState.LIFTED


# who is informed


def test_before_the_reveal_other_agents_learn_only_that_work_is_halted_and_released() -> None:
    _, after, outcome = run(build_veto())
    notices = {agent: [note.text for note in after.notices if note.addressee == agent] for agent in ROLES}
    halt = ["Work on this scenario is halted in VALIDATE.", "The halt in VALIDATE is lifted."]
    assert all(notices[agent] == halt for agent in (EULER, GALILEO, SOCRATES))
    assert (CLAIM in notices[ATHENA][0], notices[NEWTON]) == (True, [])
    assert outcome.case.informed_of_veto == (ATHENA,)
    assert set(outcome.case.informed_of_halt) == {EULER, GALILEO, SOCRATES}


def test_after_the_reveal_every_agent_reads_the_veto() -> None:
    _, after, outcome = run(build_veto(), phase=Phase.REFINE)
    readers = {note.addressee for note in after.notices if CLAIM in note.text}
    assert readers == set(outcome.case.informed_of_veto) == {ATHENA, EULER, GALILEO, SOCRATES}


def test_a_veto_that_is_not_lifted_is_not_announced_as_lifted() -> None:
    _, after, _ = run(build_veto(), replying(satisfied=False))
    assert not [note for note in after.notices if "lifted" in note.text]


def test_an_invalid_veto_halts_nothing() -> None:
    _, after, _ = run(build_veto(core=False))
    assert not [note for note in after.notices if "halt" in note.text]


def test_the_log_keeps_revision_review_and_confirmation() -> None:
    _, _, outcome = run(build_veto(), replying(satisfied=False))
    case = outcome.case
    assert (case.revision_summary, case.review_reason) == ("scenario.name: The Lid -> The Lever", "I looked")
    assert case.confirmation == "CHALLENGER 1; unanimous of 1 needs 1"


# confirmation


@pytest.mark.parametrize(
    ("choice", "state"),
    [("CHALLENGER", VetoState.RETURNED), ("ABSTAIN", VetoState.RETURNED), ("CHALLENGED", VetoState.LIFTED)],
)
def test_the_other_validator_confirms_a_standing_veto_where_it_may_read_it(
    choice: str, state: VetoState
) -> None:
    reply = replying(satisfied=False, ballot=build_ballot(choice))
    course, _, outcome = run(build_veto(), reply, phase=Phase.REFINE)
    assert (course.agents[2], outcome.state) == (EULER, state)
    assert ("HUMAN" in course.agents) == (choice == "CHALLENGED")


def test_a_veto_of_an_unsure_agent_goes_to_a_human() -> None:
    course, after, _ = run(build_veto(), replying(satisfied=False), confidence=0.4)
    assert course.agents == [ATHENA, NEWTON, "HUMAN"]
    assert "not confirmed" in after.reviews[0].assessment


def test_the_human_has_the_vetoed_claim_as_the_other_position() -> None:
    _, after, _ = run(build_veto(correctable=False), before=REDESIGNED)
    assert after.reviews[0].positions[ATHENA] == CLAIM
