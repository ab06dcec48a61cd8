"""The checks of specification 5.5."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.orchestrator.consensus_engine import READY, readiness
from impossible_moments.agents.orchestrator.gate_checks.case import Case, Check, Lack, is_blank, one_from_each
from impossible_moments.agents.orchestrator.gate_checks.validate import unsettled_vetoes
from impossible_moments.domain.classification import InformedClassification
from impossible_moments.domain.difficulty import divided
from impossible_moments.domain.refinement import (
    CalibrationVote,
    DistractorReview,
    ReadinessVote,
    ReviewMemo,
)
from impossible_moments.domain.vocabulary import ATHENA, ROLES, SOCRATES, Dimension, Phase

_APPROVING: Final = frozenset({"APPROVE", "APPROVE-WITH-NOTES"})

all_have_reviewed: Final[Check] = one_from_each(ReviewMemo, Phase.REFINE, "review memo")
all_have_calibrated: Final[Check] = one_from_each(CalibrationVote, Phase.REFINE, "vote on I.D.C.B.T.X")


def divisions_were_discussed(case: Case) -> Iterator[Lack]:
    """Check that dimensions with votes more than two apart were discussed and voted on again."""
    votes = case.in_phase(CalibrationVote, Phase.REFINE)
    if not votes:
        return
    split = divided(vote.profile for vote in votes.values())
    open_dimensions = [dimension for dimension in split if not _was_discussed(case, dimension)]
    if open_dimensions:
        names = ", ".join(open_dimensions)
        text = f"The votes on {names} lie more than two apart: give your reasons, read the others', and vote again."
        yield from (Lack(agent, text) for agent in ROLES)


def _was_discussed(case: Case, dimension: Dimension) -> bool:
    logged = any(
        each.kind == "calibration" and dimension in each.topic for each in case.dossier.disagreements
    )
    last = {
        entry.author: entry.iteration
        for entry in case.dossier.entries
        if isinstance(entry.deliverable, CalibrationVote)
    }
    return logged and all(last.get(agent, 0) > 0 for agent in ROLES)


def vote_approves(case: Case) -> Iterator[Lack]:
    """Check that a supermajority approves the scenario. Requested changes go to the agents they name."""
    votes = case.since_revision(ReadinessVote)
    for agent in ROLES:
        if agent not in votes:
            yield Lack(agent, "Vote on the readiness of the scenario as it stands.")
    tally = readiness({agent: vote.vote for agent, vote in votes.items()})
    if not votes or tally.winner == READY:
        return
    for agent, vote in sorted(votes.items()):
        if vote.vote not in _APPROVING:
            addressee = vote.addressed_to if vote.addressed_to in votes else ATHENA
            wanted = " ".join(vote.changes) or vote.notes or "no reason given."
            yield Lack(addressee, f"{agent} votes {vote.vote}: {wanted} ({tally}.)")


def delta_is_documented(case: Case) -> Iterator[Lack]:
    """Check that SOCRATES has stated what the reveal changed."""
    informed = case.in_phase(InformedClassification, Phase.REFINE).get(SOCRATES)
    if informed is None:
        yield Lack(SOCRATES, "Classify again now that you see everything, and state the delta.")
    elif is_blank(informed.delta):
        yield Lack(SOCRATES, "State the delta between your blind and your informed classification.")


def distractors_are_reviewed(case: Case) -> Iterator[Lack]:
    """Check that every role has reviewed every distractor of the newest inventory."""
    names = [] if case.seed is None else [each.name for each in case.seed.distractor_inventory]
    reviews = case.in_phase(DistractorReview, Phase.REFINE)
    for agent in ROLES:
        if agent not in reviews:
            yield Lack(agent, "Review the distractor inventory.")
            continue
        seen = {finding.name for finding in reviews[agent].findings}
        missing = [name for name in names if name not in seen]
        if missing:
            yield Lack(agent, f"Your review of the distractors leaves out {', '.join(missing)}.")


def nothing_is_disputed(case: Case) -> Iterator[Lack]:
    """Check that every challenge of this phase and every veto of any phase has been resolved."""
    settled = {
        (each.challenger, each.challenge.challenged, each.challenge.claim) for each in case.dossier.challenges
    }
    for entry in case.dossier.entries:
        if entry.phase is not Phase.REFINE:
            continue
        for challenge in getattr(entry.deliverable, "challenges", ()):
            if (entry.author, challenge.challenged, challenge.claim) not in settled:
                yield Lack(challenge.challenged, f"Answer {entry.author}'s challenge of `{challenge.claim}`.")
    for author, claim in unsettled_vetoes(case):
        yield Lack(
            author,
            f"Your veto of `{claim}` is not settled: say whether the scenario as it stands answers it.",
        )
