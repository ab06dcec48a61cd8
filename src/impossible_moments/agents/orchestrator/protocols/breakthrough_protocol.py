"""The breakthrough protocol: three agents and then a human review a proposal for an open frontier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.protocols.dispute_panel import add_private_notes
from impossible_moments.agents.orchestrator.protocols.escalation_protocol import (
    EscalationRequest,
    EscalationTrigger,
    escalate_to_human,
)
from impossible_moments.domain.disputes import Breakthrough, BreakthroughReview, HumanDecision
from impossible_moments.domain.dossier import AgentNote, BreakthroughCase, Dossier
from impossible_moments.domain.vocabulary import EULER, GALILEO, NEWTON, Phase

PROPOSAL_PHASES: Final = (Phase.VALIDATE, Phase.REFINE)
LONGEST_SUMMARY: Final = 200
MOST_ASKS: Final = 4
"""Three reviews and a human."""

# fmt: off
REVIEWS: Final[Mapping[str, str]] = {
    # 4.4, steps 3 to 5
    EULER:   "A dedicated novelty check. Is the proposed approach mathematically distinct from known approaches? Does it rely on any unproven assumptions?",
    NEWTON:  "A dedicated physics deep-dive: force, energy and momentum, material properties at the relevant conditions, physical effects the proposal ignores.",
    GALILEO: "A literature search. Has this approach been proposed before, in any domain? Is it a recombination of known techniques or genuinely novel?",
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


class BreakthroughEvent(StrEnum):
    """The events that change the state of a proposal."""

    UNFIT = "UNFIT"
    FLAGGED = "FLAGGED"
    FELL = "FELL"
    SURVIVED = "SURVIVED"
    SEEN = "SEEN"


# fmt: off
TRANSITIONS: Final[Mapping[tuple[BreakthroughState, BreakthroughEvent], BreakthroughState]] = {
    # 4.4, steps 1 and 2
    (BreakthroughState.PROPOSED,        BreakthroughEvent.UNFIT):    BreakthroughState.REFUSED,
    (BreakthroughState.PROPOSED,        BreakthroughEvent.FLAGGED):  BreakthroughState.REVIEWING,
    # 4.4, steps 3 to 6
    (BreakthroughState.REVIEWING,       BreakthroughEvent.FELL):     BreakthroughState.REJECTED,
    (BreakthroughState.REVIEWING,       BreakthroughEvent.SURVIVED): BreakthroughState.AWAITING_EXPERT,
    # The status stays OF whatever the expert decides, because verification takes longer than a run.
    (BreakthroughState.AWAITING_EXPERT, BreakthroughEvent.SEEN):     BreakthroughState.CANDIDATE,
}
# fmt: on
TERMINAL: Final = frozenset(BreakthroughState) - {state for state, _ in TRANSITIONS}


@dataclass(frozen=True, slots=True)
class BreakthroughProposal:
    """A proposal as the orchestrator receives it."""

    phase: Phase
    proposed_by: str
    breakthrough: Breakthrough


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
    state: BreakthroughState = BreakthroughState.PROPOSED
    outcome: BreakthroughOutcome = BreakthroughOutcome(BreakthroughState.PROPOSED)


def review_breakthrough(
    desk: AskDesk, dossier: Dossier, proposal: BreakthroughProposal
) -> Flow[tuple[Dossier, BreakthroughOutcome]]:
    """Process a proposal until it reaches a terminal state, and log it."""
    case = _BreakthroughProgress(proposal, dossier)
    while case.state not in TERMINAL:
        match case.state:
            case BreakthroughState.PROPOSED:
                event, case = _screen_proposal(case)
            case BreakthroughState.REVIEWING:
                event, case = yield from _collect_breakthrough_reviews(desk, case)
            case _:
                event, case = yield from _ask_expert_about_proposal(desk, case)
        case = replace(case, state=TRANSITIONS[case.state, event])
    return case.dossier, replace(case.outcome, state=case.state)


def find_proposal_defect(dossier: Dossier, proposed: BreakthroughProposal) -> str | None:
    """Return why a proposal is not reviewed, or None if it is."""
    breakthrough = proposed.breakthrough
    status = dossier.brief.solution_status
    if status != "OF":
        return f"the scenario is {status}, and only OF scenarios wait for a solution"
    if proposed.phase not in PROPOSAL_PHASES:
        return f"proposals are made in {' and '.join(PROPOSAL_PHASES)}, not in {proposed.phase}"
    required = {
        "solution": breakthrough.proposal,
        "novelty": breakthrough.novelty,
        "physics": breakthrough.physics,
    }
    missing = [name for name, text in required.items() if not text.strip()]
    if missing:
        return f"it lacks its {' and '.join(missing)}"
    if any(
        breakthrough.proposal.split() == case.breakthrough.proposal.split() for case in dossier.breakthroughs
    ):
        return "the same proposal has been reviewed already"
    return None


def format_candidate_note(proposal: BreakthroughProposal) -> str:
    """Return the note of a candidate, as in 4.4, step 6."""
    text = " ".join(proposal.breakthrough.proposal.split())
    summary = text.partition(". ")[0].rstrip(".")
    if len(summary) > LONGEST_SUMMARY:
        summary = f"{summary[: LONGEST_SUMMARY - 3]}..."
    return f"BREAKTHROUGH CANDIDATE: {proposal.proposed_by} proposed {summary}. Awaiting expert verification."


def _screen_proposal(case: _BreakthroughProgress) -> tuple[BreakthroughEvent, _BreakthroughProgress]:
    reason = find_proposal_defect(case.dossier, case.proposed)
    if reason is None:
        return BreakthroughEvent.FLAGGED, case
    return BreakthroughEvent.UNFIT, replace(case, outcome=replace(case.outcome, reason=reason))


def _collect_breakthrough_reviews(
    desk: AskDesk, case: _BreakthroughProgress
) -> Flow[tuple[BreakthroughEvent, _BreakthroughProgress]]:
    """Ask for three reviews at once.

    They go to the log and not to the dossier's entries, because validators must not read each other's work.
    """
    proposed, dossier = case.proposed, case.dossier
    proposal = proposed.breakthrough
    text = (
        f"Proposed solution: {proposal.proposal}\nNovelty, as proposed: {proposal.novelty}\n"
        f"Physics, as proposed: {proposal.physics}"
    )
    reviewers = tuple(REVIEWS)
    notes = (AgentNote(reviewer, text, proposed.phase) for reviewer in reviewers)
    topic = f"breakthrough-{len(dossier.breakthroughs) + 1}"
    reviews = yield from desk.ask_agents(
        add_private_notes(dossier, *notes),
        reviewers,
        proposed.phase,
        topic,
        dict(REVIEWS),
        BreakthroughReview,
    )
    against = [reviewer for reviewer in reviewers if not reviews[reviewer].survives]
    record = BreakthroughCase(
        proposed.phase,
        proposed.proposed_by,
        proposal,
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
        assessment="The proposal survived all three reviews; whether it is a breakthrough is for experts to say.",
        domain="physics",
        positions={proposed.proposed_by: proposed.breakthrough.proposal, **record.reviews},
    )
    dossier, decision = yield from escalate_to_human(desk, case.dossier, request)
    outcome = replace(
        case.outcome, note=format_candidate_note(proposed), decision=decision, reason=decision.justification
    )
    return BreakthroughEvent.SEEN, replace(case, dossier=dossier, outcome=outcome)
