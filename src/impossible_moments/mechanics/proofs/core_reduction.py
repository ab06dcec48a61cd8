"""Reduction of a conflict to the conditions that it needs, by leaving out one condition at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.proofs.certificates import Proof

Prove = Callable[[Mapping[str, Expression]], object]
"""A function that returns a `Proof` if the given conditions conflict."""


def reduce_proof_core(proof: Proof, conditions: Mapping[str, Expression], prove: Prove) -> Proof:
    """Return a proof whose core has no conditions that `prove` can do without."""
    for name in proof.core:
        if name in proof.core and len(proof.core) > 1:
            found = prove({other: conditions[other] for other in proof.core if other != name})
            proof = found if isinstance(found, Proof) else proof
    return proof
