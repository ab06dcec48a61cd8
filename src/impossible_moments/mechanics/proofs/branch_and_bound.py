"""Branch and bound: cut a box until a condition is false in every part, or a part has a witness."""

from __future__ import annotations

from collections import deque
from typing import Final, TypeAlias

from impossible_moments.mechanics.language.interval_evaluation import IntervalEvaluator
from impossible_moments.mechanics.proofs import box_splitting
from impossible_moments.mechanics.proofs.box_splitting import BoxCut, Part
from impossible_moments.mechanics.proofs.certificates import (
    CaseSplit,
    NumericSplit,
    RefutedLeaf,
    SplittingCertificate,
    Tree,
)
from impossible_moments.mechanics.proofs.satisfiability_problem import SatisfiabilityProblem
from impossible_moments.mechanics.proofs.witnesses import Witness

TRIMS: Final = 12
"""Depth up to which the search looks for a side of a part that one condition excludes."""
DEPTH: Final = 300
"""Maximum depth of cuts. A deeper certificate could not be parsed again."""

_Waiting: TypeAlias = tuple[int, int, Part, tuple[str, ...]]


class BranchAndBoundSearch:
    """Breadth-first branch and bound; `explore_parts` continues where the last call stopped."""

    def __init__(self, question: SatisfiabilityProblem) -> None:
        self.examined_count = 0
        self.is_stuck = False
        self._question = question
        self._record: list[RefutedLeaf | tuple[BoxCut, tuple[int, ...]] | None] = [None]
        self._waiting: deque[_Waiting] = deque([(0, 0, question.initial_box, tuple(question.conditions))])
        self._used_conditions: dict[str, None] = {}

    def explore_parts(self, boxes: int) -> SplittingCertificate | Witness | None:
        """Examine up to `boxes` parts; return a certificate, a witness, or None if neither was found."""
        for _ in range(boxes):
            if not self._waiting or self.is_stuck:
                break
            witness = self._examine_part(*self._waiting.popleft())
            if witness is not None:
                return witness
        return (
            SplittingCertificate(self._build_certificate_tree())
            if not self._waiting and not self.is_stuck
            else None
        )

    def _examine_part(self, place: int, depth: int, part: Part, names: tuple[str, ...]) -> Witness | None:
        """Refute a part, return a witness in it, or cut it."""
        self.examined_count += 1
        false, still_open = self._find_false_and_undecided_conditions(part, names)
        if false is not None:
            self._used_conditions[false] = None
            self._record[place] = RefutedLeaf(false)
            return None
        if self._question.are_conditions_met_at(
            point := box_splitting.compute_part_midpoint(self._question, part)
        ):
            return Witness(point)
        names_read = self._question.names_by_condition
        directions = frozenset[str]().union(*(names_read[name] for name in still_open or names_read))
        cut = None
        if depth < DEPTH:
            trimmed = (
                box_splitting.cut_part_where_condition_fails(self._question, part, still_open)
                if depth < TRIMS
                else None
            )
            cut = trimmed or box_splitting.cut_part_along_widest_side(self._question, part, directions)
        if cut is None:
            self.is_stuck = True
        else:
            self._queue_cut_parts(place, depth, cut, still_open)
        return None

    def _find_false_and_undecided_conditions(
        self, part: Part, names: tuple[str, ...]
    ) -> tuple[str | None, tuple[str, ...]]:
        """Return a condition that is false in the part, and the conditions that are undecided in it."""
        evaluator = IntervalEvaluator(part)
        conditions = self._question.conditions
        still_open = []
        # Conditions that failed in other parts come first: a proof with fewer conditions is better.
        for name in sorted(names, key=self._used_conditions.__contains__, reverse=True):
            truth = evaluator.decide_condition(conditions[name])
            if truth is False:
                return name, ()
            if truth is None:
                still_open.append(name)
        return None, tuple(still_open)

    def _queue_cut_parts(self, place: int, depth: int, cut: BoxCut, names: tuple[str, ...]) -> None:
        first = len(self._record)
        places = tuple(range(first, first + len(cut.parts)))
        self._record += [None] * len(places)
        self._record[place] = (cut, places)
        self._waiting.extend((at, depth + 1, part, names) for at, part in zip(places, cut.parts, strict=True))

    def _build_certificate_tree(self) -> Tree:
        """Return the recorded cuts as a tree; the parts of a cut always come after it in the record."""
        trees: dict[int, Tree] = {}
        for place in reversed(range(len(self._record))):
            entry = self._record[place]
            assert entry is not None
            trees[place] = (
                entry
                if isinstance(entry, RefutedLeaf)
                else _make_certificate_node(entry[0], [trees.pop(at) for at in entry[1]])
            )
        return trees[0]


def _make_certificate_node(cut: BoxCut, parts: list[Tree]) -> Tree:
    if cut.at is not None:
        return NumericSplit(cut.name, cut.at, *parts)
    return CaseSplit(cut.name, tuple(zip(cut.values, parts, strict=True)))
