"""The veto protocol: a claim that breaks a law of physics or mathematics halts the scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from impossible_moments.agents.orchestrator.desk import Desk
from impossible_moments.agents.orchestrator.evidence import Yardstick
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.protocols import challenge as challenges
from impossible_moments.agents.orchestrator.protocols.bench import Bench, told
from impossible_moments.agents.orchestrator.protocols.escalation import Point, Trigger, escalate
from impossible_moments.agents.orchestrator.protocols.veto_validity import (
    DOWNGRADED,
    Raised,
    as_challenge,
    over_the_limit,
    routed,
    shortcoming,
    veto_domain,
)
from impossible_moments.domain.disputes import HumanDecision, Option, VetoReview
from impossible_moments.domain.dossier import Disagreement, Dossier, Note, VetoCase
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA


class State(StrEnum):
    """The states of a veto."""

    RAISED = "RAISED"
    DOWNGRADED = DOWNGRADED
    REVISING = "REVISING"
    REVIEWING = "REVIEWING"
    LIFTED = "LIFTED"
    UNRESOLVED = "UNRESOLVED"
    RETURNED = "RETURNED"
    RECLASSIFIED = "RECLASSIFIED"
    AWAITING_HUMAN = "AWAITING_HUMAN"
    DISCARDED = "DISCARDED"
    ESCALATED = "ESCALATED"


class Event(StrEnum):
    """The events that change the state of a veto."""

    INVALID = "INVALID"
    TOO_MANY = "TOO_MANY"
    CORRECTABLE = "CORRECTABLE"
    FUNDAMENTAL = "FUNDAMENTAL"
    ANSWERED = "ANSWERED"
    UNANSWERED = "UNANSWERED"
    SATISFIED = "SATISFIED"
    UNSATISFIED = "UNSATISFIED"
    REDESIGN_LEFT = "REDESIGN_LEFT"
    FORBIDDEN = "FORBIDDEN"
    NO_WAY_LEFT = "NO_WAY_LEFT"
    RESOLVE = "RESOLVE"
    REDESIGN = "REDESIGN"
    DISCARD = "DISCARD"
    SPLIT = "SPLIT"


# fmt: off
TRANSITIONS: Final[Mapping[tuple[State, Event], State]] = {
    # 4.2, constraints
    (State.RAISED,         Event.INVALID):       State.DOWNGRADED,
    (State.RAISED,         Event.TOO_MANY):      State.AWAITING_HUMAN,
    # 4.2, step 3: a corrective revision is possible
    (State.RAISED,         Event.CORRECTABLE):   State.REVISING,
    (State.REVISING,       Event.ANSWERED):      State.REVIEWING,
    (State.REVISING,       Event.UNANSWERED):    State.UNRESOLVED,
    (State.REVIEWING,      Event.SATISFIED):     State.LIFTED,
    (State.REVIEWING,      Event.UNSATISFIED):   State.UNRESOLVED,
    # 4.2, step 4: the scenario is fundamentally flawed
    (State.RAISED,         Event.FUNDAMENTAL):   State.UNRESOLVED,
    # if no revision helps: one redesign, then PX if it computes as PX, otherwise a human
    (State.UNRESOLVED,     Event.REDESIGN_LEFT): State.RETURNED,
    (State.UNRESOLVED,     Event.FORBIDDEN):     State.RECLASSIFIED,
    (State.UNRESOLVED,     Event.NO_WAY_LEFT):   State.AWAITING_HUMAN,
    # 4.3, step 3: a human lets the scenario continue, or does not
    (State.AWAITING_HUMAN, Event.RESOLVE):       State.LIFTED,
    (State.AWAITING_HUMAN, Event.REDESIGN):      State.RETURNED,
    (State.AWAITING_HUMAN, Event.DISCARD):       State.DISCARDED,
    (State.AWAITING_HUMAN, Event.SPLIT):         State.ESCALATED,
}
# fmt: on
TERMINAL: Final = frozenset(State) - {state for state, _ in TRANSITIONS}
GOES_ON: Final = frozenset({State.LIFTED, State.DOWNGRADED})
"""The final states after which the phase continues. RETURNED and RECLASSIFIED lead back to SEED and to
VALIDATE. The caller counts the redesign."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a veto."""

    state: State
    case: VetoCase
    reason: str = ""
    challenge: challenges.Outcome | None = None
    """The outcome of the challenge that the veto was downgraded to."""
    decision: HumanDecision | None = None

    @property
    def goes_on(self) -> bool:
        """Whether the phase may continue."""
        return self.state in GOES_ON


@dataclass(frozen=True, slots=True)
class _Case:
    raised: Raised
    dossier: Dossier
    state: State = State.RAISED
    reason: str = ""
    trigger: Trigger = Trigger.VETO
    decision: HumanDecision | None = None


def veto(desk: Desk, dossier: Dossier, raised: Raised, *, bench: Bench) -> Flow[tuple[Dossier, Outcome]]:
    """Process a veto until it reaches a terminal state, and log it. The scenario is halted until then."""
    case = _Case(raised, dossier)
    while case.state not in TERMINAL:
        match case.state:
            case State.RAISED:
                event, case = _examined(case, bench)
            case State.REVISING:
                event, case = yield from _revised(desk, case)
            case State.REVIEWING:
                event, case = yield from _reviewed(desk, case)
            case State.UNRESOLVED:
                event, case = _ways_left(case, bench)
            case _:
                event, case = yield from _decided(desk, case)
        case = replace(case, state=TRANSITIONS[case.state, event])
    dossier, outcome = _logged(case)
    if case.state is not State.DOWNGRADED:
        return dossier, outcome
    # 4.2: a veto without proof is downgraded to a challenge.
    dossier, challenged = yield from challenges.challenge(desk, dossier, as_challenge(raised), bench=bench)
    return dossier, replace(outcome, challenge=challenged)


def most_asks(bench: Bench) -> int:
    """Return the most asks that a veto can take: revision, review and a human, or a challenge."""
    return max(3, challenges.most_asks(bench))


def _examined(case: _Case, bench: Bench) -> tuple[Event, _Case]:
    """Check the conditions of 1.4 and 4.2: the form, then the number, then whether it is correctable."""
    raised = case.raised
    reason = shortcoming(raised, bench.yardstick(case.dossier), bench.vetoers)
    if reason is not None:
        return Event.INVALID, replace(case, reason=reason)
    if over_the_limit(case.dossier, raised.raised_by, bench.vetoes_per_agent):
        reason = f"{raised.raised_by} has used its vetoes"
        return Event.TOO_MANY, replace(case, reason=reason, trigger=Trigger.VETO_LIMIT)
    return (Event.CORRECTABLE if raised.veto.correctable else Event.FUNDAMENTAL), case


def _revised(desk: Desk, case: _Case) -> Flow[tuple[Event, _Case]]:
    """Ask ATHENA for one revision of the seed. An unchanged seed does not count as one."""
    raised = case.raised
    note = Note(ATHENA, routed(raised.veto), raised.phase)
    task = "A veto halts the scenario; your notes say what it violates. Revise the seed so that it no longer does."
    before = case.dossier.latest(SeedDocument)
    seed = yield from desk.ask(told(case.dossier, note), ATHENA, raised.phase, "revision", task, SeedDocument)
    case = replace(case, dossier=case.dossier.file(raised.phase, ATHENA, seed))
    return (Event.UNANSWERED if seed == before else Event.ANSWERED), case


def _reviewed(desk: Desk, case: _Case) -> Flow[tuple[Event, _Case]]:
    """Ask the agent that raised the veto whether it lifts it. No other agent can."""
    raised = case.raised
    note = Note(raised.raised_by, routed(raised.veto), raised.phase)
    task = "ATHENA revised the seed to meet your veto. Say whether you are satisfied."
    word = yield from desk.ask(
        told(case.dossier, note), raised.raised_by, raised.phase, "veto-review", task, VetoReview
    )
    dossier = case.dossier.file(raised.phase, raised.raised_by, word)
    case = replace(case, dossier=dossier, reason=word.reason)
    return (Event.SATISFIED if word.satisfied else Event.UNSATISFIED), case


def _ways_left(case: _Case, bench: Bench) -> tuple[Event, _Case]:
    if case.dossier.redesigns < bench.redesigns:
        return Event.REDESIGN_LEFT, case
    if case.dossier.brief.solution_status != "PX" and _forbids_everything(bench.yardstick(case.dossier)):
        return Event.FORBIDDEN, replace(case, reason="the mechanics compute as PX")
    return Event.NO_WAY_LEFT, case


def _forbids_everything(yardstick: Yardstick) -> bool:
    return yardstick.status == "PX"


def _decided(desk: Desk, case: _Case) -> Flow[tuple[Event, _Case]]:
    raised = case.raised
    point = Point(
        phase=raised.phase,
        trigger=case.trigger,
        question=f"{raised.raised_by} vetoes: {raised.veto.claim} ({raised.veto.law})",
        assessment=case.reason
        or "Neither a revision nor a redesign met the veto, and the mechanics do not compute as PX.",
        domain=veto_domain(raised.raised_by),
        positions={raised.raised_by: routed(raised.veto)},
        evidence={raised.raised_by: raised.veto.proof},
    )
    dossier, decision = yield from escalate(desk, case.dossier, point)
    case = replace(case, dossier=dossier, decision=decision, reason=decision.justification)
    if decision.option is Option.RESOLVE and decision.prevails == "CHALLENGER":
        return Event.REDESIGN, case  # the veto is right, so the scenario must change
    return Event[decision.option.name], case


def _logged(case: _Case) -> tuple[Dossier, Outcome]:
    raised = case.raised
    record = VetoCase(raised.phase, raised.raised_by, raised.veto, str(case.state))
    line = Disagreement(
        topic=raised.veto.claim,
        agents=(raised.raised_by, ATHENA),
        method="human escalation" if case.decision is not None else "veto",
        outcome=str(case.state),
        kind="veto",
    )
    dossier = replace(
        case.dossier,
        vetoes=(*case.dossier.vetoes, record),
        disagreements=(*case.dossier.disagreements, line),
    )
    return dossier, Outcome(case.state, record, case.reason, decision=case.decision)
