"""The breakthrough protocol: three agents and then a human review a proposal for an open frontier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.protocols.breakthrough_proposal import (
    BreakthroughProposal,
    build_reader_notices,
    find_proposal_defect,
    format_candidate_note,
    format_proposal,
    may_read_solution,
)
from impossible_moments.agents.orchestrator.protocols.dispute_panel import OPEN_PHASES, add_private_notes
from impossible_moments.agents.orchestrator.protocols.escalation_protocol import (
    EscalationRequest,
    EscalationTrigger,
    escalate_to_human,
)
from impossible_moments.domain.disputes import BreakthroughReview, HumanDecision
from impossible_moments.domain.dossier import AgentNote, BreakthroughCase, Dossier
from impossible_moments.domain.evaluation_protocol import LEAST_AGREEING_EXPERTS, PANEL
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, ROLES, SOCRATES
from impossible_moments.errors import ConfigurationError

MOST_ASKS: Final = 4
"""Three reviews and a human."""

# fmt: off
REVIEWS: Final[Mapping[str, str]] = {
    # 4.4, steps 3 to 5
    EULER:   "A dedicated novelty check. Is the proposed approach mathematically distinct from known approaches? Does it rely on any unproven assumptions?",
    NEWTON:  "A dedicated physics deep-dive: force, energy and momentum, material properties at the relevant conditions, physical effects the proposal ignores.",
    GALILEO: "A literature search. Has this approach been proposed before, in any domain? Is it a recombination of known techniques or genuinely novel?",
}
SUBSTITUTES: Final[Mapping[str, tuple[str, ...]]] = {
    # The agents that take the review of a proposer, in order. ATHENA wrote the scenario and may read it in every phase.
    EULER:   (ATHENA, SOCRATES),
    NEWTON:  (ATHENA, SOCRATES),
    GALILEO: (SOCRATES, ATHENA),
}
# fmt: on


class BreakthroughState(StrEnum):
    """The states of a proposal."""

    PROPOSED = "PROPOSED"
    REFUSED = "REFUSED"
    REVIEWING = "REVIEWING"
    REJECTED = "REJECTED"
    CANDIDATE = "CANDIDATE"
    AWAITING_EXPERT = "AWAITING_EXPERT"
    VERIFIED = "VERIFIED"
    REFUTED = "REFUTED"


class BreakthroughEvent(StrEnum):
    """The events that change the state of a proposal."""

    UNFIT = "UNFIT"
    FLAGGED = "FLAGGED"
    FELL = "FELL"
    SURVIVED = "SURVIVED"
    SEEN = "SEEN"
    PROVED = "PROVED"
    DISPROVED = "DISPROVED"


# fmt: off
TRANSITIONS: Final[Mapping[tuple[BreakthroughState, BreakthroughEvent], BreakthroughState]] = {
    # 4.4, steps 1 and 2
    (BreakthroughState.PROPOSED,        BreakthroughEvent.UNFIT):    BreakthroughState.REFUSED,
    (BreakthroughState.PROPOSED,        BreakthroughEvent.FLAGGED):  BreakthroughState.REVIEWING,
    # 4.4, steps 3 to 6
    (BreakthroughState.REVIEWING,       BreakthroughEvent.FELL):     BreakthroughState.REJECTED,
    (BreakthroughState.REVIEWING,       BreakthroughEvent.SURVIVED): BreakthroughState.AWAITING_EXPERT,
    # The status stays OF whatever the expert decides, because verification takes longer than a run.
    (BreakthroughState.AWAITING_EXPERT, BreakthroughEvent.SEEN):      BreakthroughState.CANDIDATE,
    # 4.4, step 7, after the run
    (BreakthroughState.CANDIDATE,       BreakthroughEvent.PROVED):    BreakthroughState.VERIFIED,
    (BreakthroughState.CANDIDATE,       BreakthroughEvent.DISPROVED): BreakthroughState.REFUTED,
}
# fmt: on
TERMINAL: Final = frozenset(BreakthroughState) - {state for state, _ in TRANSITIONS}
RUN_ENDS: Final = (TERMINAL | {BreakthroughState.CANDIDATE}) - {
    BreakthroughState.VERIFIED,
    BreakthroughState.REFUTED,
}
"""The states in which a run leaves a proposal. Only a later verification moves it on."""


@dataclass(frozen=True, slots=True)
class BreakthroughOutcome:
    """The outcome of a proposal."""

    state: BreakthroughState
    reason: str = ""
    note: str = ""
    """The note that the scenario then carries. Empty if the proposal is not a candidate."""
    decision: HumanDecision | None = None


@dataclass(frozen=True, slots=True)
class _BreakthroughProgress:
    proposed: BreakthroughProposal
    dossier: Dossier
    reviewers: Mapping[str, str]
    """The task of each reviewer."""
    state: BreakthroughState = BreakthroughState.PROPOSED
    outcome: BreakthroughOutcome = BreakthroughOutcome(BreakthroughState.PROPOSED)


def review_breakthrough(
    desk: AskDesk, dossier: Dossier, proposal: BreakthroughProposal, *, agents: tuple[str, ...] = ROLES
) -> Flow[tuple[Dossier, BreakthroughOutcome]]:
    """Process a proposal until the run can do no more for it, and log it."""
    case = _BreakthroughProgress(proposal, dossier, select_reviewers(desk, proposal, agents))
    while case.state not in RUN_ENDS:
        match case.state:
            case BreakthroughState.PROPOSED:
                event, case = _screen_proposal(desk, case, agents)
            case BreakthroughState.REVIEWING:
                event, case = yield from _collect_breakthrough_reviews(desk, case)
            case _:
                event, case = yield from _ask_expert_about_proposal(desk, case)
        case = replace(case, state=TRANSITIONS[case.state, event])
    outcome = replace(case.outcome, state=case.state)
    return _log_breakthrough(desk, case.dossier, proposal, outcome, agents), outcome


def select_reviewers(
    desk: AskDesk, proposal: BreakthroughProposal, agents: tuple[str, ...] = ROLES
) -> dict[str, str]:
    """Return the reviewers with their tasks. Another agent takes the place of the proposer."""
    reviewers: dict[str, str] = {}
    for agent, task in REVIEWS.items():
        if agent != proposal.proposed_by:
            reviewers[agent] = task
            continue
        substitute = next(
            each
            for each in SUBSTITUTES[agent]
            if each in agents and (each == ATHENA or may_read_solution(desk, each, proposal.phase))
        )
        reviewers[substitute] = task
    return reviewers


def record_verification(
    case: BreakthroughCase, *, is_proved: bool, method: str, verifiers: tuple[str, ...]
) -> BreakthroughCase:
    """Return a candidate's case with the result of its verification (4.4, step 7).

    Raise `ConfigurationError` if the proposal is not a candidate or no verifier is named.
    """
    event = BreakthroughEvent.PROVED if is_proved else BreakthroughEvent.DISPROVED
    state = TRANSITIONS.get((BreakthroughState(case.state), event)) if case.state else None
    if state is None or not verifiers:
        raise ConfigurationError(
            f"The proposal of {case.proposed_by} is in the state `{case.state}`, verified by `{', '.join(verifiers)}`. "
            "Only a CANDIDATE can be verified, once, and its verifiers are named."
        )
    result = "verified" if is_proved else "refuted"
    note = f"{case.note.partition(' Awaiting expert verification')[0]} {state}: {result} by {', '.join(verifiers)} ({method})."
    return replace(case, state=str(state), note=note)


def _screen_proposal(
    desk: AskDesk, case: _BreakthroughProgress, agents: tuple[str, ...]
) -> tuple[BreakthroughEvent, _BreakthroughProgress]:
    """Flag a fit proposal, and inform all agents that may read it (1.3)."""
    reason = find_proposal_defect(case.dossier, case.proposed)
    if reason is None:
        proposed = case.proposed
        text = (
            f"{proposed.proposed_by} proposes a solution of the open frontier.\n{format_proposal(proposed)}"
        )
        notices = build_reader_notices(desk, proposed, agents, text)
        return BreakthroughEvent.FLAGGED, replace(case, dossier=case.dossier.add_notices(notices))
    return BreakthroughEvent.UNFIT, replace(case, outcome=replace(case.outcome, reason=reason))


def _collect_breakthrough_reviews(
    desk: AskDesk, case: _BreakthroughProgress
) -> Flow[tuple[BreakthroughEvent, _BreakthroughProgress]]:
    """Ask for three reviews at once.

    They go to the log and not to the dossier's entries, because validators must not read each other's work.
    """
    proposed, dossier = case.proposed, case.dossier
    reviewers = tuple(case.reviewers)
    notes = (AgentNote(reviewer, format_proposal(proposed), proposed.phase) for reviewer in reviewers)
    topic = f"breakthrough-{len(dossier.breakthroughs) + 1}"
    reviews = yield from desk.ask_agents(
        add_private_notes(dossier, *notes),
        reviewers,
        proposed.phase,
        topic,
        dict(case.reviewers),
        BreakthroughReview,
    )
    against = [reviewer for reviewer in reviewers if not reviews[reviewer].survives]
    record = BreakthroughCase(
        proposed.phase,
        proposed.proposed_by,
        proposed.breakthrough,
        survived=not against,
        reviews={reviewer: reviews[reviewer].text for reviewer in reviewers},
    )
    case = replace(case, dossier=replace(dossier, breakthroughs=(*dossier.breakthroughs, record)))
    if against:
        reason = f"it did not survive the review by {' and '.join(against)}"
        return BreakthroughEvent.FELL, replace(case, outcome=replace(case.outcome, reason=reason))
    return BreakthroughEvent.SURVIVED, case


def _ask_expert_about_proposal(
    desk: AskDesk, case: _BreakthroughProgress
) -> Flow[tuple[BreakthroughEvent, _BreakthroughProgress]]:
    proposed = case.proposed
    record = case.dossier.breakthroughs[-1]
    request = EscalationRequest(
        phase=proposed.phase,
        trigger=EscalationTrigger.BREAKTHROUGH,
        question=format_candidate_note(proposed),
        assessment=(
            f"The proposal survived the reviews by {', '.join(record.reviews)}. Whether it is a breakthrough is for an "
            f"expert panel of {PANEL} to say; at least {LEAST_AGREEING_EXPERTS} must agree."
        ),
        domain="physics",
        is_for_panel=True,
        positions={proposed.proposed_by: proposed.breakthrough.proposal, **record.reviews},
    )
    dossier, decision = yield from escalate_to_human(desk, case.dossier, request)
    outcome = replace(
        case.outcome, note=format_candidate_note(proposed), decision=decision, reason=decision.justification
    )
    return BreakthroughEvent.SEEN, replace(case, dossier=dossier, outcome=outcome)


def _log_breakthrough(
    desk: AskDesk,
    dossier: Dossier,
    proposed: BreakthroughProposal,
    outcome: BreakthroughOutcome,
    agents: tuple[str, ...],
) -> Dossier:
    """Complete the entry of the Breakthrough Log, and inform the readers of the end.

    Only the proposer learns of a refused proposal, with the reason.
    """
    if outcome.state is BreakthroughState.REFUSED:
        text = f"Your proposal was not reviewed: {outcome.reason}."
        refused = BreakthroughCase(
            proposed.phase,
            proposed.proposed_by,
            proposed.breakthrough,
            survived=False,
            state=str(outcome.state),
            note=outcome.reason,
        )
        dossier = replace(dossier, breakthroughs=(*dossier.breakthroughs, refused))
        return dossier.add_notices((AgentNote(proposed.proposed_by, text, proposed.phase),))
    *earlier, record = dossier.breakthroughs
    record = replace(record, state=str(outcome.state), note=outcome.note)
    # Before the reveal no agent learns what a reviewer found.
    why = f": {outcome.reason}" if proposed.phase in OPEN_PHASES else "."
    text = f"The proposal of {proposed.proposed_by} ended {outcome.state}{why}"
    notices = (
        AgentNote(proposed.proposed_by, text, proposed.phase),
        *build_reader_notices(desk, proposed, agents, text),
    )
    return replace(dossier, breakthroughs=(*earlier, record)).add_notices(notices)
