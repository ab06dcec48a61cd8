"""The checks of specification 5.5."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.orchestrator.consensus_engine import READY, tally_readiness_votes
from impossible_moments.agents.orchestrator.gates.checks.validation_checks import find_unsettled_vetoes
from impossible_moments.agents.orchestrator.gates.gate_case import (
    Check,
    CheckDeficiency,
    GateCase,
    is_blank_or_placeholder,
    make_completeness_check,
)
from impossible_moments.domain.classification import InformedClassification
from impossible_moments.domain.difficulty import find_divided_dimensions
from impossible_moments.domain.refinement import (
    APPROVING_VOTES,
    CalibrationVote,
    DistractorReview,
    ReadinessVote,
    ReviewMemo,
)
from impossible_moments.domain.vocabulary import ATHENA, ROLES, SOCRATES, DifficultyDimension, Phase

check_all_roles_reviewed: Final[Check] = make_completeness_check(ReviewMemo, Phase.REFINE, "review memo")
check_all_roles_calibrated: Final[Check] = make_completeness_check(
    CalibrationVote, Phase.REFINE, "vote on I.D.C.B.T.X"
)


def check_divided_difficulty_votes_discussed(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that dimensions with votes more than two apart were discussed and voted on again."""
    votes = case.dossier.find_deliverable_of_phase_by_author(CalibrationVote, Phase.REFINE)
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
            yield CheckDeficiency(agent, "Vote on the readiness of the scenario as it stands.")
    tally = tally_readiness_votes({agent: vote.vote for agent, vote in votes.items()})
    if not votes or tally.winner == READY:
        return
    for agent, vote in sorted(votes.items()):
        if vote.vote not in APPROVING_VOTES:
            addressee = vote.addressed_to if vote.addressed_to in votes else ATHENA
            requested_changes = " ".join(vote.changes) or vote.notes or "no reason given."
            yield CheckDeficiency(addressee, f"{agent} votes {vote.vote}: {requested_changes} ({tally}.)")


def check_classification_delta_documented(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that SOCRATES has stated what the reveal changed."""
    informed = case.dossier.find_deliverable_of_phase_by_author(InformedClassification, Phase.REFINE).get(
        SOCRATES
    )
    if informed is None:
        yield CheckDeficiency(SOCRATES, "Classify again now that you see everything, and state the delta.")
    elif is_blank_or_placeholder(informed.delta):
        yield CheckDeficiency(
            SOCRATES, "State the delta between your blind and your informed classification."
        )


def check_distractors_reviewed(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that every role has reviewed every distractor of the newest inventory."""
    names = [] if case.seed is None else [each.name for each in case.seed.distractor_inventory]
    reviews = case.dossier.find_deliverable_of_phase_by_author(DistractorReview, Phase.REFINE)
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
