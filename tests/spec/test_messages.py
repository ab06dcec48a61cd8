"""Specification 1.3: the fields of a message, who may send which, and the rules of communication."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from impossible_moments.agents.orchestrator.message_rules import (
    AGENT,
    ALL_AGENTS,
    CHALLENGED,
    CHALLENGER,
    ROUTES,
    MessageContext,
    choose_disposition,
    find_message_problems,
    is_passed_on_to,
)
from impossible_moments.domain.message import Disposition, Message, MessageContent, MessageMetadata
from impossible_moments.domain.vocabulary import (
    ATHENA,
    EULER,
    HUMAN,
    NEWTON,
    ORCHESTRATOR,
    ROLES,
    MessageType,
    Phase,
)
from spec.transcribed import table

ROWS = {row["Type"]: row for row in table("messages")}
PARTS: dict[str, type[BaseModel]] = {
    "message": Message,
    "content": MessageContent,
    "metadata": MessageMetadata,
}
SENDERS = {
    "Any agent (during their lead phase)": (AGENT,),
    "Any agent": (AGENT,),
    "Challenged agent": (CHALLENGED,),
    "NEWTON, EULER": (NEWTON, EULER),
    "Any agent, or Orchestrator": (AGENT, ORCHESTRATOR),
}
RECEIVERS = {
    "Orchestrator (for routing)": (),
    "Orchestrator -> challenged agent": (CHALLENGED,),
    "Orchestrator -> challenger": (CHALLENGER,),
    "Orchestrator (for tallying)": (),
    "Orchestrator (halts pipeline)": (),
    "Human reviewer": (HUMAN,),
    "Orchestrator -> all agents + human expert panel": (ALL_AGENTS, HUMAN),
}

each_type = pytest.mark.parametrize("kind", MessageType)


def message(kind: MessageType, **changes: Any) -> Message:
    content = MessageContent(
        summary="in short",
        body=changes.pop("body", "at length"),
        evidence=changes.pop("evidence", ("derivation: F = ma",)),
    )
    plain = {
        "message_id": "m",
        "timestamp": "t",
        "phase": Phase.VALIDATE,
        "sender": NEWTON,
        "recipient": ORCHESTRATOR,
        "confidence": 0.8,
    }
    return Message(**{**plain, "message_type": kind, "content": content, **changes})


@pytest.mark.parametrize("part", PARTS)
def test_a_message_has_the_fields_of_the_specification(part: str) -> None:
    assert list(PARTS[part].model_fields) == [
        row["Field"] for row in table("message_fields") if row["Part"] == part
    ]


def test_the_message_types_are_those_of_the_specification() -> None:
    assert [str(kind) for kind in ROUTES] == list(ROWS)


@each_type
def test_those_may_send_whom_the_specification_names(kind: MessageType) -> None:
    assert ROUTES[kind].senders == SENDERS[ROWS[kind]["Who Can Send"]]


@each_type
def test_a_message_is_passed_on_to_whom_the_specification_names(kind: MessageType) -> None:
    assert ROUTES[kind].passed_on_to == RECEIVERS[ROWS[kind]["Who Can Receive"]]


@each_type
def test_a_whole_message_to_the_orchestrator_passes(kind: MessageType) -> None:
    assert find_message_problems(message(kind)) == ()


@each_type
def test_no_agent_writes_to_another(kind: MessageType) -> None:
    assert len(find_message_problems(message(kind, recipient=ATHENA))) == 1


@each_type
def test_a_confidence_is_mandatory_for_deliverables_and_votes(kind: MessageType) -> None:
    mandatory = kind in {MessageType.DELIVERABLE, MessageType.VOTE}
    assert bool(find_message_problems(message(kind, confidence=None))) == mandatory


@each_type
def test_evidence_is_mandatory_for_challenges_and_vetoes(kind: MessageType) -> None:
    mandatory = kind in {MessageType.CHALLENGE, MessageType.VETO}
    assert bool(find_message_problems(message(kind, evidence=(" ", "calculation: ")))) == mandatory


@pytest.mark.parametrize(
    ("kind", "proves"), [("proof", True), ("derivation", True), ("calculation", True), ("citation", False)]
)
def test_a_veto_needs_a_proof_and_not_any_evidence(kind: str, proves: bool) -> None:  # noqa: FBT001 - a column
    problems = find_message_problems(message(MessageType.VETO, evidence=(f"{kind}: F = ma",)))

    assert [each.disposition for each in problems] == ([] if proves else [Disposition.DOWNGRADED])


CONSEQUENCES: list[tuple[MessageType, dict[str, Any], Disposition]] = [
    (MessageType.CHALLENGE, {"evidence": ()}, Disposition.LOGGED),
    (MessageType.VETO, {"evidence": ()}, Disposition.DOWNGRADED),
    (MessageType.VETO, {"sender": ATHENA}, Disposition.DOWNGRADED),
    (MessageType.VOTE, {"confidence": None}, Disposition.REFUSED),
    (MessageType.DELIVERABLE, {"recipient": ATHENA}, Disposition.REFUSED),
    (MessageType.VOTE, {}, Disposition.ACCEPTED),
]


@pytest.mark.parametrize(("kind", "changes", "consequence"), CONSEQUENCES)
def test_each_broken_rule_has_its_consequence(
    kind: MessageType, changes: dict[str, Any], consequence: Disposition
) -> None:
    problems = find_message_problems(message(kind, **changes))

    assert choose_disposition(problems) is consequence


def test_only_the_agent_that_was_asked_responds() -> None:
    asked = message(MessageType.CHALLENGE, sender=ORCHESTRATOR, recipient=ATHENA)
    responses = [message(MessageType.RESPONSE, sender=each) for each in (ATHENA, NEWTON)]

    assert [bool(find_message_problems(each, MessageContext(answered=asked))) for each in responses] == [
        False, True,
    ]  # fmt: skip


PASSED_ON = [
    (MessageType.CHALLENGE, ATHENA, ATHENA, True),
    (MessageType.CHALLENGE, EULER, ATHENA, False),
    (MessageType.RESPONSE, NEWTON, NEWTON, True),
    (MessageType.RESPONSE, ATHENA, NEWTON, False),
    (MessageType.BREAKTHROUGH, EULER, None, True),
    (MessageType.BREAKTHROUGH, HUMAN, None, True),
    (MessageType.ESCALATION, HUMAN, None, True),
    (MessageType.ESCALATION, ATHENA, None, False),
    (MessageType.VETO, ATHENA, None, True),  # 1.4: presented to all agents
    (MessageType.VOTE, ATHENA, None, False),
    (MessageType.DELIVERABLE, ATHENA, None, False),
]


@pytest.mark.parametrize(("kind", "recipient", "party", "passes"), PASSED_ON)
def test_a_message_is_passed_on_by_the_table_of_routes(
    kind: MessageType,
    recipient: str,
    party: str | None,
    passes: bool,  # noqa: FBT001 - a column
) -> None:
    assert is_passed_on_to(kind, recipient, party) is passes


@pytest.mark.parametrize("agent", ROLES)
def test_only_newton_and_euler_veto(agent: str) -> None:
    assert bool(find_message_problems(message(MessageType.VETO, sender=agent))) == (
        agent not in {NEWTON, EULER}
    )


def test_an_agent_that_settings_let_veto_may() -> None:
    context = MessageContext(vetoers=frozenset({"DARWIN"}))

    assert find_message_problems(message(MessageType.VETO, sender="DARWIN"), context) == ()


@pytest.mark.parametrize(("characters", "passes"), [(16_000, True), (16_001, False)])
def test_a_body_has_at_most_four_thousand_tokens(characters: int, passes: bool) -> None:  # noqa: FBT001 - a column
    assert bool(find_message_problems(message(MessageType.DELIVERABLE, body="x" * characters))) != passes


def test_a_human_only_answers() -> None:
    assert [bool(find_message_problems(message(kind, sender=HUMAN))) for kind in MessageType].count(
        False
    ) == 1
