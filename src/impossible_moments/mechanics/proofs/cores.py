"""The conditions that are needed for a conflict: leave one out, prove again, keep what still conflicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.proofs.certificates import Proof

Prove = Callable[[Mapping[str, Expression]], object]
"""Answers with a `Proof` if the given conditions conflict."""


def shrunk(proof: Proof, conditions: Mapping[str, Expression], prove: Prove) -> Proof:
    """A proof whose core loses the conflict with any name, as far as `prove` can tell."""
    for name in proof.core:
        if name in proof.core and len(proof.core) > 1:
            found = prove({other: conditions[other] for other in proof.core if other != name})
            proof = found if isinstance(found, Proof) else proof
    return proof
