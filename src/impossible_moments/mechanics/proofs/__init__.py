"""Proofs that conditions conflict in a box, witnesses that they do not, and impossibility of goals."""

from impossible_moments.mechanics.proofs.certificates import (
    CaseSplit,
    Certificate,
    RefutedLeaf,
    Proof,
    NumericSplit,
    SplittingCertificate,
    SolverStatement,
    parse_certificate,
)
from impossible_moments.mechanics.proofs.optimum import MinimumBounds, compute_minimum_bounds
from impossible_moments.mechanics.proofs.prover import ProofBudget, Decision, UndecidedResult, decide_conditions
from impossible_moments.mechanics.proofs.recheck import recheck_proof
from impossible_moments.mechanics.proofs.witnesses import Witness

__all__ = [
    "ProofBudget",
    "CaseSplit",
    "Certificate",
    "Decision",
    "RefutedLeaf",
    "Proof",
    "MinimumBounds",
    "NumericSplit",
    "SplittingCertificate",
    "SolverStatement",
    "UndecidedResult",
    "Witness",
    "decide_conditions",
    "parse_certificate",
    "compute_minimum_bounds",
    "recheck_proof",
]
