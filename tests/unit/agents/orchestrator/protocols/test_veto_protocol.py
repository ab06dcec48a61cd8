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
    ChallengeResponse,
    HumanDecision,
    Option,
    Veto,
    VetoReview,
)
from impossible_moments.domain.dossier import Dossier, VetoCase
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, Phase
from impossible_moments.errors import ConfigurationError
from support.dispute_cases import (
    CLAIM,
    DESK,
    STRONG,
    DisputeRun,
    Reply,
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
    **sitting: Any,
) -> tuple[DisputeRun, Dossier, VetoOutcome]:
    course = DisputeRun()
    flow = resolve_veto(
        DESK, before or build_dossier(), RaisedVeto(Phase.VALIDATE, by, raised), panel=build_panel(**sitting)
    )
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
