"""Z3 queries: whether named conditions can hold together, and which of them conflict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import z3

from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_evaluation import Box
from impossible_moments.mechanics.language.smt.real_terms import NonAlgebraicExpression, Z3Formula
from impossible_moments.mechanics.language.smt.translation import Z3Translator

VERSION: Final[str] = z3.get_version_string()
SolverAnswer: TypeAlias = Literal["unsatisfiable", "satisfiable", "unknown"]
STEPS: Final = 100_000
"""Limit of a query in Z3's resource units, which are the same on every machine."""
TIMEOUT_MILLISECONDS: Final = 300_000
"""Timeout in milliseconds, long enough for a busy machine. Z3's resource units do not include the cost of long numbers."""


@dataclass(frozen=True, slots=True)
class SolverVerdict:
    """Answer of Z3. `core` names conditions that conflict, `model` is a point where all may hold."""

    answer: SolverAnswer
    core: tuple[str, ...] = ()
    model: Mapping[str, float | bool] = field(default_factory=dict)


def check_satisfiability(
    conditions: Mapping[str, Expression], box: Box, *, seed: int = 0, steps: int = STEPS
) -> SolverVerdict:
    """Ask Z3 whether named conditions can hold together somewhere in a box, within `steps` resource units."""
    translation = Z3Translator(box)
    formulas = {name: translation.translate_condition(tree) for name, tree in conditions.items()}
    solver = _create_solver(translation, seed, steps)
    solver.add(*formulas.values())
    result = solver.check()
    if result == z3.unsat:
        return SolverVerdict("unsatisfiable", _find_unsatisfiable_core(translation, formulas, seed))
    if result == z3.sat:
        return SolverVerdict("satisfiable", model=translation.extract_point(solver.model()))
    return SolverVerdict("unknown")


def _create_solver(translation: Z3Translator, seed: int, steps: int = STEPS) -> z3.Solver:
    solver = z3.Solver(ctx=translation.context)
    solver.set("rlimit", steps)
    solver.set("timeout", TIMEOUT_MILLISECONDS)
    solver.set("random_seed", seed)
    solver.add(*translation.side_conditions)
    return solver


def _find_unsatisfiable_core(
    translation: Z3Translator, formulas: Mapping[str, Z3Formula], seed: int
) -> tuple[str, ...]:
    """Return the conditions in Z3's unsatisfiable core, or all conditions if Z3 exceeds its limits."""
    solver = _create_solver(translation, seed)
    indicators = {name: z3.Bool(f"?{name}", translation.context) for name in formulas}
    for name, formula in formulas.items():
        solver.add(z3.Implies(indicators[name], formula))
    if solver.check(*indicators.values()) != z3.unsat:
        return tuple(formulas)
    core_names = {mark.decl().name() for mark in solver.unsat_core()}
    return tuple(name for name in formulas if f"?{name}" in core_names)


def verify_refutation(conditions: Mapping[str, Expression], box: Box) -> bool:
    """Return whether another procedure of Z3 finds the same conflict, to re-check `check_satisfiability`."""
    translation = Z3Translator(box)
    formulas = [translation.translate_condition(tree) for tree in conditions.values()]
    for solver, seed in (
        (z3.Tactic("qfnra-nlsat", ctx=translation.context).solver(), "seed"),
        (z3.SolverFor("QF_NRA", ctx=translation.context), "random_seed"),
    ):
        solver.set("rlimit", STEPS)
        solver.set("timeout", TIMEOUT_MILLISECONDS)
        solver.set(seed, 4711)
        solver.add(*formulas, *translation.side_conditions)
        result = solver.check()
        if result != z3.unknown:
            return bool(result == z3.unsat)
    return False


def can_express_condition(tree: Expression, box: Box) -> bool:
    """Return whether Z3's real arithmetic can represent a condition."""
    try:
        Z3Translator(box).translate_condition(tree)
    except NonAlgebraicExpression:
        return False
    return True
