"""Conditions for a valid veto, and the challenge that an invalid one becomes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.orchestrator.conflicts.domain_authority import get_home_domain
from impossible_moments.agents.orchestrator.conflicts.evidence_evaluation import (
    EvidenceEvaluator,
    ExpressionResult,
)
from impossible_moments.agents.orchestrator.conflicts.quantity_relations import shows_computation
from impossible_moments.agents.orchestrator.protocols.challenge_validity import ChallengeSubmission
from impossible_moments.domain.disputes import PROVING, Challenge, Domain, Evidence, Veto
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import ATHENA, Phase
from impossible_moments.mechanics.language.dimensions import DIMENSION_NAMES

DOWNGRADED: Final = "DOWNGRADED"

# fmt: off
LAW_WORDS: Final = (
    # words for a law or theorem
    "law", "theorem", "lemma", "axiom", "principle", "conservation", "equation", "inequality", "identity", "equilibrium",
    "balance", "homogeneity", "definition", "arithmetic", "induction", "exhaustion", "pigeonhole", "contradiction",
    "momentum", "gravity", "friction", "buoyancy", "expansion", "threshold", "strength", "limit",
    # names of laws
    "newton", "hooke", "ohm", "kirchhoff", "archimedes", "bernoulli", "pascal", "boyle", "charles", "coulomb", "faraday", "lenz",
    "fourier", "stefan", "boltzmann", "carnot", "stokes", "torricelli", "snell", "doppler", "euler", "pythagoras", "shannon",
    # words for a relation of quantities
    "equals", "times", "product", "quotient", "sum", "sums", "total", "ratio", "proportional", "divided", "exceed", "exceeds",
    "at least", "at most", "more than", "less than", "greater than", "no more", "cannot be negative", "bounded",
)
OPINION_WORDS: Final = (
    "think", "believe", "feel", "feels", "guess", "seem", "seems", "opinion", "intuition", "common sense", "sure", "unsure",
    "doubt", "probably", "perhaps", "maybe", "unlikely", "unreliable", "in practice", "looks wrong",
)
# fmt: on
_SCIENCE: Final = r"\w*(?:statics|dynamics|kinematics|mechanics|optics|acoustics)"
_LAW: Final = re.compile(rf"[=<>≤≥≠∝]|\b(?:{'|'.join(LAW_WORDS)})(?:s|'s)?\b|\b{_SCIENCE}\b", re.IGNORECASE)
_QUANTITY: Final = re.compile(
    rf"\b(?:{'|'.join(sorted({*DIMENSION_NAMES.values(), 'weight', 'height', 'distance', 'deadline'}))})s?\b"
)
"""Names of physical quantities. A text that names two of them relates them."""
_OPINION: Final = re.compile(rf"\b(?:{'|'.join(OPINION_WORDS)})\b", re.IGNORECASE)


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
    if not names_law(veto.law):
        return f"`{veto.law}` names no law, theorem or relation of quantities"
    if not filter_evidence_that_proves_veto(veto, evaluator):
        return "it brings no proof that stands"
    if not veto.core:
        return "it concerns a detail of the narrative and not the core mechanics"
    if veto.correctable and not veto.corrective_proposal.strip():
        return "it neither proposes a correction nor says that the scenario is fundamentally flawed"
    return None


def names_law(text: str) -> bool:
    """Return whether a text names a law, a theorem or a relation of quantities, and not an opinion."""
    if _OPINION.search(text) is not None:
        return False
    quantities = {found.removesuffix("s") for found in _QUANTITY.findall(text.lower())}
    return _LAW.search(text) is not None or len(quantities) > 1


def filter_evidence_that_proves_veto(veto: Veto, evaluator: EvidenceEvaluator) -> tuple[Evidence, ...]:
    """Return the evidence of a proving kind that shows a computation which the mechanics do not contradict."""
    proofs = (each for each in veto.proof if each.kind in PROVING)
    return tuple(
        each
        for each in evaluator.filter_evidence_against(proofs)
        if shows_computation(each.text)
        or _refutes_claim(each, evaluator)
        or evaluator.confirms_statement(each.text)
    )


def _refutes_claim(evidence: Evidence, evaluator: EvidenceEvaluator) -> bool:
    """Return whether the mechanics evaluate the expression of some evidence, and find the claim false."""
    return (
        bool(evidence.expression)
        and evaluator.evaluate_expression(evidence.expression) is ExpressionResult.VIOLATED
    )


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
    """Format a veto for the agents that may read it."""
    lines = [f"Veto: {veto.claim}", f"It violates: {veto.law}"]
    lines += [f"Proof ({each.kind}): {each.text}" for each in veto.proof]
    lines += [f"Proposed correction: {veto.corrective_proposal}"] if veto.corrective_proposal else []
    return "\n".join(lines)
