"""Independent check of a proof, from the conditions and the box alone.

Nothing that the prover computed is trusted. A splitting is walked from the whole box, so that its parts cover
the box by construction, and each leaf is evaluated with independent arithmetic. The statement of a solver is
tested with points of the box, and confirmed by another solver or by a small branch and bound.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Final

from impossible_moments.mechanics.language import smt
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_evaluation import Box, KnownValue
from impossible_moments.mechanics.proofs import box_splitting, independent_evaluation, witnesses
from impossible_moments.mechanics.proofs.certificates import (
    CaseSplit,
    NumericSplit,
    Proof,
    RefutedLeaf,
    SplittingCertificate,
    Tree,
)
from impossible_moments.mechanics.proofs.satisfiability_problem import SatisfiabilityProblem

POINTS: Final = 2000
BOXES: Final = 300


def recheck_proof(proof: Proof, conditions: Mapping[str, Expression], box: Box) -> bool:
    """Return whether the certificate proves that the conditions of the core conflict in the box."""
    names = frozenset(proof.core)
    if not names or len(names) < len(proof.core) or not names <= conditions.keys():
        return False
    core = {name: conditions[name] for name in proof.core}
    question = SatisfiabilityProblem(core, box)
    if question.explain_invalid_bounds() is not None:
        return False
    certificate = proof.certificate
    if isinstance(certificate, SplittingCertificate):
        kind = "interval" if isinstance(certificate.tree, RefutedLeaf) else "branch-and-bound"
        return (
            proof.method == kind
            and certificate.used_conditions == names
            and _verify_splitting(certificate.tree, question)
        )
    return proof.method == "z3" and certificate.core == proof.core and _confirm_solver_statement(question)


def _verify_splitting(tree: Tree, question: SatisfiabilityProblem) -> bool:
    """Return whether the condition named by each leaf is false in the whole part of that leaf."""
    pending: list[tuple[Tree, dict[str, KnownValue]]] = [(tree, dict(question.initial_box))]
    while pending:
        node, part = pending.pop()
        if isinstance(node, RefutedLeaf):
            if not independent_evaluation.is_condition_false_everywhere(
                question.conditions[node.condition], part
            ):
                return False
            continue
        parts = _divide_box_by_certificate_node(node, part, question)
        if parts is None:
            return False
        pending += parts
    return True


def _divide_box_by_certificate_node(
    node: NumericSplit | CaseSplit, part: dict[str, KnownValue], question: SatisfiabilityProblem
) -> list[tuple[Tree, dict[str, KnownValue]]] | None:
    """Return the parts into which a node divides its part of the box, or None if they do not cover it."""
    known = part.get(node.name)
    if isinstance(node, NumericSplit):
        if not isinstance(known, tuple) or not known[0] < node.at < known[1]:
            return None
        low, high = (known[0], node.at), (node.at, known[1])
        return [(node.low, {**part, node.name: low}), (node.high, {**part, node.name: high})]
    if isinstance(known, bool | str | tuple) or node.name not in question.case_values:
        return None
    if {value for value, _ in node.cases} != set(question.case_values[node.name]):
        return None
    return [(branch, {**part, node.name: value}) for value, branch in node.cases]


def _confirm_solver_statement(question: SatisfiabilityProblem) -> bool:
    """Return whether no sampled point contradicts a solver, and another solver or a search confirms it."""
    if question.explain_missing_bounds() is not None or any(
        witnesses.iterate_satisfying_points(question, POINTS)
    ):
        return False
    if _refute_by_splitting(question):
        return True
    try:
        return smt.verify_refutation(question.conditions, question.box)
    except smt.NonAlgebraicExpression:
        return False


def _refute_by_splitting(question: SatisfiabilityProblem) -> bool:
    """Return whether a small branch and bound refutes the conditions in the whole box."""
    pending = deque([question.initial_box])
    for _ in range(BOXES):
        if not pending:
            return True
        part = pending.popleft()
        if any(
            independent_evaluation.is_condition_false_everywhere(tree, part)
            for tree in question.conditions.values()
        ):
            continue
        cut = box_splitting.cut_part_along_widest_side(question, part, question.names)
        if cut is None:
            return False
        pending.extend(cut.parts)
    return not pending
