"""Rules of communication: who may send which message to whom, and what each kind must contain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from impossible_moments.agents.orchestrator.context.token_budgets import MESSAGE_BODY
from impossible_moments.domain.disputes import PROVING
from impossible_moments.domain.message import Disposition, Message
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
PRESENTED: Final[Mapping[MessageType, tuple[str, ...]]] = {
    # 1.4, resolution of a veto, steps 1 to 3: it is presented to agents although the table of 1.3 names no recipient.
    MessageType.VETO: (ALL_AGENTS,),
}
# fmt: on
_PARTIES: Final = frozenset({CHALLENGED, CHALLENGER})


@dataclass(frozen=True, slots=True)
class MessageContext:
    """What the rules know of a message besides the message."""

    vetoers: frozenset[str] = frozenset({NEWTON, EULER})
    answered: Message | None = None
    """The request that the message answers, if it is known."""


SPECIFIED: Final = MessageContext()
"""The context of a message of which nothing else is known."""
Rule: TypeAlias = Callable[[Message, MessageContext], str | None]
"""Returns what is wrong with a message, or None."""


@dataclass(frozen=True, slots=True)
class MessageProblem:
    """A rule that a message breaks, and what follows."""

    text: str
    disposition: Disposition

    def __str__(self) -> str:
        return self.text


def find_message_problems(
    message: Message, context: MessageContext = SPECIFIED
) -> tuple[MessageProblem, ...]:
    """Return the rules of communication that a message breaks. Empty if the message is allowed."""
    return tuple(
        MessageProblem(text, CONSEQUENCES[rule])
        for rule in RULES
        if (text := rule(message, context)) is not None
    )


def choose_disposition(problems: tuple[MessageProblem, ...]) -> Disposition:
    """Return what the orchestrator does with a message that has these problems: the strictest consequence."""
    found = {problem.disposition for problem in problems}
    return next((each for each in reversed(Disposition) if each in found), Disposition.ACCEPTED)


def is_passed_on_to(kind: MessageType, recipient: str, party: str | None) -> bool:
    """Return whether the orchestrator forwards a message of a type to a recipient.

    `party` is the challenged agent of a challenge, or the challenger that a response is for. None if unknown.
    """
    roles = (*ROUTES[kind].passed_on_to, *PRESENTED.get(kind, ()))
    return any(
        (role == ALL_AGENTS and recipient != HUMAN)
        or (role in _PARTIES and party in {None, recipient})
        or role == recipient
        for role in roles
    )


def check_orchestrator_routing(message: Message, _context: MessageContext) -> str | None:
    """Check 1.3, rule 1: every message goes to or comes from the orchestrator."""
    if (message.sender == ORCHESTRATOR) != (message.recipient == ORCHESTRATOR):
        return None
    return (
        f"{message.sender} wrote to {message.recipient}; every message passes through the {ORCHESTRATOR}, "
        "so it must be the sender or the recipient"
    )


def check_sender_permission(message: Message, context: MessageContext) -> str | None:
    """Check 1.3, message types: only the agent that was asked responds, and a human only responds.

    The orchestrator's own messages forward or request something.
    """
    if message.sender == ORCHESTRATOR:
        return None
    senders = ROUTES[message.message_type].senders
    if CHALLENGED in senders:
        asked = context.answered.recipient if context.answered is not None else message.sender
        return None if asked == message.sender else f"{message.sender} answers what {asked} was asked"
    if message.sender == HUMAN:
        return f"a human can only answer an escalation, and cannot send a {message.message_type}"
    return None


def check_veto_power(message: Message, context: MessageContext) -> str | None:
    """Check 1.3, message types: a veto comes from an agent with veto power."""
    if message.message_type is not MessageType.VETO or message.sender in {ORCHESTRATOR, *context.vetoers}:
        return None
    return f"{message.sender} may not veto; {', '.join(sorted(context.vetoers))} may. Send a CHALLENGE"


def check_confidence_present(message: Message, _context: MessageContext) -> str | None:
    """Check 1.3, rule 2: deliverables and votes of agents carry a confidence. The orchestrator judges nothing."""
    if message.sender == ORCHESTRATOR or message.confidence is not None:
        return None
    if message.message_type in {MessageType.DELIVERABLE, MessageType.VOTE}:
        return f"a {message.message_type} needs a confidence from 0.0 to 1.0"
    return None


def check_challenge_evidence(message: Message, _context: MessageContext) -> str | None:
    """Check 1.3, rule 3: a challenge carries evidence."""
    if message.message_type is MessageType.CHALLENGE and not _list_evidence(message):
        return "a CHALLENGE needs evidence: a calculation, a citation or a physical principle"
    return None


def check_veto_proof(message: Message, _context: MessageContext) -> str | None:
    """Check 1.3, rule 4: a veto carries a proof, as evidence of a proving kind."""
    kinds = {each.partition(":")[0] for each in _list_evidence(message)}
    if message.message_type is MessageType.VETO and not kinds & PROVING:
        return "a VETO needs a proof or a derivation; without one it is downgraded to a CHALLENGE"
    return None


def check_body_length(message: Message, _context: MessageContext) -> str | None:
    """Check 1.3, rule 5: the body is short enough."""
    length = estimate_text_tokens(message.content.body)
    if length > MESSAGE_BODY:
        return (
            f"the body has about {length} tokens, and {MESSAGE_BODY} are allowed: "
            "split it into messages that name each other as dependencies"
        )
    return None


def _list_evidence(message: Message) -> tuple[str, ...]:
    """Return the evidence that says something. A kind before a colon says nothing yet."""
    return tuple(each for each in message.content.evidence if _has_text(each))


def _has_text(evidence: str) -> bool:
    kind, separator, text = evidence.partition(": ")
    return bool((text if separator else kind).strip())


RULES: Final[tuple[Rule, ...]] = (
    check_orchestrator_routing,
    check_sender_permission,
    check_veto_power,
    check_confidence_present,
    check_challenge_evidence,
    check_veto_proof,
    check_body_length,
)
CONSEQUENCES: Final[Mapping[Rule, Disposition]] = {
    check_orchestrator_routing: Disposition.REFUSED,
    check_sender_permission: Disposition.REFUSED,
    check_veto_power: Disposition.DOWNGRADED,
    check_confidence_present: Disposition.REFUSED,
    check_challenge_evidence: Disposition.LOGGED,
    check_veto_proof: Disposition.DOWNGRADED,
    check_body_length: Disposition.REFUSED,
}
"""1.3 and 4.1: what happens to a message that breaks a rule."""
