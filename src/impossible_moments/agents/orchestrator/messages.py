"""Who may send which message to whom, and what each kind must carry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from impossible_moments.agents.orchestrator.context_budget import MESSAGE_BODY
from impossible_moments.domain.message import Message
from impossible_moments.domain.vocabulary import EULER, HUMAN, NEWTON, ORCHESTRATOR, MessageType
from impossible_moments.models.tokens import tokens

AGENT: Final = "any agent"
ALL_AGENTS: Final = "all agents"
CHALLENGED: Final = "the challenged agent"
CHALLENGER: Final = "the challenger"


@dataclass(frozen=True, slots=True)
class Route:
    """A row of the table of message types."""

    purpose: str
    senders: tuple[str, ...]
    passed_on_to: tuple[str, ...] = ()
    """Where the orchestrator routes it; nothing where it keeps it."""


# fmt: off
ROUTES: Final[Mapping[MessageType, Route]] = {
    # 1.3                                   purpose                                            who can send           passed on to
    MessageType.DELIVERABLE:  Route("Primary output of a pipeline phase",                     (AGENT,)),
    MessageType.CHALLENGE:    Route("Dispute another agent's claim",                          (AGENT,),              (CHALLENGED,)),
    MessageType.RESPONSE:     Route("Reply to a challenge",                                   (CHALLENGED,),         (CHALLENGER,)),
    MessageType.VOTE:         Route("Cast a vote on a multi-agent decision",                  (AGENT,)),
    MessageType.VETO:         Route("Block a scenario from advancing",                        (NEWTON, EULER)),
    MessageType.ESCALATION:   Route("Request human review",                                   (AGENT, ORCHESTRATOR), (HUMAN,)),
    MessageType.BREAKTHROUGH: Route("Flag a potentially novel solution in an OF scenario",    (AGENT,),              (ALL_AGENTS, HUMAN)),
}
# fmt: on

Rule: TypeAlias = Callable[[Message, frozenset[str]], str | None]
"""Given a message and the agents that may veto, returns what is wrong, or None."""


def problems(message: Message, vetoers: frozenset[str] = frozenset({NEWTON, EULER})) -> tuple[str, ...]:
    """What breaks the rules of communication, in words; nothing where the message may pass."""
    return tuple(problem for rule in RULES if (problem := rule(message, vetoers)) is not None)


def through_the_orchestrator(message: Message, _vetoers: frozenset[str]) -> str | None:
    """1.3, rule 1."""
    if (message.sender == ORCHESTRATOR) != (message.recipient == ORCHESTRATOR):
        return None
    return (
        f"{message.sender} wrote to {message.recipient}; every message passes through the {ORCHESTRATOR}, "
        "so one of the two must be it"
    )


def sent_by_who_may(message: Message, vetoers: frozenset[str]) -> str | None:
    """1.3, the table of message types; what the orchestrator passes on was sent before."""
    if message.sender == ORCHESTRATOR:
        return None
    if message.message_type is MessageType.VETO and message.sender not in vetoers:
        return f"{message.sender} may not veto; {', '.join(sorted(vetoers))} may. Send a CHALLENGE"
    if message.sender == HUMAN and message.message_type is not MessageType.RESPONSE:
        return f"a human answers an escalation and sends no {message.message_type}"
    return None


def sure_to_a_degree(message: Message, _vetoers: frozenset[str]) -> str | None:
    """1.3, rule 2."""
    if message.message_type in {MessageType.DELIVERABLE, MessageType.VOTE} and message.confidence is None:
        return f"a {message.message_type} needs a confidence from 0.0 to 1.0"
    return None


def with_evidence(message: Message, _vetoers: frozenset[str]) -> str | None:
    """1.3, rule 3."""
    if message.message_type is MessageType.CHALLENGE and not _says_something(message):
        return "a CHALLENGE needs evidence: a calculation, a citation or a physical principle"
    return None


def with_proof(message: Message, _vetoers: frozenset[str]) -> str | None:
    """1.3, rule 4."""
    if message.message_type is MessageType.VETO and not _says_something(message):
        return "a VETO needs a proof or a derivation; without one it is downgraded to a CHALLENGE"
    return None


def short_enough(message: Message, _vetoers: frozenset[str]) -> str | None:
    """1.3, rule 5."""
    length = tokens(message.content.body)
    if length > MESSAGE_BODY:
        return (
            f"the body has about {length} tokens, and {MESSAGE_BODY} are allowed: "
            "split it into messages that name each other as dependencies"
        )
    return None


def _says_something(message: Message) -> bool:
    return any(each.strip() for each in message.content.evidence)


RULES: Final[tuple[Rule, ...]] = (
    through_the_orchestrator,
    sent_by_who_may,
    sure_to_a_degree,
    with_evidence,
    with_proof,
    short_enough,
)
