"""The breakthrough protocol."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.protocols.breakthrough_proposal import (
    BreakthroughProposal,
    find_proposal_defect,
)
from impossible_moments.agents.orchestrator.protocols.breakthrough_protocol import (
    BreakthroughOutcome,
    BreakthroughState,
    record_verification,
    review_breakthrough,
)
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import Breakthrough, BreakthroughReview, HumanDecision
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES, Phase, Status
from impossible_moments.errors import ConfigurationError
from support.dispute_cases import DESK, DisputeRun, build_decision, build_dossier


def proposed(phase: Phase = Phase.VALIDATE, *, by: str = ATHENA, **changes: Any) -> BreakthroughProposal:
    plain = {"proposal": "a fusion lever. It is small.", "novelty": "nobody did it", "physics": "E = mc2"}
    return BreakthroughProposal(phase, by, Breakthrough(**{**plain, **changes}))


def run(
    *against: str, proposal: BreakthroughProposal | None = None, before: Dossier | None = None
) -> tuple[DisputeRun, Dossier, BreakthroughOutcome]:
    course = DisputeRun()

    def reply(ask: Ask) -> LabelledModel:
        if ask.returns is HumanDecision:
            return build_decision()
        return BreakthroughReview(survives=ask.agent not in against, text=f"{ask.agent} looked")

    flow = review_breakthrough(DESK, before or build_dossier("OF"), proposal or proposed())
    after, outcome = course.run_flow(flow, reply)
    return course, after, outcome


@pytest.mark.parametrize("status", ["KS", "CT", "PX", "MT", "DG"])
def test_only_an_open_frontier_waits_for_a_solution(status: Status) -> None:
    assert find_proposal_defect(build_dossier(status), proposed()) is not None


@pytest.mark.parametrize("phase", Phase)
def test_proposals_are_made_in_validate_and_refine(phase: Phase) -> None:
    assert (find_proposal_defect(build_dossier("OF"), proposed(phase)) is None) == (
        phase in {Phase.VALIDATE, Phase.REFINE}
    )


@pytest.mark.parametrize("part", ["proposal", "novelty", "physics"])
def test_a_proposal_has_a_solution_its_novelty_and_its_physics(part: str) -> None:
    assert find_proposal_defect(build_dossier("OF"), proposed(Phase.VALIDATE, **{part: " "})) is not None


def test_an_unfit_proposal_costs_nobody_anything() -> None:
    course, _, outcome = run(before=build_dossier("KS"))
    assert (course.asks, outcome.state) == ([], BreakthroughState.REFUSED)


def test_a_proposal_is_reviewed_once() -> None:
    _, after, _ = run(EULER)
    assert find_proposal_defect(after, proposed()) == "the same proposal has been reviewed already"


def test_three_agents_review_and_then_a_human() -> None:
    course, _, _ = run()
    assert course.agents == [EULER, NEWTON, GALILEO, "HUMAN"]


@pytest.mark.parametrize("agent", [EULER, NEWTON, GALILEO])
def test_a_proposal_must_survive_every_review(agent: str) -> None:
    course, _, outcome = run(agent)
    assert (outcome.state, "HUMAN" in course.agents) == (BreakthroughState.REJECTED, False)


def test_each_reviewer_is_given_the_proposal() -> None:
    course, _, _ = run()
    assert all("a fusion lever" in course.collect_notes_to(agent) for agent in (EULER, NEWTON, GALILEO))


def test_no_reviewer_reads_the_review_of_another() -> None:
    _, after, _ = run()
    assert not [entry for entry in after.entries if isinstance(entry.deliverable, BreakthroughReview)]


def test_a_survivor_is_a_candidate_with_the_note_of_the_specification() -> None:
    _, _, outcome = run()
    assert (outcome.state, outcome.note) == (
        BreakthroughState.CANDIDATE,
        "BREAKTHROUGH CANDIDATE: ATHENA proposed a fusion lever. Awaiting expert verification.",
    )


@pytest.mark.parametrize(("against", "survived"), [((), True), ((NEWTON,), False)])
def test_every_reviewed_proposal_is_logged(against: tuple[str, ...], survived: bool) -> None:  # noqa: FBT001 - a column
    _, after, _ = run(*against)
    (case,) = after.breakthroughs
    assert (case.survived, case.reviews[GALILEO]) == (survived, "GALILEO looked")


def test_the_humans_decision_is_returned() -> None:
    _, _, outcome = run()
    assert outcome.decision == build_decision()


def unseen(data: Any) -> bool:
    return "a fusion lever" not in str(data)


@pytest.mark.parametrize("agent", [SOCRATES, GALILEO])
def test_nobody_else_learns_of_a_proposal_in_validate(agent: str) -> None:
    _, after, _ = run()
    assert unseen(DESK.policy.build_view(after, agent, Phase.VALIDATE))


@pytest.mark.parametrize(
    ("proposer", "phase", "reviewers"),
    [
        (ATHENA, Phase.REFINE, [EULER, NEWTON, GALILEO]),
        (EULER, Phase.VALIDATE, [ATHENA, NEWTON, GALILEO]),
        (NEWTON, Phase.REFINE, [EULER, ATHENA, GALILEO]),
        (GALILEO, Phase.REFINE, [EULER, NEWTON, SOCRATES]),
        (GALILEO, Phase.VALIDATE, [EULER, NEWTON, ATHENA]),
    ],
)
def test_nobody_reviews_its_own_proposal(proposer: str, phase: Phase, reviewers: list[str]) -> None:
    course, _, _ = run(proposal=proposed(phase, by=proposer))
    assert course.agents[:3] == reviewers


@pytest.mark.parametrize(
    ("phase", "readers"),
    [(Phase.VALIDATE, {EULER, NEWTON}), (Phase.REFINE, {EULER, NEWTON, GALILEO, SOCRATES})],
)
def test_every_agent_that_may_read_the_solution_is_informed(phase: Phase, readers: set[str]) -> None:
    _, after, _ = run(proposal=proposed(phase))
    assert {note.addressee for note in after.notices if "a fusion lever" in note.text} == readers


def test_before_the_reveal_no_notice_says_what_a_reviewer_found() -> None:
    _, after, _ = run(NEWTON)
    assert not [note for note in after.notices if "did not survive" in note.text]


def test_the_human_is_asked_as_a_panel() -> None:
    course, _, _ = run()
    assert "panel of 3 experts; at least 2 of you must agree" in course.asks[-1].assignment.task
    assert "expert panel of 3" in course.asks[-1].assignment.context["assessment"]


@pytest.mark.parametrize(("against", "state"), [((), "CANDIDATE"), ((NEWTON,), "REJECTED")])
def test_the_log_keeps_the_state_and_the_note(against: tuple[str, ...], state: str) -> None:
    _, after, outcome = run(*against)
    assert [(case.state, case.note) for case in after.breakthroughs] == [(state, outcome.note)]


@pytest.mark.parametrize(("is_proved", "state"), [(True, "VERIFIED"), (False, "REFUTED")])
def test_a_candidate_is_verified_later_and_once(is_proved: bool, state: str) -> None:  # noqa: FBT001 - a column
    _, after, _ = run()
    case = record_verification(
        after.breakthroughs[0], is_proved=is_proved, method="analytical", verifiers=("Dr. Noether",)
    )
    assert (case.state, "Dr. Noether (analytical)" in case.note, "Awaiting" in case.note) == (
        state,
        True,
        False,
    )
    with pytest.raises(ConfigurationError, match="Only a CANDIDATE"):
        record_verification(case, is_proved=True, method="analytical", verifiers=("Dr. Noether",))


def test_a_rejected_proposal_cannot_be_verified() -> None:
    _, after, _ = run(NEWTON)
    with pytest.raises(ConfigurationError, match="Only a CANDIDATE"):
        record_verification(
            after.breakthroughs[0], is_proved=True, method="analytical", verifiers=("Noether",)
        )
