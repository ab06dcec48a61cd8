"""Satisfiability of algebraic conditions over the reals, decided by Z3.

Only this package imports z3. Expressions that Z3's real arithmetic cannot represent (exp, log, trigonometric
functions) raise `NonAlgebraicExpression`, and callers use the interval prover instead.
"""

from impossible_moments.mechanics.smt.solving import (
    STEPS,
    VERSION,
    SolverAnswer,
    SolverVerdict,
    check_satisfiability,
    verify_refutation,
    can_express_condition,
)
from impossible_moments.mechanics.smt.terms import NonAlgebraicExpression

__all__ = ["STEPS", "VERSION", "SolverAnswer", "NonAlgebraicExpression", "SolverVerdict", "check_satisfiability", "verify_refutation", "can_express_condition"]
