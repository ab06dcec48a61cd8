"""Decision whether named conditions can hold together in a box: a proof, a witness, or neither."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from impossible_moments.mechanics.language import smt
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_evaluation import Box, IntervalEvaluator
from impossible_moments.mechanics.language.scalar_evaluation import Value
from impossible_moments.mechanics.proofs import box_splitting, witnesses
from impossible_moments.mechanics.proofs.branch_and_bound import BranchAndBoundSearch
from impossible_moments.mechanics.proofs.certificates import (
    Proof,
    RefutedLeaf,
    SolverStatement,
    SplittingCertificate,
)
from impossible_moments.mechanics.proofs.core_reduction import reduce_proof_core
from impossible_moments.mechanics.proofs.satisfiability_problem import SatisfiabilityProblem
from impossible_moments.mechanics.proofs.witnesses import Witness

QUICK_PARTS: Final = 48
"""Number of parts that branch and bound examines before Z3 is called."""
MOST_PARTS: Final = 2_000_000
"""Step limit of Z3 after all other methods have failed."""
SAMPLES: Final = (256, 8192)
"""Number of points sampled before branch and bound, and after it has failed."""


@dataclass(frozen=True, slots=True)
class ProofBudget:
    """Limit of a decision: the number of parts of the box to examine. No clock is used."""

    boxes: int = 4000


@dataclass(frozen=True, slots=True)
class UndecidedResult:
    """Result without proof or witness; `reason` says how far the search went."""

    reason: str


Decision: TypeAlias = Proof | Witness | UndecidedResult
DEFAULT: Final = ProofBudget()


def decide_joint_satisfiability(
    conditions: Mapping[str, Expression],
    box: Box,
    budget: ProofBudget = DEFAULT,
    *,
    smallest_core: bool = True,
) -> Decision:
    """Decide whether all conditions can hold at one point of the box.

    With `smallest_core` the core of a proof is reduced to conditions that are all needed.
    """
    found = _decide_with_any_core(conditions, box=box, budget=budget)
    if smallest_core and isinstance(found, Proof) and len(found.core) > 1:
        return reduce_proof_core(found, conditions, partial(_decide_with_any_core, box=box, budget=budget))
    return found


def _decide_with_any_core(conditions: Mapping[str, Expression], box: Box, budget: ProofBudget) -> Decision:
    """Decide conditions by the cheapest method that succeeds, without reducing the core."""
    question = SatisfiabilityProblem(conditions, box)
    reason = question.explain_invalid_bounds()
    if reason is not None:
        return UndecidedResult(reason)
    immediate_proof = _refute_by_interval(question)
    if immediate_proof is not None:
        return immediate_proof
    reason = question.explain_missing_bounds()
    if reason is not None:
        return UndecidedResult(reason)
    return (
        witnesses.find_witness_at_middle_or_corners(question)
        or witnesses.find_sampled_witness(question, SAMPLES[0])
        or _decide_by_search(question, budget)
    )


def _refute_by_interval(question: SatisfiabilityProblem) -> Proof | None:
    evaluator = IntervalEvaluator(question.initial_box)
    for name, tree in question.conditions.items():
        if evaluator.decide_condition(tree) is False:
            return Proof((name,), "interval", SplittingCertificate(RefutedLeaf(name)))
    return None


def _decide_by_search(question: SatisfiabilityProblem, budget: ProofBudget) -> Decision:
    """Decide by branch and bound, then Z3, then more of both."""
    search = BranchAndBoundSearch(question)
    found: SplittingCertificate | Witness | Proof | None = search.explore_parts(
        min(QUICK_PARTS, budget.boxes)
    )
    if found is None:
        smt_result = _decide_by_smt_solver(question)
        if smt_result is not None:
            return smt_result
        found = (
            search.explore_parts(budget.boxes - search.examined_count)
            or witnesses.find_sampled_witness(question, SAMPLES[1])
            or _decide_by_smt_solver(question, MOST_PARTS)
        )
        if isinstance(found, Proof):
            return found
    if isinstance(found, SplittingCertificate):
        certificate = found.remove_irrelevant_cuts(question.names_by_condition)
        core = tuple(name for name in question.conditions if name in certificate.used_conditions)
        is_one_leaf = isinstance(certificate.tree, RefutedLeaf)
        return Proof(core, "interval" if is_one_leaf else "branch-and-bound", certificate)
    if found is not None:
        return found
    limit = "a part too thin to cut again" if search.is_stuck else f"the limit of {budget.boxes} parts"
    return UndecidedResult(
        f"no proof and no witness: branch and bound examined {search.examined_count} parts, up to {limit}"
    )


def _decide_by_smt_solver(question: SatisfiabilityProblem, steps: int = smt.STEPS) -> Proof | Witness | None:
    """Decide by Z3, on the algebraic conditions only: a conflict among some is a conflict among all."""
    algebraic = {
        name: tree
        for name, tree in question.conditions.items()
        if smt.can_express_condition(tree, question.box)
    }
    if not algebraic:
        return None
    verdict = smt.check_satisfiability(algebraic, question.box, steps=steps)
    if verdict.core:
        return Proof(verdict.core, "z3", SolverStatement(verdict.core, f"z3 {smt.VERSION}: unsat"))
    if verdict.answer == "satisfiable":
        return _confirm_solver_model(question, verdict.model)
    return None


def _confirm_solver_model(question: SatisfiabilityProblem, model: Mapping[str, Value]) -> Witness | None:
    """Return the point of the solver if execution confirms it.

    Names without a value get the middle of their range.
    """
    point = {**box_splitting.compute_part_midpoint(question, question.initial_box), **model}
    return Witness(point) if question.are_conditions_met_at(point) else None
