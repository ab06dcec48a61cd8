"""Satisfiability of algebraic conditions over the reals, decided by Z3.

Only this package imports z3. Expressions that Z3's real arithmetic cannot represent (exp, log, trigonometric
functions) raise `NonAlgebraicExpression`, and callers use the interval prover instead.
"""

from impossible_moments.mechanics.language.smt.real_terms import NonAlgebraicExpression
from impossible_moments.mechanics.language.smt.solver import (
    STEPS,
    VERSION,
    SolverAnswer,
    SolverVerdict,
    can_express_condition,
    check_satisfiability,
    verify_refutation,
)

__all__ = [
    "STEPS",
    "VERSION",
    "NonAlgebraicExpression",
    "SolverAnswer",
    "SolverVerdict",
    "can_express_condition",
    "check_satisfiability",
    "verify_refutation",
]
