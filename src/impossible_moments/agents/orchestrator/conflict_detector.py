"""The conflict detector: finds contradictions between deliverables and turns them into challenges."""

from __future__ import annotations

from dataclasses import dataclass

from impossible_moments.agents.orchestrator.conflicts.contradictions import (
    CONTRADICTIONS,
    DetectedContradiction,
)
from impossible_moments.agents.orchestrator.conflicts.newest_deliverables import NewestDeliverables
from impossible_moments.agents.orchestrator.protocols.challenge_validity import LOGGED, ChallengeSubmission
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import Challenge, Domain, Evidence, EvidenceKind
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import Phase
from impossible_moments.mechanics.records import Library


@dataclass(frozen=True, slots=True)
class Conflict:
    """A contradiction between two deliverables, or between a deliverable and a computation."""

    name: str
    claim_domain: Domain
    evidence_domain: Domain
    contradiction: DetectedContradiction
    kind: EvidenceKind
    confidence: float

    def to_submission(self, phase: Phase) -> ChallengeSubmission:
        """Convert the conflict to a challenge submission."""
        evidence = Evidence(
            kind=self.kind, text=self.contradiction.objection, expression=self.contradiction.expression
        )
        challenge = Challenge(
            challenged=self.contradiction.challenged,
            claim=self.contradiction.claim,
            evidence=(evidence,),
            confidence=self.confidence,
        )
        return ChallengeSubmission(
            phase,
            self.contradiction.challenger,
            challenge,
            detected=True,
            claim_domain=self.claim_domain,
            evidence_domain=self.evidence_domain,
        )


def find_conflicts(dossier: Dossier, library: Library) -> tuple[Conflict, ...]:
    """Find contradictions between the newest deliverables that have not been challenged yet.

    They are returned in the order of the table of contradictions.
    """
    scene = NewestDeliverables(dossier, library)
    known = {
        (case.challenge.challenged, case.challenge.claim)
        for case in dossier.challenges
        if case.outcome != LOGGED
    }
    return tuple(
        Conflict(
            row.name,
            *(found.domains or (row.claim_domain, row.evidence_domain)),
            found,
            row.kind,
            _get_challenger_confidence(dossier, found.challenger),
        )
        for row in CONTRADICTIONS
        for found in row.find_contradictions(scene)
        if (found.challenged, found.claim) not in known
    )


def _get_challenger_confidence(dossier: Dossier, agent: str) -> float:
    """Return the confidence of a challenger's newest deliverable, 1.0 for the orchestrator."""
    confidence = getattr(dossier.find_latest_deliverable(LabelledModel, agent), "confidence", 1.0)
    return confidence if isinstance(confidence, float) else 1.0
