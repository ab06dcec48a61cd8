"""Scripted players: casts whose answers are written down, for tests and for those who extend the system.

`Script` answers by agent and deliverable; a wrapper changes its manner: `stubborn` defends everything, `vetoing` halts
the pipeline, `silent` contributes nothing it need not, `rambling` says too much, `lying` is sure of what is false.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

from impossible_moments.agents.orchestrator.flow import Ask, Flow
from impossible_moments.domain.disputes import (
    Answer,
    Ballot,
    BreakthroughReview,
    ChallengeResponse,
    HumanDecision,
    Option,
    Veto,
    VetoReview,
)
from impossible_moments.domain.labels import Labelled
from impossible_moments.domain.refinement import ReadinessVote, ReviewMemo
from impossible_moments.domain.tracing import NO_CONTRIBUTION, AgentTrace
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport

T = TypeVar("T")
Player: TypeAlias = Callable[[Ask], Labelled]
Key: TypeAlias = tuple[str, type[Labelled]]


class Unscripted(LookupError):
    """A question that the script has no answer to."""


def script(answers: Mapping[Key, Labelled], decision: HumanDecision | None = None) -> Player:
    """A player that answers from a table; disputes it settles obligingly, and a human resolves."""
    decided = decision or HumanDecision(option=Option.RESOLVE, justification="as the script has it")

    def answer(ask: Ask) -> Labelled:
        found = answers.get((ask.agent, ask.returns))
        if found is not None:
            return found
        obliging = _OBLIGING.get(ask.returns)
        if ask.returns is HumanDecision:
            return decided
        if obliging is None:
            raise Unscripted(f"{ask.key} wants a {ask.returns.__name__}, and the script has none")
        return obliging

    return answer


_OBLIGING: Mapping[type[Labelled], Labelled] = {
    ChallengeResponse: ChallengeResponse(
        answer=Answer.ACCEPT, text="The objection is right.", confidence=0.8
    ),
    Ballot: Ballot(choice="CHALLENGER", reason="The evidence is on that side.", confidence=0.8),
    VetoReview: VetoReview(satisfied=True, reason="The revision removes the violation."),
    BreakthroughReview: BreakthroughReview(survives=False, text="Known, and known to fall short."),
}


def stubborn(player: Player, agent: str) -> Player:
    """The agent defends every claim and never votes to approve."""

    def answer(ask: Ask) -> Labelled:
        if ask.agent != agent:
            return player(ask)
        if ask.returns is ChallengeResponse:
            return ChallengeResponse(answer=Answer.DEFEND, text="The claim stands.", confidence=0.9)
        if ask.returns is ReadinessVote:
            return ReadinessVote(
                vote="REVISE", changes=("everything",), addressed_to="ATHENA", confidence=0.9
            )
        return player(ask)

    return answer


def vetoing(player: Player, agent: str, veto: Veto, *, times: int = 1) -> Player:
    """The agent adds a veto to its first reports."""
    raised = 0

    def answer(ask: Ask) -> Labelled:
        nonlocal raised
        reply = player(ask)
        if ask.agent == agent and isinstance(reply, PhysicsReport | MathematicsReport) and raised < times:
            raised += 1
            return reply.model_copy(update={"vetoes": (*reply.vetoes, veto)})
        return reply

    return answer


def silent(player: Player, agent: str) -> Player:
    """The agent says nothing that it need not say, and justifies it."""

    def answer(ask: Ask) -> Labelled:
        reply = player(ask)
        if ask.agent == agent and isinstance(reply, ReviewMemo):
            return ReviewMemo(text=NO_CONTRIBUTION, confidence=reply.confidence)
        if ask.agent == agent and isinstance(reply, AgentTrace):
            return reply.model_copy(
                update={"found": NO_CONTRIBUTION, "justification": "Nothing here was mine to judge."}
            )
        return reply

    return answer


def rambling(player: Player, agent: str, words: int = 30_000) -> Player:
    """The agent's memo is far too long."""

    def answer(ask: Ask) -> Labelled:
        reply = player(ask)
        if ask.agent == agent and isinstance(reply, ReviewMemo):
            return reply.model_copy(update={"text": "and so on " * (words // 3)})
        return reply

    return answer


def lying(player: Player, agent: str) -> Player:
    """The agent calls every claim VALID and is sure of it."""

    def answer(ask: Ask) -> Labelled:
        reply = player(ask)
        if ask.agent == agent and isinstance(reply, PhysicsReport | MathematicsReport):
            claims: Any = tuple(claim.model_copy(update={"verdict": "VALID"}) for claim in reply.claims)
            return reply.model_copy(update={"claims": claims, "confidence": 0.99})
        return reply

    return answer


def play(flow: Flow[T], player: Player, heard: list[Ask] | None = None) -> T:
    """Drive a flow with a player to its end; `heard` collects every ask."""
    try:
        asks = next(flow)
        while True:
            if heard is not None:
                heard += asks
            asks = flow.send(tuple(player(ask) for ask in asks))
    except StopIteration as end:
        result: T = end.value
        return result
