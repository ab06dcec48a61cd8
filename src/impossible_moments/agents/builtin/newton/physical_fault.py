"""A physical fault that NEWTON found: the law, the computation, what must change and how grave it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from impossible_moments.domain.disputes import Challenge, Evidence, Veto
from impossible_moments.domain.validation import Correction
from impossible_moments.domain.vocabulary import ATHENA


class Gravity(IntEnum):
    """How grave a fault is."""

    CONCERN = 1
    """A doubt that the author need not act on."""
    DOUBTFUL = 2
    """A figure that is challenged."""
    IMPOSSIBLE = 3
    """A violation of a law by something that the plan rests on. It is vetoed."""


@dataclass(frozen=True, slots=True)
class PhysicalFault:
    """One fault."""

    subject: str
    """The path of the quantity, the thing or the claim that must change."""
    claim: str
    problem: str
    """The numbers compared."""
    law: str
    proposal: str
    gravity: Gravity
    expression: str = ""

    def build_veto(self) -> Veto:
        """Return the veto with law, computation and corrective proposal."""
        return Veto(
            claim=self.claim,
            law=self.law,
            proof=(Evidence(kind="derivation", text=self.problem, expression=self.expression),),
            corrective_proposal=self.proposal,
        )

    def build_challenge(self, confidence: float) -> Challenge:
        """Return the challenge of the author of the seed document."""
        return Challenge(
            challenged=ATHENA,
            claim=self.claim,
            evidence=(Evidence(kind="calculation", text=self.problem, expression=self.expression),),
            recommendation=self.proposal,
            confidence=confidence,
        )

    def build_correction(self) -> Correction:
        """Return the correction that the author must make."""
        return Correction(
            subject=self.subject,
            problem=f"{self.claim.rstrip('.')} contradicts: {self.law}.",
            evidence=self.problem,
            proposal=self.proposal,
        )
