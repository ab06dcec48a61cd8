"""Decision whether named conditions can hold together in a box: a proof, a witness, or neither."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from impossible_moments.mechanics import smt
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.intervals import Box, Reading
from impossible_moments.mechanics.proofs import splitting, witnesses
from impossible_moments.mechanics.proofs.certificates import Leaf, Proof, Splitting, Statement
from impossible_moments.mechanics.proofs.cores import shrunk
from impossible_moments.mechanics.proofs.questions import Question
from impossible_moments.mechanics.proofs.search import Search
from impossible_moments.mechanics.proofs.witnesses import Witness
from impossible_moments.mechanics.scalars import Value

CHEAP: Final = 48
"""Number of parts that branch and bound examines before Z3 is called."""
PATIENT: Final = 2_000_000
"""Step limit of Z3 after all other methods have failed."""
SAMPLES: Final = (256, 8192)
"""Number of points sampled before branch and bound, and after it has failed."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limit of a decision: the number of parts of the box to examine. No clock is used."""

    boxes: int = 4000


@dataclass(frozen=True, slots=True)
class Undecided:
    """Result without proof or witness; `reason` says how far the search went."""

    reason: str


Decision: TypeAlias = Proof | Witness | Undecided
DEFAULT: Final = Budget()


def decide(
    conditions: Mapping[str, Expression], box: Box, budget: Budget = DEFAULT, *, smallest_core: bool = True
) -> Decision:
    """Decide whether all conditions can hold at one point of the box.

    With `smallest_core` the core of a proof is reduced to conditions that are all needed.
    """
    found = _settled(conditions, box=box, budget=budget)
    if smallest_core and isinstance(found, Proof) and len(found.core) > 1:
        return shrunk(found, conditions, partial(_settled, box=box, budget=budget))
    return found


def _settled(conditions: Mapping[str, Expression], box: Box, budget: Budget) -> Decision:
    """Decide conditions by the cheapest method that succeeds, without reducing the core."""
    question = Question(conditions, box)
    reason = question.reversed_bounds()
    if reason is not None:
        return Undecided(reason)
    at_once = _refuted_at_once(question)
    if at_once is not None:
        return at_once
    reason = question.missing_bounds()
    if reason is not None:
        return Undecided(reason)
    return (
        witnesses.obvious(question) or witnesses.sampled(question, SAMPLES[0]) or _searched(question, budget)
    )


def _refuted_at_once(question: Question) -> Proof | None:
    reading = Reading(question.start)
    for name, tree in question.conditions.items():
        if reading.truth(tree) is False:
            return Proof((name,), "interval", Splitting(Leaf(name)))
    return None


def _searched(question: Question, budget: Budget) -> Decision:
    """Decide by branch and bound, then Z3, then more of both."""
    search = Search(question)
    found: Splitting | Witness | Proof | None = search.proceed(min(CHEAP, budget.boxes))
    if found is None:
        solved = _solved(question)
        if solved is not None:
            return solved
        found = (
            search.proceed(budget.boxes - search.seen)
            or witnesses.sampled(question, SAMPLES[1])
            or _solved(question, PATIENT)
        )
        if isinstance(found, Proof):
            return found
    if isinstance(found, Splitting):
        core = tuple(name for name in question.conditions if name in found.used)
        return Proof(core, "branch-and-bound", found)
    if found is not None:
        return found
    limit = "a part too thin to cut again" if search.is_stuck else f"the limit of {budget.boxes} parts"
    return Undecided(f"no proof and no witness: branch and bound examined {search.seen} parts, up to {limit}")


def _solved(question: Question, steps: int = smt.STEPS) -> Proof | Witness | None:
    """Decide by Z3, on the algebraic conditions only: a conflict among some is a conflict among all."""
    algebraic = {name: tree for name, tree in question.conditions.items() if smt.speaks(tree, question.box)}
    if not algebraic:
        return None
    verdict = smt.decide(algebraic, question.box, steps=steps)
    if verdict.core:
        return Proof(verdict.core, "z3", Statement(verdict.core, f"z3 {smt.VERSION}: unsat"))
    if verdict.answer == "satisfiable":
        return _confirmed(question, verdict.model)
    return None


def _confirmed(question: Question, model: Mapping[str, Value]) -> Witness | None:
    """Return the point of the solver if execution confirms it.

    Names without a value get the middle of their range.
    """
    point = {**splitting.middle(question, question.start), **model}
    return Witness(point) if question.holds_at(point) else None
