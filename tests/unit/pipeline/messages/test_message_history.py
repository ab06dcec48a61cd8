"""The messages of a run: requests, replies, disputes, and what the orchestrator passes on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Final

import pytest

from impossible_moments.agents.orchestrator.context.token_budgets import MESSAGE_BODY
from impossible_moments.agents.orchestrator.flow import Ask, Assignment
from impossible_moments.agents.scripted_players import Player
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import Answer, Breakthrough, BreakthroughReview, ChallengeResponse
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.message import Disposition
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.validation import PhysicsReport
from impossible_moments.domain.vocabulary import (
    ATHENA,
    EULER,
    GALILEO,
    HUMAN,
    NEWTON,
    ORCHESTRATOR,
    SOCRATES,
    MessageType,
    Phase,
)
from impossible_moments.llm.token_estimates import estimate_text_tokens
from impossible_moments.pipeline.messages.message_history import MessageHistory
from support.message_runs import MessageRun, build_answer, run_with_messages
from support.scripted_runs import (
    add_tied_dispute,
    build_challenge,
    build_evidence,
    build_veto,
    change_fields,
    make_obliging_player,
    revise_every_time,
)

CHALLENGE: Final = build_challenge(ATHENA)


def add_to_physics(**fields: object) -> Player:
    """Return the obliging player with disputes in NEWTON's first report."""
    return revise_every_time(change_fields(make_obliging_player(), NEWTON, PhysicsReport, times=1, **fields))


def add_to_memo(**fields: object) -> Player:
    """Return the obliging player with disputes in GALILEO's memo."""
    return change_fields(make_obliging_player(), GALILEO, ReviewMemo, times=1, **fields)


@cache
def run_obliging() -> MessageRun:
    return run_with_messages(make_obliging_player())


# fmt: off
RUNS: Final[dict[str, Callable[[], MessageRun]]] = {
    "obliging":   run_obliging,
    "challenged": lambda: run_with_messages(add_tied_dispute(make_obliging_player()), until=HUMAN),
    "vetoed":     lambda: run_with_messages(add_to_physics(vetoes=(build_veto(),))),
    "escalated":  lambda: run_with_messages(add_to_memo(escalation="I do not trust the pane.")),
}
# fmt: on


@pytest.mark.parametrize("name", RUNS)
def test_every_message_keeps_the_rules_and_passes_through_the_orchestrator(name: str) -> None:
    run = RUNS[name]()

    assert [problem for each in run.filed for problem in each.problems] == []
    assert all((each.sender == ORCHESTRATOR) != (each.recipient == ORCHESTRATOR) for each in run.messages)


@pytest.mark.parametrize("name", RUNS)
def test_a_message_depends_only_on_earlier_ones_and_has_an_identifier_of_its_own(name: str) -> None:
    known: set[str] = set()
    for message in RUNS[name]().messages:
        assert set(message.content.dependencies) <= known
        assert message.message_id not in known
        known.add(message.message_id)


def test_two_runs_give_the_same_messages() -> None:
    assert run_with_messages(make_obliging_player()) == run_obliging()


def test_a_request_depends_on_the_documents_that_its_agent_is_shown() -> None:
    run = run_obliging()
    seed = run.find(MessageType.DELIVERABLE, ATHENA)[0]
    physics = run.find_request("VALIDATE/NEWTON/physics/1")
    blind = run.find_request("CLASSIFY/SOCRATES/classification/1")
    grounding = run.list_dependencies(run.find_request("GROUND/GALILEO/grounding/1"))

    assert run.list_dependencies(physics) == run.list_dependencies(blind) == [seed]
    assert [each.sender for each in grounding] == [ATHENA, NEWTON, EULER, NEWTON, EULER, ORCHESTRATOR]


def test_a_document_that_the_orchestrator_computed_is_a_message_to_each_reader() -> None:
    sent = run_obliging().find(MessageType.DELIVERABLE, ORCHESTRATOR, GALILEO)
    joint = [each for each in sent if each.content.summary.startswith("JointAssessment")]

    assert [each.sender for each in run_obliging().list_dependencies(joint[0])] == [NEWTON, EULER]


def test_a_challenge_its_response_and_the_votes_name_what_they_depend_on() -> None:
    run = RUNS["challenged"]()
    (raised,) = run.find(MessageType.CHALLENGE, GALILEO)
    (routed,) = run.find(MessageType.CHALLENGE, ORCHESTRATOR, ATHENA)
    (response,) = run.find(MessageType.RESPONSE, ATHENA)
    (escalation,) = run.find(MessageType.ESCALATION, ORCHESTRATOR, HUMAN)
    ballot = run.find_request("REFINE/NEWTON/ballot/1")

    assert raised.message_id in routed.content.dependencies
    assert routed.content.evidence == raised.content.evidence == ("citation: It is argued for nowhere.",)
    assert response.content.dependencies == (routed.message_id, raised.message_id)
    for message in (escalation, ballot):
        assert {raised.message_id, response.message_id} <= set(message.content.dependencies)
    assert run.find(MessageType.RESPONSE, HUMAN)[0].content.dependencies[0] == escalation.message_id


@pytest.mark.parametrize(
    ("player", "confidence"),
    [
        (partial(add_to_physics, challenges=(CHALLENGE,)), None),
        (partial(add_to_memo, challenges=(CHALLENGE,)), 0.8),
    ],
    ids=["VALIDATE", "REFINE"],
)
def test_the_confidence_of_a_challenge_is_hidden_from_the_challenged_agent_before_the_reveal(
    player: Callable[[], Player], confidence: float | None
) -> None:
    run = run_with_messages(player())
    raised = [each for each in run.messages if each.message_type is MessageType.CHALLENGE]

    assert raised[0].confidence == 0.8
    assert run.find(MessageType.CHALLENGE, ORCHESTRATOR, ATHENA)[0].confidence == confidence


def test_a_veto_is_passed_on_to_athena_and_its_revision_to_the_vetoing_agent() -> None:
    run = RUNS["vetoed"]()
    (raised,) = run.find(MessageType.VETO, NEWTON)
    (presented,) = run.find(MessageType.VETO, ORCHESTRATOR, ATHENA)
    (returned,) = run.find(MessageType.RESPONSE, ORCHESTRATOR, NEWTON)
    revision = run.find_request("VALIDATE/ATHENA/revision/2")

    assert presented.content.dependencies == (raised.message_id,)
    assert presented.message_id in revision.content.dependencies
    assert raised.message_id in returned.content.dependencies
    assert run.find(MessageType.DELIVERABLE, ATHENA)[1] in run.list_dependencies(returned)


# fmt: off
DOWNGRADED: Final[dict[str, tuple[str, Callable[[], Player]]]] = {
    "without proof": (NEWTON,  lambda: add_to_physics(vetoes=(build_veto(proof=(build_evidence(kind="citation"),)),))),
    "without power": (GALILEO, lambda: add_to_memo(vetoes=(build_veto(),))),
}
# fmt: on


@pytest.mark.parametrize("case", DOWNGRADED)
def test_an_invalid_veto_is_kept_and_passed_on_as_a_challenge(case: str) -> None:
    author, build_player = DOWNGRADED[case]
    run = run_with_messages(build_player())
    (raised,) = [each for each in run.filed if each.message.sender == author and each.message.message_type is MessageType.VETO]  # fmt: skip

    assert raised.disposition is Disposition.DOWNGRADED
    assert len(raised.problems) == 1
    assert run.find(MessageType.VETO, ORCHESTRATOR, ATHENA) == []
    routed = run.find(MessageType.CHALLENGE, ORCHESTRATOR, ATHENA)
    assert raised.message.message_id in routed[0].content.dependencies


def test_a_challenge_without_evidence_is_kept_and_passed_on_to_no_agent() -> None:
    run = run_with_messages(add_to_memo(challenges=(build_challenge(ATHENA, evidence=()),)))
    (raised,) = [each for each in run.filed if each.disposition is not Disposition.ACCEPTED]

    assert (raised.message.message_type, raised.disposition) == (MessageType.CHALLENGE, Disposition.LOGGED)
    assert run.find(MessageType.CHALLENGE, ORCHESTRATOR, ATHENA) == []


def test_an_escalation_of_an_agent_is_passed_on_to_a_human() -> None:
    run = RUNS["escalated"]()
    (asked,) = run.find(MessageType.ESCALATION, GALILEO)

    assert asked.message_id in run.find(MessageType.ESCALATION, ORCHESTRATOR, HUMAN)[0].content.dependencies


def test_a_detected_contradiction_is_a_challenge_of_the_orchestrator_with_evidence() -> None:
    player = change_fields(
        make_obliging_player(), GALILEO, GroundingReport, merit="LOW", confidence=0.95, times=1
    )
    run = run_with_messages(player)
    routed = [each for each in run.messages if each.message_type is MessageType.CHALLENGE]

    assert {each.sender for each in routed} == {ORCHESTRATOR}
    assert all(each.content.evidence for each in routed)


def build_ask(agent: str, phase: Phase, returns: type[LabelledModel], *notes: str, topic: str = "t") -> Ask:
    assignment = Assignment(
        agent, phase, "IM-0001", "Do it.", {"notes": list(notes)}, returns.__name__, 1_000
    )
    return Ask(f"{phase}/{agent}/{topic}/1", assignment, returns)


def test_a_breakthrough_is_passed_on_with_the_request_for_its_review() -> None:
    history = MessageHistory("IM-0001")
    found = Breakthrough(proposal="Freeze the lake.", novelty="New.", physics="Holds.")
    memo = ReviewMemo(text="Look.", breakthrough=found, confidence=0.8)
    ask = build_ask(SOCRATES, Phase.REFINE, ReviewMemo)
    history.open_round((ask,), lambda _ask: 0.0)
    report, raised = history.build_reply(ask, build_answer(ask, memo), memo)
    history.close_round()
    review = build_ask(EULER, Phase.REFINE, BreakthroughReview, "Proposed solution: Freeze the lake.")
    (routed,) = history.open_round((review,), lambda _ask: 0.0)

    assert raised.message.message_type is routed.message.message_type is MessageType.BREAKTHROUGH
    assert raised.message.content.dependencies == (report.message.message_id,)
    assert routed.message.content.dependencies == (raised.message.message_id,)
    assert "Freeze the lake" not in report.message.content.body


def test_the_response_is_passed_on_once_to_the_challenger() -> None:
    history = MessageHistory("IM-0001")
    memo = ReviewMemo(text="Look.", challenges=(CHALLENGE,), confidence=0.8)
    response = ChallengeResponse(answer=Answer.DEFEND, text="The floor is ice.", confidence=0.7)
    first = build_ask(NEWTON, Phase.REFINE, ReviewMemo)
    history.open_round((first,), lambda _ask: 0.0)
    _, raised = history.build_reply(first, build_answer(first, memo), memo)
    history.close_round()
    second = build_ask(ATHENA, Phase.REFINE, ChallengeResponse, "Your claim is challenged: the table slides")
    history.open_round((second,), lambda _ask: 0.0)
    (answered,) = history.build_reply(second, build_answer(second, response), response)
    history.close_round()
    note = "Your challenge of `the table slides` ended UPHELD. ATHENA answered: The floor is ice."
    third, fourth = (build_ask(NEWTON, Phase.REFINE, ReviewMemo, note, topic=name) for name in ("a", "b"))
    forward, request = history.open_round((third,), lambda _ask: 0.0)
    history.close_round()
    (again,) = history.open_round((fourth,), lambda _ask: 0.0)

    assert (forward.message.message_type, forward.message.confidence) == (MessageType.RESPONSE, 0.7)
    assert forward.message.content.dependencies == (raised.message.message_id, answered.message.message_id)
    assert forward.message.content.body == note
    assert request.message.content.dependencies == (forward.message.message_id,)
    assert again.message.content.dependencies == (forward.message.message_id,)


def test_each_vote_of_a_ballot_is_a_message_with_its_own_confidence() -> None:
    run = run_obliging()
    request = run.find_request("REFINE/NEWTON/votes/1")
    votes = [each for each in run.messages if request.message_id in each.content.dependencies]

    assert request.message_type is MessageType.VOTE
    assert [str(each.message_type) for each in votes] == ["VOTE", "DELIVERABLE", "VOTE", "VOTE", "VOTE"]
    assert all(each.confidence is not None for each in votes)


def test_a_note_that_quotes_nothing_belongs_to_the_request() -> None:
    ask = build_ask(ATHENA, Phase.SEED, ReviewMemo, "The narrative is too short.")
    (request,) = MessageHistory("IM-0001").open_round((ask,), lambda _ask: 0.0)

    assert "The narrative is too short." in request.message.content.body
    assert request.message.content.dependencies == ()


def test_a_body_that_is_too_long_is_split_and_each_part_names_those_before_it() -> None:
    memo = ReviewMemo(text="and so on. " * 6_000, confidence=0.8)
    history, ask = MessageHistory("IM-0001"), build_ask(NEWTON, Phase.REFINE, ReviewMemo)
    (request,) = history.open_round((ask,), lambda _ask: 0.0)
    parts = [each.message for each in history.build_reply(ask, build_answer(ask, memo), memo)]
    ids = [each.message_id for each in parts]

    assert len(parts) > 1
    assert all(estimate_text_tokens(part.content.body) <= MESSAGE_BODY for part in parts)
    assert [list(part.content.dependencies) for part in parts] == [
        [request.message.message_id, *ids[:number]] for number in range(len(parts))
    ]
    assert ReviewMemo.model_validate_json("".join(part.content.body for part in parts)) == memo
