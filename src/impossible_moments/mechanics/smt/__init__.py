"""Trees to Z3: algebraic questions over the reals, with the subset of conditions that already conflict.

The only importer of z3. What Z3's reals cannot say (exp, log, circular functions) raises `NotAlgebraic`
and goes to the interval prover instead.
"""

from impossible_moments.mechanics.smt.solving import (
    STEPS,
    VERSION,
    Answer,
    Verdict,
    decide,
    refutes_again,
    speaks,
)
from impossible_moments.mechanics.smt.terms import NotAlgebraic

__all__ = ["STEPS", "VERSION", "Answer", "NotAlgebraic", "Verdict", "decide", "refutes_again", "speaks"]
