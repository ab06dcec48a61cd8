"""A proposal for an open frontier: the conditions for its review, its texts, and who may read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.protocols.dispute_panel import may_read
from impossible_moments.domain.content_labels import ContentLabel
from impossible_moments.domain.disputes import Breakthrough
from impossible_moments.domain.dossier import AgentNote, Dossier
from impossible_moments.domain.vocabulary import Phase

PROPOSAL_PHASES: Final = (Phase.VALIDATE, Phase.REFINE)
LONGEST_SUMMARY: Final = 200


@dataclass(frozen=True, slots=True)
class BreakthroughProposal:
    """A proposal as the orchestrator receives it."""

    phase: Phase
    proposed_by: str
    breakthrough: Breakthrough


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


def build_reader_notices(
    desk: AskDesk, proposed: BreakthroughProposal, agents: tuple[str, ...], text: str
) -> tuple[AgentNote, ...]:
    """Return a notice for every agent but the proposer that may read the solution in this phase."""
    return tuple(
        AgentNote(agent, text, proposed.phase)
        for agent in agents
        if agent != proposed.proposed_by and may_read_solution(desk, agent, proposed.phase)
    )


def may_read_solution(desk: AskDesk, agent: str, phase: Phase) -> bool:
    """Return whether an agent may read the solution of a scenario in a phase."""
    return may_read(desk, agent, phase=phase, labels={ContentLabel.SOLUTION})


def format_proposal(proposed: BreakthroughProposal) -> str:
    """Format a proposal for its reviewers and readers."""
    proposal = proposed.breakthrough
    return (
        f"Proposed solution: {proposal.proposal}\nNovelty, as proposed: {proposal.novelty}\n"
        f"Physics, as proposed: {proposal.physics}"
    )
