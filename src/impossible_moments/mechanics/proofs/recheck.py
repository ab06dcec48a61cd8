"""Independent check of a proof, from the conditions and the box alone.

Nothing that the prover computed is trusted. A splitting is walked from the whole box, so that its parts cover
the box by construction, and each leaf is evaluated with independent arithmetic. The statement of a solver is
tested with points of the box, and confirmed by another solver or by a small branch and bound.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Final

from impossible_moments.mechanics import smt
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.intervals import Box, Known
from impossible_moments.mechanics.proofs import second_reading, splitting, witnesses
from impossible_moments.mechanics.proofs.certificates import Cases, Leaf, Proof, Split, Splitting, Tree
from impossible_moments.mechanics.proofs.questions import Question

POINTS: Final = 2000
BOXES: Final = 300


def recheck(proof: Proof, conditions: Mapping[str, Expression], box: Box) -> bool:
    """Return whether the certificate proves that the conditions of the core conflict in the box."""
    names = frozenset(proof.core)
    if not names or len(names) < len(proof.core) or not names <= conditions.keys():
        return False
    core = {name: conditions[name] for name in proof.core}
    question = Question(core, box)
    if question.reversed_bounds() is not None:
        return False
    certificate = proof.certificate
    if isinstance(certificate, Splitting):
        kind = "interval" if isinstance(certificate.tree, Leaf) else "branch-and-bound"
        return proof.method == kind and certificate.used == names and _covers(certificate.tree, question)
    return proof.method == "z3" and certificate.core == proof.core and _stands(question)


def _covers(tree: Tree, question: Question) -> bool:
    """Return whether the condition named by each leaf is false in the whole part of that leaf."""
    waiting: list[tuple[Tree, dict[str, Known]]] = [(tree, dict(question.start))]
    while waiting:
        node, part = waiting.pop()
        if isinstance(node, Leaf):
            if not second_reading.is_false(question.conditions[node.condition], part):
                return False
            continue
        parts = _parts(node, part, question)
        if parts is None:
            return False
        waiting += parts
    return True


def _parts(
    node: Split | Cases, part: dict[str, Known], question: Question
) -> list[tuple[Tree, dict[str, Known]]] | None:
    """Return the parts into which a node divides its part of the box, or None if they do not cover it."""
    known = part.get(node.name)
    if isinstance(node, Split):
        if not isinstance(known, tuple) or not known[0] < node.at < known[1]:
            return None
        low, high = (known[0], node.at), (node.at, known[1])
        return [(node.low, {**part, node.name: low}), (node.high, {**part, node.name: high})]
    if isinstance(known, bool | str | tuple) or node.name not in question.cases:
        return None
    if {value for value, _ in node.cases} != set(question.cases[node.name]):
        return None
    return [(branch, {**part, node.name: value}) for value, branch in node.cases]


def _stands(question: Question) -> bool:
    """Return whether no sampled point contradicts a solver, and another solver or a search confirms it."""
    if question.missing_bounds() is not None or any(witnesses.satisfying(question, POINTS)):
        return False
    if _refuted_by_splitting(question):
        return True
    try:
        return smt.refutes_again(question.conditions, question.box)
    except smt.NotAlgebraic:
        return False


def _refuted_by_splitting(question: Question) -> bool:
    """Return whether a small branch and bound refutes the conditions in the whole box."""
    waiting = deque([question.start])
    for _ in range(BOXES):
        if not waiting:
            return True
        part = waiting.popleft()
        if any(second_reading.is_false(tree, part) for tree in question.conditions.values()):
            continue
        cut = splitting.cut(question, part, question.names)
        if cut is None:
            return False
        waiting.extend(cut.parts)
    return not waiting
