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
from impossible_moments.mechanics.proofs.frontier import Frontier, build_frontier_box, judge_answer_claims
from impossible_moments.mechanics.proofs.impossibility_result import ImpossibilityResult, RefutedPlan
from impossible_moments.mechanics.proofs.proof_recheck import recheck_proof
from impossible_moments.mechanics.proofs.satisfiability import (
    Decision,
    ProofBudget,
    UndecidedResult,
    decide_joint_satisfiability,
)
from impossible_moments.mechanics.proofs.witnesses import Witness

__all__ = [
    "CaseSplit",
    "Certificate",
    "Decision",
    "Frontier",
    "ImpossibilityResult",
    "MinimumBounds",
    "NumericSplit",
    "Proof",
    "ProofBudget",
    "RefutedLeaf",
    "RefutedPlan",
    "SolverStatement",
    "SplittingCertificate",
    "UndecidedResult",
    "Witness",
    "build_frontier_box",
    "compute_minimum_bounds",
    "decide_joint_satisfiability",
    "judge_answer_claims",
    "parse_certificate",
    "recheck_proof",
]
