"""Scripted players, which answer asks from a table, for tests and for authors of extensions.

`build_scripted_player` answers by agent and deliverable. The other functions wrap a player and change how one
agent answers: it defends everything, vetoes, contributes nothing, writes too much, or accepts false claims.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

from impossible_moments.agents.orchestrator.flow import Ask, Flow
from impossible_moments.domain.agent_trace import NO_CONTRIBUTION, AgentTrace
from impossible_moments.domain.classification import InformedClassification
from impossible_moments.domain.content_labels import LabelledModel
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
from impossible_moments.domain.refinement import (
    CalibrationVote,
    DesignVote,
    DistractorReview,
    ReadinessVote,
    RefinementBallot,
    ReviewMemo,
    StatusVote,
)
from impossible_moments.domain.validation import FeasibilityCheck, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import SOCRATES

T = TypeVar("T")
Player: TypeAlias = Callable[[Ask], LabelledModel]
Key: TypeAlias = tuple[str, type[LabelledModel]]


class UnscriptedAsk(LookupError):
    """An ask to which the script has no answer."""


def build_scripted_player(
    answers: Mapping[Key, LabelledModel], decision: HumanDecision | None = None
) -> Player:
    """Return a player that answers from a table.

    It concedes in disputes that the table does not mention, and answers a human review with `decision`, or
    RESOLVE.
    """
    decided = decision or HumanDecision(option=Option.RESOLVE, justification="as the script has it")

    def answer_from_script(ask: Ask) -> LabelledModel:
        found = answers.get((ask.agent, ask.returns))
        if found is not None:
            return found
        if ask.returns is RefinementBallot:
            return _compose_ballot(answers, ask)
        conceding = _OBLIGING_ANSWERS.get(ask.returns)
        if ask.returns is HumanDecision:
            return decided
        if conceding is None:
            raise UnscriptedAsk(f"{ask.key} needs a {ask.returns.__name__}, but the script has none")
        return conceding

    return answer_from_script


def _compose_ballot(answers: Mapping[Key, LabelledModel], ask: Ask) -> RefinementBallot:
    """Return the ballot made of an agent's scripted votes.

    Without a scripted vote on the status the agent follows the informed classification in the script, and without one
    on the design it approves.
    """
    calibration = answers.get((ask.agent, CalibrationVote))
    distractors = answers.get((ask.agent, DistractorReview))
    readiness = answers.get((ask.agent, ReadinessVote))
    informed = answers.get((SOCRATES, InformedClassification))
    status = answers.get((ask.agent, StatusVote))
    if status is None and isinstance(informed, InformedClassification):
        status = StatusVote(status=informed.status, reason="As classified.", confidence=0.8)
    if not (
        isinstance(calibration, CalibrationVote)
        and isinstance(distractors, DistractorReview)
        and isinstance(readiness, ReadinessVote)
        and isinstance(status, StatusVote)
    ):
        raise UnscriptedAsk(f"{ask.key} needs all votes of {ask.agent}, but the script lacks one")
    design = answers.get((ask.agent, DesignVote))
    return RefinementBallot(
        calibration=calibration,
        distractors=distractors,
        status=status,
        design=design if isinstance(design, DesignVote) else DesignVote(confidence=0.8),
        readiness=readiness,
    )


_OBLIGING_ANSWERS: Mapping[type[LabelledModel], LabelledModel] = {
    ChallengeResponse: ChallengeResponse(
        answer=Answer.ACCEPT, text="The objection is right.", confidence=0.8
    ),
    Ballot: Ballot(choice="CHALLENGER", reason="The evidence is on that side.", confidence=0.8),
    VetoReview: VetoReview(satisfied=True, reason="The revision removes the violation."),
    FeasibilityCheck: FeasibilityCheck(
        mirage_convincing="The obvious ways fail by computation.", confidence=0.8
    ),
    BreakthroughReview: BreakthroughReview(survives=False, text="Known, and known to fall short."),
}


def wrap_player_with_stubbornness(player: Player, agent: str) -> Player:
    """Wrap a player so that the agent defends every claim and never votes to approve."""

    def answer_stubbornly(ask: Ask) -> LabelledModel:
        if ask.agent != agent:
            return player(ask)
        if ask.returns is ChallengeResponse:
            return ChallengeResponse(answer=Answer.DEFEND, text="The claim stands.", confidence=0.9)
        if ask.returns is RefinementBallot:
            ballot = player(ask)
            assert isinstance(ballot, RefinementBallot), "the player answers what it is asked"
            refusal = ReadinessVote(
                vote="REVISE", changes=("everything",), addressed_to="ATHENA", confidence=0.9
            )
            return ballot.model_copy(update={"readiness": refusal})
        return player(ask)

    return answer_stubbornly


def wrap_player_with_vetoes(player: Player, agent: str, veto: Veto, *, times: int = 1) -> Player:
    """Wrap a player so that the agent adds a veto to its first `times` reports."""
    veto_count = 0

    def answer_with_veto(ask: Ask) -> LabelledModel:
        nonlocal veto_count
        reply = player(ask)
        if ask.agent == agent and isinstance(reply, PhysicsReport | MathematicsReport) and veto_count < times:
            veto_count += 1
            return reply.model_copy(update={"vetoes": (*reply.vetoes, veto)})
        return reply

    return answer_with_veto


def wrap_player_with_silence(player: Player, agent: str) -> Player:
    """Wrap a player so that the agent contributes only what is required, and justifies it."""

    def answer_without_contribution(ask: Ask) -> LabelledModel:
        reply = player(ask)
        if ask.agent == agent and isinstance(reply, ReviewMemo):
            return ReviewMemo(text=NO_CONTRIBUTION, confidence=reply.confidence)
        if ask.agent == agent and isinstance(reply, AgentTrace):
            return reply.model_copy(
                update={"found": NO_CONTRIBUTION, "justification": "Nothing here was mine to judge."}
            )
        return reply

    return answer_without_contribution


def wrap_player_with_overlong_memo(player: Player, agent: str, words: int = 30_000) -> Player:
    """Wrap a player so that the memo of the agent is far too long."""

    def answer_at_length(ask: Ask) -> LabelledModel:
        reply = player(ask)
        if ask.agent == agent and isinstance(reply, ReviewMemo):
            return reply.model_copy(update={"text": "and so on " * (words // 3)})
        return reply

    return answer_at_length


def wrap_player_with_lies(player: Player, agent: str) -> Player:
    """Wrap a player so that the agent calls every claim VALID with high confidence."""

    def answer_with_false_verdicts(ask: Ask) -> LabelledModel:
        reply = player(ask)
        if ask.agent == agent and isinstance(reply, PhysicsReport | MathematicsReport):
            claims: Any = tuple(claim.model_copy(update={"verdict": "VALID"}) for claim in reply.claims)
            return reply.model_copy(update={"claims": claims, "confidence": 0.99})
        return reply

    return answer_with_false_verdicts


def run_flow_with_player(flow: Flow[T], player: Player, recorded_asks: list[Ask] | None = None) -> T:
    """Run a flow to its end with the answers of a player. `recorded_asks` collects every ask."""
    try:
        asks = next(flow)
        while True:
            if recorded_asks is not None:
                recorded_asks += asks
            asks = flow.send(tuple(player(ask) for ask in asks))
    except StopIteration as end:
        result: T = end.value
        return result
