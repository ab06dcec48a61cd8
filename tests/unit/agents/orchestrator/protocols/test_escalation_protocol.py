"""The escalation protocol: what a human gets, and what becomes of the answer."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.agents.orchestrator.protocols.escalation_protocol import (
    EscalationRequest,
    EscalationTrigger,
    build_escalation_package,
    escalate_to_human,
)
from impossible_moments.domain.disputes import Domain, HumanDecision, Option
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import ATHENA, NEWTON, Phase
from support.dispute_cases import (
    DESK,
    DisputeRun,
    build_decision,
    build_dossier,
    build_evidence,
    reply_from_script,
)


def point(**changes: Any) -> EscalationRequest:
    plain: dict[str, Any] = {
        "phase": Phase.VALIDATE,
        "trigger": EscalationTrigger.CONSENSUS,
        "question": "Does the table slide?",
        "assessment": "Two say so, and two do not.",
        "domain": "physics",
        "positions": {NEWTON: "it does not", ATHENA: "it does"},
        "evidence": {NEWTON: (build_evidence(),)},
    }
    return EscalationRequest(**{**plain, **changes})


def run(option: Option = Option.RESOLVE) -> tuple[DisputeRun, Dossier, HumanDecision]:
    course = DisputeRun()
    after, decided = course.run_flow(
        escalate_to_human(DESK, build_dossier(), point()),
        reply_from_script({HumanDecision: build_decision(option)}),
    )
    return course, after, decided


# fmt: off
PARTS = {
    # 4.3, step 1
    "the current scenario document":         lambda found: found["scenario"]["sections"][0]["document"] == "SeedDocument",
    "the specific point of disagreement":    lambda found: found["disagreement"]["question"] == "Does the table slide?",
    "all evidence from both sides":          lambda found: found["evidence"][NEWTON][0]["text"] == build_evidence().text,
    "all agents' confidence levels":         lambda found: found["confidences"] == {ATHENA: {"SeedDocument": 0.9}},
    "why the dispute cannot be resolved":    lambda found: found["assessment"] == "Two say so, and two do not.",
    "hours to respond":                      lambda found: found["hours_to_respond"] == 48,
    "the options":                           lambda found: found["options"] == ["RESOLVE", "REDESIGN", "DISCARD", "SPLIT"],
}
# fmt: on


@pytest.mark.parametrize("part", PARTS)
def test_the_package_holds(part: str) -> None:
    assert PARTS[part](build_escalation_package(build_dossier(), point()))


def test_the_human_is_given_the_whole_package() -> None:
    course, _, _ = run()
    assert course.asks[0].assignment.context == build_escalation_package(build_dossier(), point())


@pytest.mark.parametrize("option", Option)
def test_the_decision_is_returned_as_it_was_made(option: Option) -> None:
    _, _, decided = run(option)
    assert decided == build_decision(option)


def test_the_decision_is_logged_with_its_reason_and_discipline() -> None:
    _, after, _ = run()
    (review,) = after.reviews
    assert (review.decision, review.discipline, "Does the table slide?" in review.reason) == (
        build_decision(),
        "physicist",
        True,
    )


def test_the_decision_is_filed_as_the_humans_work() -> None:
    _, after, _ = run()
    assert after.find_latest_deliverable(HumanDecision, "HUMAN") == build_decision()


# fmt: off
DISCIPLINES: dict[Domain, str] = {
    "physics": "physicist", "mathematics": "engineer", "grounding": "cognitive scientist",
    "classification": "ethicist", "design": "cognitive scientist",
}
# fmt: on


@pytest.mark.parametrize(("domain", "discipline"), DISCIPLINES.items())
def test_the_expert_is_chosen_by_the_domain(domain: Domain, discipline: str) -> None:
    assert point(domain=domain).discipline == discipline


@pytest.mark.parametrize("phase", Phase)
def test_a_question_without_a_domain_still_finds_an_expert(phase: Phase) -> None:
    assert point(domain=None, phase=phase).discipline in DISCIPLINES.values()


STATES = {
    Option.RESOLVE: "RESOLVED", Option.REDESIGN: "REDESIGN", Option.DISCARD: "DISCARDED", Option.SPLIT: "SPLIT",
}  # fmt: skip


@pytest.mark.parametrize(("option", "state"), STATES.items())
def test_the_log_keeps_the_final_state(option: Option, state: str) -> None:
    _, after, _ = run(option)
    assert [review.state for review in after.reviews] == [state]


def test_the_log_keeps_the_essentials_of_the_package() -> None:
    _, after, _ = run()
    (review,) = after.reviews
    assert (review.question, review.assessment) == ("Does the table slide?", "Two say so, and two do not.")
    assert (review.positions, review.evidence) == (point().positions, {NEWTON: (build_evidence(),)})
    assert review.confidences == {ATHENA: {"SeedDocument": 0.9}}


@pytest.mark.parametrize("flaw", [True, False])
def test_a_structural_flaw_opens_a_design_review(flaw: bool) -> None:  # noqa: FBT001 - a column
    decision = build_decision(Option.REDESIGN, structural_flaw=flaw)
    after, _ = DisputeRun().run_flow(
        escalate_to_human(DESK, build_dossier(), point()), reply_from_script({HumanDecision: decision})
    )
    opened = [(each.phase, each.question, each.flaw, each.decision) for each in after.design_reviews]
    wanted = (Phase.VALIDATE, "Does the table slide?", "I measured it", Option.REDESIGN)
    assert opened == ([wanted] if flaw else [])
