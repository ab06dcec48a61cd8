"""Conditions for forwarding a challenge, the domain of its claim, and its text for the challenged agent."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.conflicts.claim_domain import (
    DisputedClaim,
    decide_claim_domains,
    normalize_claim,
)
from impossible_moments.agents.orchestrator.protocols.dispute_panel import (
    OPEN_PHASES,
    DisputePanel,
    list_labels_agent_may_reveal,
    may_read,
)
from impossible_moments.agents.orchestrator.protocols.resolution_ladder import LadderRung
from impossible_moments.domain.content_labels import ContentLabel
from impossible_moments.domain.disputes import Challenge, Domain
from impossible_moments.domain.dossier import ChallengeCase, Dossier
from impossible_moments.domain.vocabulary import ORCHESTRATOR, SOCRATES, Phase

_NUMBER: Final = re.compile(r"\d[\d.,]*(?:e[+-]?\d+)?")
OUTDATED: Final = "a veto led to a revision since; raise it again if it holds for the revised seed document"
LOGGED: Final = "LOGGED"
"""The outcome of a challenge that is not forwarded."""


@dataclass(frozen=True, slots=True)
class ChallengeSubmission:
    """A challenge as the orchestrator receives it."""

    phase: Phase
    challenger: str
    challenge: Challenge
    detected: bool = False
    """Found by the conflict detector, not sent by the challenger."""
    claim_domain: Domain | None = None
    """The domain of a detected claim, from the table of contradictions."""
    evidence_domain: Domain | None = None
    """The domain of the detected objection, from the table of contradictions."""
    is_outdated: bool = False
    """Whether ATHENA has revised the seed document since the report with the challenge."""


def find_challenge_refusal(
    desk: AskDesk, dossier: Dossier, submission: ChallengeSubmission, panel: DisputePanel
) -> str | None:
    """Return why a challenge is not forwarded, or None.

    Its evidence must have been checked with the mechanics before.
    """
    challenger, disputed = submission.challenger, submission.challenge
    if disputed.challenged not in panel.agents:
        return f"`{disputed.challenged}` is not an agent of this scenario; the agents are {', '.join(panel.agents)}"
    if disputed.challenged == challenger:
        return "an agent revises its own claim and does not challenge it"
    if not disputed.claim.strip():
        return "it names no claim"
    if not any(each.text.strip() for each in disputed.evidence):
        return "it brings no evidence that stands, only assertion"
    if _count_forwarded_challenges(
        dossier, challenger
    ) >= panel.challenges_per_agent and _counts_toward_limit(submission):
        return f"{challenger} has issued {panel.challenges_per_agent} challenges, the most for one scenario"
    decided = _explain_decided_claim(dossier, disputed)
    if decided:
        return decided
    if _would_unblind_socrates(desk, submission):
        return f"{disputed.challenged} must judge without what the challenge would show it; raise it in {Phase.REFINE}"
    return None


_RUNG_NAMES: Final = frozenset(map(str, LadderRung))
"""4.1: a claim resolved by vote, or by a higher rung of the ladder, cannot be challenged again."""


def _explain_decided_claim(dossier: Dossier, disputed: Challenge) -> str:
    """Return why a claim cannot be challenged again, or an empty text."""
    if any(
        _is_same_claim(earlier, disputed) for earlier in dossier.challenges if earlier.method in _RUNG_NAMES
    ):
        return "the claim has been settled already"
    decided = find_decided_challenge(dossier, disputed)
    if decided is None:
        return ""
    return f"it was decided on the same evidence and ended {decided.outcome}; bring new evidence"


def find_decided_challenge(dossier: Dossier, challenge: Challenge) -> ChallengeCase | None:
    """Return the earlier challenge of the same claim with the same evidence that was answered, or None.

    Figures do not make evidence new: a revision changes them, and the argument stays the same.
    """
    return next(
        (
            earlier
            for earlier in dossier.challenges
            if earlier.outcome != LOGGED
            and _is_same_claim(earlier, challenge)
            and _normalize_evidence(challenge) <= _normalize_evidence(earlier.challenge)
        ),
        None,
    )


def _normalize_evidence(challenge: Challenge) -> frozenset[str]:
    return frozenset(
        _NUMBER.sub("#", normalize_claim(f"{each.text} {each.expression}")) for each in challenge.evidence
    )


def decide_submission_domains(
    dossier: Dossier, submission: ChallengeSubmission, panel: DisputePanel
) -> tuple[Domain, ...]:
    """Return the domains of the challenged claim. Neither party can choose them."""
    if submission.claim_domain is not None:
        return (submission.claim_domain,)
    disputed = submission.challenge
    claim = DisputedClaim(
        dossier, disputed.challenged, disputed.claim, panel.make_evidence_evaluator(dossier)
    )
    return decide_claim_domains(claim).domains


def format_challenge(challenge: Challenge, phase: Phase, domains: tuple[Domain, ...]) -> str:
    """Format a challenge for the challenged agent. The confidence is hidden before the reveal."""
    lines = [f"Your claim is challenged: {challenge.claim}", f"Domain: {', '.join(domains)}"]
    lines += [f"Evidence ({each.kind}): {each.format_for_readers()}" for each in challenge.evidence]
    lines += [f"Recommendation: {challenge.recommendation}"] if challenge.recommendation else []
    lines += [f"Challenger's confidence: {challenge.confidence:.2f}"] if phase in OPEN_PHASES else []
    return "\n".join(lines)


def remove_refuted_evidence(
    dossier: Dossier, submission: ChallengeSubmission, panel: DisputePanel
) -> ChallengeSubmission:
    """Return the submission without evidence that the mechanics contradict."""
    unrefuted = panel.make_evidence_evaluator(dossier).filter_evidence_against(submission.challenge.evidence)
    return replace(submission, challenge=submission.challenge.model_copy(update={"evidence": unrefuted}))


def _counts_toward_limit(submission: ChallengeSubmission) -> bool:
    return not submission.detected and submission.challenger != ORCHESTRATOR


def _count_forwarded_challenges(dossier: Dossier, agent: str) -> int:
    """Return how many challenges of an agent were forwarded. Logged and detected ones do not count."""
    return sum(
        1
        for case in dossier.challenges
        if case.challenger == agent and case.outcome != LOGGED and not case.detected
    )


def _is_same_claim(earlier: ChallengeCase, challenge: Challenge) -> bool:
    return earlier.challenge.challenged == challenge.challenged and normalize_claim(
        earlier.challenge.claim
    ) == normalize_claim(challenge.claim)


def _would_unblind_socrates(desk: AskDesk, submission: ChallengeSubmission) -> bool:
    """Return whether a challenge would reveal to SOCRATES what it must not know while it judges blind."""
    return (
        submission.challenge.challenged == SOCRATES
        and submission.phase not in OPEN_PHASES
        and not may_read(
            desk,
            SOCRATES,
            phase=submission.phase,
            labels=list_labels_agent_may_reveal(submission.challenger) | {ContentLabel.SOLUTION},
        )
    )
