"""The challenges, vetoes and disagreements of a dossier, with responses, votes and losing positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.domain.difficulty import compute_median_profile
from impossible_moments.domain.disputes import ChallengeResponse, Evidence, VetoReview
from impossible_moments.domain.dossier import ChallengeCase, DisagreementLogEntry, Dossier, VetoCase
from impossible_moments.domain.refinement import APPROVING_VOTES, CalibrationVote, ReadinessVote
from impossible_moments.domain.vocabulary import ATHENA, DifficultyDimension

LOGGED: Final = "LOGGED"
"""The outcome of a challenge that was not forwarded and has no response."""
REMAINING_DIFFERENCE: Final = 2
"""A score that differs by so much from the median is a disagreement that the median settled."""


@dataclass(frozen=True, slots=True)
class AnsweredChallenge:
    """A challenge with the response of the challenged agent, if it was asked for one."""

    case: ChallengeCase
    response: ChallengeResponse | None


def list_answered_challenges(dossier: Dossier) -> tuple[AnsweredChallenge, ...]:
    """Return all challenges in order, each with its response.

    A challenged agent answers each forwarded challenge once, so its responses are in the order of the challenges.
    """
    responses: dict[str, list[ChallengeResponse]] = {}
    for entry in dossier.entries:
        if isinstance(entry.deliverable, ChallengeResponse):
            responses.setdefault(entry.author, []).append(entry.deliverable)
    answered = []
    for case in dossier.challenges:
        queue = responses.get(case.challenge.challenged, [])
        response = queue.pop(0) if queue and case.outcome != LOGGED else None
        answered.append(AnsweredChallenge(case, response))
    return tuple(answered)


def iterate_challenges_issued(dossier: Dossier, agent: str) -> Iterator[str]:
    """Yield the challenges and vetoes that an agent issued, with their outcomes."""
    for each in list_answered_challenges(dossier):
        if each.case.challenger == agent:
            yield (
                f"{each.case.phase}, to {each.case.challenge.challenged}: {_end(each.case.challenge.claim)} "
                f"{format_evidence(each.case.challenge.evidence)}{_format_outcome(each.case)}"
            )
    for case in dossier.vetoes:
        if case.raised_by == agent:
            yield f"{case.phase}, veto: {_end(case.veto.claim)} It violates {_end(case.veto.law)} Outcome: {case.outcome}."


def iterate_challenges_received(dossier: Dossier, agent: str) -> Iterator[str]:
    """Yield the challenges that an agent received with its responses, and vetoes of the design."""
    for each in list_answered_challenges(dossier):
        if each.case.challenge.challenged == agent:
            yield (
                f"{each.case.phase}, from {each.case.challenger}: {_end(each.case.challenge.claim)} "
                f"{format_response(each)}{_format_outcome(each.case)}"
            )
    if agent == ATHENA:
        for case in dossier.vetoes:
            yield f"{case.phase}, veto of {case.raised_by}: {_end(case.veto.claim)} Outcome: {case.outcome}."


def iterate_disagreements(dossier: Dossier, agent: str) -> Iterator[str]:
    """Yield the disagreements of an agent, with the position that lost, and what a vote left open."""
    for entry in dossier.disagreements:
        if agent in entry.agents:
            others = ", ".join(each for each in entry.agents if each != agent)
            losing = find_losing_position(dossier, entry)
            yield (
                f"{_end(entry.topic)} {f'With {others}. ' if others else ''}Settled by {entry.method}: "
                f"{_end(entry.outcome)}{f' Losing position: {_end(losing)}' if losing else ''}"
            )
    yield from _iterate_outvoted_scores(dossier, agent)
    yield from _iterate_outvoted_positions(dossier, agent)
    vote = dossier.find_latest_deliverable(ReadinessVote, agent)
    if vote is not None and vote.vote not in APPROVING_VOTES:
        yield f"My last vote on readiness was {vote.vote}: {_end(vote.notes or '; '.join(vote.changes))}"


def find_losing_position(dossier: Dossier, entry: DisagreementLogEntry) -> str:
    """Return the position that lost a logged challenge, or nothing if none did."""
    return next(
        (
            case.losing_position
            for case in dossier.challenges
            if entry.kind == "challenge"
            and case.challenge.claim == entry.topic
            and set(entry.agents) == {case.challenger, case.challenge.challenged}
            and case.outcome == entry.outcome
        ),
        "",
    )


def list_veto_reviews(dossier: Dossier, case: VetoCase) -> tuple[VetoReview, ...]:
    """Return what the agent that raised a veto said about revisions in that phase."""
    return tuple(
        entry.deliverable
        for entry in dossier.entries
        if entry.author == case.raised_by
        and entry.phase is case.phase
        and isinstance(entry.deliverable, VetoReview)
    )


def format_evidence(evidence: tuple[Evidence, ...]) -> str:
    """Return the evidence of a position as a sentence with a space after it, or nothing."""
    texts = [f"{each.kind}: {each.text.rstrip('.')}" for each in evidence]
    return f"Evidence: {'; '.join(texts)}. " if texts else ""


def format_response(answered: AnsweredChallenge) -> str:
    """Return the response to a challenge as a sentence with a space after it."""
    response = answered.response
    if response is None:
        is_logged = answered.case.outcome == LOGGED
        return f"{'It was not forwarded' if is_logged else 'No response is recorded'}. "
    return f"Response: {response.answer} (confidence {response.confidence:g}): {_end(response.text)} "


def format_votes(case: ChallengeCase) -> str:
    """Return the votes on a challenge by agent."""
    return ", ".join(f"{agent} {vote}" for agent, vote in sorted(case.votes.items()))


def _format_outcome(case: ChallengeCase) -> str:
    votes = format_votes(case)
    return f"Outcome: {case.outcome}, by {case.method}{f' ({votes})' if votes else ''}."


def _iterate_outvoted_scores(dossier: Dossier, agent: str) -> Iterator[str]:
    votes = dossier.find_latest_deliverable_by_author(CalibrationVote)
    if agent not in votes:
        return
    median = compute_median_profile(vote.profile for vote in votes.values())
    for dimension, own, agreed in zip(
        DifficultyDimension, votes[agent].profile.scores, median.scores, strict=True
    ):
        if abs(own - agreed) >= REMAINING_DIFFERENCE:
            yield f"{dimension.value}: I voted {own}, and the median is {agreed}."


def _iterate_outvoted_positions(dossier: Dossier, agent: str) -> Iterator[str]:
    """Yield the last vote of an agent on each decision that was decided against it."""
    last = {(each.decision, each.subject): each for each in dossier.votes}
    for record in last.values():
        position = record.positions.get(agent)
        is_readiness = position in {"APPROVE-WITH-NOTES", "REVISE", "DISCARD"}
        if position and record.winner and position != record.winner and not is_readiness:
            subject = f" ({record.subject})" if record.subject else ""
            yield f"{record.decision}{subject}: I voted {position}, and {record.winner} was decided by {record.level.lower()}."


def _end(text: str) -> str:
    """Return a text as a sentence that ends with one mark."""
    stripped = text.strip()
    return stripped if stripped.endswith((".", "!", "?", "…")) else f"{stripped}."
