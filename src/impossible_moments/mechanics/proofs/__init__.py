"""Proofs that conditions conflict in a box, witnesses that they do not, and impossibility of goals."""

from impossible_moments.mechanics.proofs.certificates import (
    Cases,
    Certificate,
    Leaf,
    Proof,
    Split,
    Splitting,
    Statement,
    from_data,
)
from impossible_moments.mechanics.proofs.optimum import Range, least
from impossible_moments.mechanics.proofs.prover import Budget, Decision, Undecided, decide
from impossible_moments.mechanics.proofs.recheck import recheck
from impossible_moments.mechanics.proofs.witnesses import Witness

__all__ = [
    "Budget",
    "Cases",
    "Certificate",
    "Decision",
    "Leaf",
    "Proof",
    "Range",
    "Split",
    "Splitting",
    "Statement",
    "Undecided",
    "Witness",
    "decide",
    "from_data",
    "least",
    "recheck",
]
