"""Proofs that conditions conflict in a box, witnesses that they do not, and impossibility of goals."""

from impossible_moments.mechanics.proofs.certificates import (
    CaseSplit,
    Certificate,
    NumericSplit,
    Proof,
    RefutedLeaf,
    SolverStatement,
    SplittingCertificate,
    parse_certificate,
)
from impossible_moments.mechanics.proofs.constrained_minimum import MinimumBounds, compute_minimum_bounds
from impossible_moments.mechanics.proofs.proof_recheck import recheck_proof
from impossible_moments.mechanics.proofs.satisfiability import (
    Decision,
    ProofBudget,
    UndecidedResult,
    decide_conditions,
)
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
