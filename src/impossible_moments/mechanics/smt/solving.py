"""Z3 queries: whether named conditions can hold together, and which of them conflict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import z3

from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.intervals import Box
from impossible_moments.mechanics.smt.terms import Formula, NotAlgebraic
from impossible_moments.mechanics.smt.translation import Translation

VERSION: Final[str] = z3.get_version_string()
Answer: TypeAlias = Literal["unsatisfiable", "satisfiable", "unknown"]
STEPS: Final = 100_000
"""Limit of a query in Z3's resource units, which are the same on every machine."""
PATIENCE: Final = 60_000
"""Timeout in milliseconds. Z3's resource units do not include the cost of long numbers."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Answer of Z3. `core` names conditions that conflict, `model` is a point where all may hold."""

    answer: Answer
    core: tuple[str, ...] = ()
    model: Mapping[str, float | bool] = field(default_factory=dict)


def decide(conditions: Mapping[str, Expression], box: Box, *, seed: int = 0, steps: int = STEPS) -> Verdict:
    """Ask Z3 whether named conditions can hold together somewhere in a box, within `steps` resource units."""
    translation = Translation(box)
    formulas = {name: translation.condition(tree) for name, tree in conditions.items()}
    solver = _solver(translation, seed, steps)
    solver.add(*formulas.values())
    result = solver.check()
    if result == z3.unsat:
        return Verdict("unsatisfiable", _core(translation, formulas, seed))
    if result == z3.sat:
        return Verdict("satisfiable", model=translation.point(solver.model()))
    return Verdict("unknown")


def _solver(translation: Translation, seed: int, steps: int = STEPS) -> z3.Solver:
    solver = z3.Solver(ctx=translation.context)
    solver.set("rlimit", steps)
    solver.set("timeout", PATIENCE)
    solver.set("random_seed", seed)
    solver.add(*translation.side_conditions)
    return solver


def _core(translation: Translation, formulas: Mapping[str, Formula], seed: int) -> tuple[str, ...]:
    """Return the conditions in Z3's unsatisfiable core, or all conditions if Z3 exceeds its limits."""
    solver = _solver(translation, seed)
    marks = {name: z3.Bool(f"?{name}", translation.context) for name in formulas}
    for name, formula in formulas.items():
        solver.add(z3.Implies(marks[name], formula))
    if solver.check(*marks.values()) != z3.unsat:
        return tuple(formulas)
    used = {mark.decl().name() for mark in solver.unsat_core()}
    return tuple(name for name in formulas if f"?{name}" in used)


def refutes_again(conditions: Mapping[str, Expression], box: Box) -> bool:
    """Return whether another procedure of Z3 finds the same conflict, to re-check `check_satisfiability`."""
    translation = Translation(box)
    formulas = [translation.condition(tree) for tree in conditions.values()]
    for solver, seed in (
        (z3.Tactic("qfnra-nlsat", ctx=translation.context).solver(), "seed"),
        (z3.SolverFor("QF_NRA", ctx=translation.context), "random_seed"),
    ):
        solver.set("rlimit", STEPS)
        solver.set("timeout", PATIENCE)
        solver.set(seed, 4711)
        solver.add(*formulas, *translation.side_conditions)
        result = solver.check()
        if result != z3.unknown:
            return bool(result == z3.unsat)
    return False


def speaks(tree: Expression, box: Box) -> bool:
    """Return whether Z3's real arithmetic can represent a condition."""
    try:
        Translation(box).condition(tree)
    except NotAlgebraic:
        return False
    return True
