"""Conditions for a valid veto, and the challenge that an invalid one becomes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.orchestrator.conflicts.domain_authority import get_home_domain
from impossible_moments.agents.orchestrator.conflicts.evidence_evaluation import EvidenceEvaluator
from impossible_moments.agents.orchestrator.protocols.challenge_validity import ChallengeSubmission
from impossible_moments.domain.disputes import Challenge, Domain, Evidence, EvidenceKind, Veto
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import ATHENA, Phase

DOWNGRADED: Final = "DOWNGRADED"
PROVING: Final[frozenset[EvidenceKind]] = frozenset({"proof", "derivation", "calculation"})
"""1.3, rule 4: a mathematical proof or a physics derivation. 4.2 shows calculations as both."""
_RELATION: Final = re.compile(r"\d|[=<>≤≥≠]")
"""A proof contains a number or a relation. `the timing seems tight` contains neither."""


@dataclass(frozen=True, slots=True)
class RaisedVeto:
    """A veto as the orchestrator receives it."""

    phase: Phase
    raised_by: str
    veto: Veto
    confidence: float = 1.0


def find_veto_defect(
    raised_veto: RaisedVeto, evaluator: EvidenceEvaluator, vetoers: frozenset[str]
) -> str | None:
    """Return why the veto is invalid, or None if it is valid."""
    veto = raised_veto.veto
    if raised_veto.raised_by not in vetoers:
        return f"{raised_veto.raised_by} may not veto; {', '.join(sorted(vetoers))} may"
    if not veto.claim.strip() or not veto.law.strip():
        return "it does not say which claim violates which law"
    if not filter_evidence_that_proves_veto(veto, evaluator):
        return "it brings no proof that stands"
    if not veto.core:
        return "it concerns a detail of the narrative and not the core mechanics"
    if veto.correctable and not veto.corrective_proposal.strip():
        return "it neither proposes a correction nor says that the scenario is fundamentally flawed"
    return None


def filter_evidence_that_proves_veto(veto: Veto, evaluator: EvidenceEvaluator) -> tuple[Evidence, ...]:
    """Return the evidence of a proving kind that shows its work and that the mechanics do not contradict."""
    proofs = (
        each
        for each in veto.proof
        if each.kind in PROVING and (each.expression or _RELATION.search(each.text))
    )
    return evaluator.filter_evidence_against(proofs)


def has_reached_veto_limit(dossier: Dossier, agent: str, limit: int) -> bool:
    """Return whether an agent has used all its vetoes. Downgraded ones do not count."""
    earlier = sum(1 for case in dossier.vetoes if case.raised_by == agent and case.outcome != DOWNGRADED)
    return earlier >= limit


def convert_invalid_veto_to_challenge(raised_veto: RaisedVeto) -> ChallengeSubmission:
    """Convert an invalid veto to a challenge of ATHENA's claim."""
    veto = raised_veto.veto
    challenge = Challenge(
        challenged=ATHENA,
        claim=veto.claim,
        domain=get_veto_domain(raised_veto.raised_by),
        evidence=veto.proof,
        recommendation=veto.corrective_proposal,
        confidence=raised_veto.confidence,
    )
    return ChallengeSubmission(raised_veto.phase, raised_veto.raised_by, challenge)


def get_veto_domain(agent: str) -> Domain:
    """Return the domain of an agent's veto: mathematics for EULER, otherwise physics."""
    home = get_home_domain(agent)
    return home if home == "mathematics" else "physics"


def format_veto(veto: Veto) -> str:
    """Format a veto for ATHENA."""
    lines = [f"Veto: {veto.claim}", f"It violates: {veto.law}"]
    lines += [f"Proof ({each.kind}): {each.text}" for each in veto.proof]
    lines += [f"Proposed correction: {veto.corrective_proposal}"] if veto.corrective_proposal else []
    return "\n".join(lines)
