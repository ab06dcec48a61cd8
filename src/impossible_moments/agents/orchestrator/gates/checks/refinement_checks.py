"""The checks of specification 5.5."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from impossible_moments.agents.orchestrator.consensus_engine import (
    READY,
    REJECTED,
    REQUIRED,
    ConsensusDecision,
    tally_readiness_votes,
    tally_votes,
)
from impossible_moments.agents.orchestrator.gates.checks.validation_checks import find_unsettled_vetoes
from impossible_moments.agents.orchestrator.gates.gate_case import (
    Check,
    CheckDeficiency,
    GateCase,
    Remedy,
    is_blank_or_placeholder,
    make_completeness_check,
)
from impossible_moments.agents.orchestrator.protocols.low_confidence import find_low_confidence_deliverables
from impossible_moments.domain.classification import InformedClassification
from impossible_moments.domain.difficulty import find_divided_dimensions
from impossible_moments.domain.dossier import RevisionDemand, VoteRecord
from impossible_moments.domain.refinement import (
    APPROVING_VOTES,
    CalibrationVote,
    DesignVote,
    DistractorReview,
    ReadinessVote,
    ReviewMemo,
    StatusVote,
)
from impossible_moments.domain.thresholds import LOWEST_CONFIDENCE
from impossible_moments.domain.vocabulary import (
    ATHENA,
    ORCHESTRATOR,
    ROLES,
    SOCRATES,
    DifficultyDimension,
    Phase,
)

check_all_roles_reviewed: Final[Check] = make_completeness_check(ReviewMemo, Phase.REFINE, "review memo")
check_all_roles_calibrated: Final[Check] = make_completeness_check(
    CalibrationVote, Phase.REFINE, "vote on I.D.C.B.T.X"
)


def check_divided_difficulty_votes_discussed(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that dimensions with votes more than two apart were discussed and voted on again."""
    votes = case.collect_deliverables_since_revision(CalibrationVote)
    if not votes:
        return
    split = find_divided_dimensions(vote.profile for vote in votes.values())
    open_dimensions = [dimension for dimension in split if not _was_dimension_discussed(case, dimension)]
    if open_dimensions:
        names = ", ".join(open_dimensions)
        text = f"The votes on {names} lie more than two apart: give your reasons, read the others', and vote again."
        yield from (CheckDeficiency(agent, text) for agent in ROLES)


def _was_dimension_discussed(case: GateCase, dimension: DifficultyDimension) -> bool:
    logged = any(
        each.kind == "calibration" and dimension in each.topic for each in case.dossier.disagreements
    )
    last = {
        entry.author: entry.iteration
        for entry in case.dossier.entries
        if isinstance(entry.deliverable, CalibrationVote)
    }
    return logged and all(last.get(agent, 0) > 0 for agent in ROLES)


def check_readiness_vote(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that a supermajority approves the scenario. Requested changes go to the agents they name."""
    votes = case.collect_deliverables_since_revision(ReadinessVote)
    for agent in ROLES:
        if agent not in votes:
            yield CheckDeficiency(
                agent, "Vote on the readiness of the scenario as it stands.", Remedy.SUBMISSION
            )
    tally = tally_readiness_votes(
        {agent: vote.vote for agent, vote in votes.items()},
        confidences={agent: vote.confidence for agent, vote in votes.items()},
    )
    if not votes or tally.winner == READY:
        return
    against = {
        agent: vote.addressed_to if vote.addressed_to in votes else ATHENA
        for agent, vote in sorted(votes.items())
        if vote.vote not in APPROVING_VOTES
    }
    for agent, addressee in against.items():
        if agent == addressee and any(other != agent and to == agent for other, to in against.items()):
            continue  # an agent that must answer others need not answer its own vote
        vote = votes[agent]
        requested_changes = " ".join(vote.changes) or vote.notes or "no reason given."
        demand = RevisionDemand(agent, requested_changes, evidence=vote.notes if vote.changes else "")
        yield CheckDeficiency(
            addressee, f"{agent} votes {vote.vote}: {requested_changes} ({tally}.)", demand=demand
        )


def check_status_vote(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that all agents vote for one status. After the second vote a human decides."""
    votes = case.collect_deliverables_since_revision(StatusVote)
    missing = [agent for agent in ROLES if agent not in votes]
    yield from (
        CheckDeficiency(agent, "Vote on the final solution status.", Remedy.SUBMISSION) for agent in missing
    )
    if missing:
        return
    tally = tally_votes(
        {agent: vote.status for agent, vote in votes.items()}, REQUIRED[ConsensusDecision.CLASSIFICATION]
    )
    if tally.winner is None:
        positions = "; ".join(f"{agent} {vote.status}: {vote.reason}" for agent, vote in votes.items())
        yield CheckDeficiency(ORCHESTRATOR, f"The votes on the status differ. {positions}", Remedy.HUMAN)


def check_design_votes(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check the votes on tier, distractors, name, style and objects.

    A missed supermajority on tier or distractors must have been discussed. What a majority rejects in the
    design, or one agent in a distractor, goes back to ATHENA.
    """
    last = {(each.decision, each.subject): each for each in _list_current_votes(case)}
    for record in last.values():
        needs_discussion = record.decision in {ConsensusDecision.TIER, ConsensusDecision.DISTRACTOR}
        if needs_discussion and record.winner is None and not record.discussed:
            yield CheckDeficiency(
                ORCHESTRATOR, f"The votes on {record.decision.lower()} differ and were not discussed."
            )
    yield from _find_rejected_design(case, last.values())
    for agent, review in case.collect_deliverables_since_revision(DistractorReview).items():
        for finding in review.findings:
            if finding.verdict in AMISS:
                demand = RevisionDemand(
                    agent, f"The distractor is {finding.verdict}.", finding.name, evidence=finding.remark
                )
                yield CheckDeficiency.from_demand(ATHENA, demand)


AMISS: Final = frozenset({"too weak", "too strong", "enables a solution", "unfair"})
"""5.4 of phase 5: the verdicts of one agent that suffice for a revision."""


def _find_rejected_design(case: GateCase, records: Iterable[VoteRecord]) -> Iterator[CheckDeficiency]:
    rejected = [record for record in records if record.winner == REJECTED]
    if rejected:
        votes = case.collect_deliverables_since_revision(DesignVote)
        suggestions = " ".join(
            f"{agent}: {vote.suggestion}" for agent, vote in votes.items() if vote.suggestion.strip()
        )
        for record in rejected:
            demand = RevisionDemand(
                ", ".join(agent for agent, choice in record.positions.items() if choice == REJECTED),
                f"A majority rejects: {record.decision.lower()}.",
                _DESIGN_SUBJECTS[ConsensusDecision(record.decision)],
                evidence=suggestions,
            )
            yield CheckDeficiency.from_demand(ATHENA, demand)


_DESIGN_SUBJECTS: Final[Mapping[ConsensusDecision, str]] = {
    ConsensusDecision.SCENARIO_NAME: "name",
    ConsensusDecision.NARRATIVE_STYLE: "text",
    ConsensusDecision.OBJECT_SELECTION: "objects",
}


def check_votes_are_sure(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that no decision was reached only by voters whose confidence is below the lowest allowed."""
    for record in {(each.decision, each.subject): each for each in _list_current_votes(case)}.values():
        if record.unsure:
            text = f"{record.decision}: {record.winner} won only by the votes of {', '.join(record.unsure)}, whose confidence is below {LOWEST_CONFIDENCE}."
            yield CheckDeficiency(ORCHESTRATOR, text, Remedy.HUMAN)


def check_no_low_confidence(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that no critical deliverable after the reveal has a confidence below the lowest allowed (1.7)."""
    for found in find_low_confidence_deliverables(case.dossier, Phase.REFINE):
        yield CheckDeficiency(found.author, f"{found}.", Remedy.HUMAN)


def _list_current_votes(case: GateCase) -> tuple[VoteRecord, ...]:
    """Return the counted votes on the newest seed document."""
    if not case.collect_deliverables_since_revision(ReadinessVote):
        return ()
    return tuple(each for each in case.dossier.votes if each.decision != ConsensusDecision.ADVANCEMENT)


def check_classification_delta_documented(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that SOCRATES has stated what the reveal changed."""
    informed = case.collect_deliverables_since_revision(InformedClassification).get(SOCRATES)
    if informed is None:
        yield CheckDeficiency(SOCRATES, "Classify again now that you see everything, and state the delta.")
    elif is_blank_or_placeholder(informed.delta):
        yield CheckDeficiency(
            SOCRATES, "State the delta between your blind and your informed classification."
        )


def check_distractors_reviewed(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that every role has reviewed every distractor of the newest inventory."""
    names = [] if case.seed is None else [each.name for each in case.seed.distractor_inventory]
    reviews = case.collect_deliverables_since_revision(DistractorReview)
    for agent in ROLES:
        if agent not in reviews:
            yield CheckDeficiency(agent, "Review the distractor inventory.")
            continue
        reviewed = {finding.name for finding in reviews[agent].findings}
        missing = [name for name in names if name not in reviewed]
        if missing:
            yield CheckDeficiency(agent, f"Your review of the distractors leaves out {', '.join(missing)}.")


def check_all_disputes_resolved(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that every challenge of this phase and every veto of any phase has been resolved."""
    settled = {
        (each.challenger, each.challenge.challenged, each.challenge.claim) for each in case.dossier.challenges
    }
    for entry in case.dossier.entries:
        if entry.phase is not Phase.REFINE:
            continue
        for challenge in getattr(entry.deliverable, "challenges", ()):
            if (entry.author, challenge.challenged, challenge.claim) not in settled:
                yield CheckDeficiency(
                    challenge.challenged, f"Answer {entry.author}'s challenge of `{challenge.claim}`."
                )
    for author, claim in find_unsettled_vetoes(case):
        yield CheckDeficiency(
            author,
            f"Your veto of `{claim}` is not settled: say whether the scenario as it stands answers it.",
        )
