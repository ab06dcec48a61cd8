"""Rules of communication: who may send which message to whom, and what each kind must contain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from impossible_moments.agents.orchestrator.context.token_budgets import MESSAGE_BODY
from impossible_moments.domain.message import Message
from impossible_moments.domain.vocabulary import EULER, HUMAN, NEWTON, ORCHESTRATOR, MessageType
from impossible_moments.llm import estimate_text_tokens

AGENT: Final = "any agent"
ALL_AGENTS: Final = "all agents"
CHALLENGED: Final = "the challenged agent"
CHALLENGER: Final = "the challenger"


@dataclass(frozen=True, slots=True)
class MessageRoute:
    """A row of the table of message types."""

    purpose: str
    senders: tuple[str, ...]
    passed_on_to: tuple[str, ...] = ()
    """The recipients the orchestrator forwards it to. Empty if it keeps the message."""


# fmt: off
ROUTES: Final[Mapping[MessageType, MessageRoute]] = {
    # 1.3                                   purpose                                            who can send           passed on to
    MessageType.DELIVERABLE:  MessageRoute("Primary output of a pipeline phase",                     (AGENT,)),
    MessageType.CHALLENGE:    MessageRoute("Dispute another agent's claim",                          (AGENT,),              (CHALLENGED,)),
    MessageType.RESPONSE:     MessageRoute("Reply to a challenge",                                   (CHALLENGED,),         (CHALLENGER,)),
    MessageType.VOTE:         MessageRoute("Cast a vote on a multi-agent decision",                  (AGENT,)),
    MessageType.VETO:         MessageRoute("Block a scenario from advancing",                        (NEWTON, EULER)),
    MessageType.ESCALATION:   MessageRoute("Request human review",                                   (AGENT, ORCHESTRATOR), (HUMAN,)),
    MessageType.BREAKTHROUGH: MessageRoute("Flag a potentially novel solution in an OF scenario",    (AGENT,),              (ALL_AGENTS, HUMAN)),
}
# fmt: on

Rule: TypeAlias = Callable[[Message, frozenset[str]], str | None]
"""Returns what is wrong with a message, or None, given the agents that may veto."""


def find_message_problems(
    message: Message, vetoers: frozenset[str] = frozenset({NEWTON, EULER})
) -> tuple[str, ...]:
    """Return the rules of communication that a message breaks, as sentences.

    Returns an empty tuple if the message is allowed.
    """
    return tuple(problem for rule in RULES if (problem := rule(message, vetoers)) is not None)


def check_orchestrator_routing(message: Message, _vetoers: frozenset[str]) -> str | None:
    """Check 1.3, rule 1: every message goes to or comes from the orchestrator."""
    if (message.sender == ORCHESTRATOR) != (message.recipient == ORCHESTRATOR):
        return None
    return (
        f"{message.sender} wrote to {message.recipient}; every message passes through the {ORCHESTRATOR}, "
        "so it must be the sender or the recipient"
    )


def check_sender_permission(message: Message, vetoers: frozenset[str]) -> str | None:
    """Check the table of message types in 1.3. Forwarded messages were checked before."""
    if message.sender == ORCHESTRATOR:
        return None
    if message.message_type is MessageType.VETO and message.sender not in vetoers:
        return f"{message.sender} may not veto; {', '.join(sorted(vetoers))} may. Send a CHALLENGE"
    if message.sender == HUMAN and message.message_type is not MessageType.RESPONSE:
        return f"a human can only answer an escalation, and cannot send a {message.message_type}"
    return None


def check_confidence_present(message: Message, _vetoers: frozenset[str]) -> str | None:
    """Check 1.3, rule 2: deliverables and votes carry a confidence."""
    if message.message_type in {MessageType.DELIVERABLE, MessageType.VOTE} and message.confidence is None:
        return f"a {message.message_type} needs a confidence from 0.0 to 1.0"
    return None


def check_challenge_evidence(message: Message, _vetoers: frozenset[str]) -> str | None:
    """Check 1.3, rule 3: a challenge carries evidence."""
    if message.message_type is MessageType.CHALLENGE and not _has_evidence(message):
        return "a CHALLENGE needs evidence: a calculation, a citation or a physical principle"
    return None


def check_veto_proof(message: Message, _vetoers: frozenset[str]) -> str | None:
    """Check 1.3, rule 4: a veto carries a proof."""
    if message.message_type is MessageType.VETO and not _has_evidence(message):
        return "a VETO needs a proof or a derivation; without one it is downgraded to a CHALLENGE"
    return None


def check_body_length(message: Message, _vetoers: frozenset[str]) -> str | None:
    """Check 1.3, rule 5: the body is short enough."""
    length = estimate_text_tokens(message.content.body)
    if length > MESSAGE_BODY:
        return (
            f"the body has about {length} tokens, and {MESSAGE_BODY} are allowed: "
            "split it into messages that name each other as dependencies"
        )
    return None


def _has_evidence(message: Message) -> bool:
    return any(each.strip() for each in message.content.evidence)


RULES: Final[tuple[Rule, ...]] = (
    check_orchestrator_routing,
    check_sender_permission,
    check_confidence_present,
    check_challenge_evidence,
    check_veto_proof,
    check_body_length,
)
