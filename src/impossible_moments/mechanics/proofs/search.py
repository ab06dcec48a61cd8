"""Branch and bound: cut a box until a condition is false in every part, or a part has a witness."""

from __future__ import annotations

from collections import deque
from typing import Final, TypeAlias

from impossible_moments.mechanics.intervals import Reading
from impossible_moments.mechanics.proofs import splitting
from impossible_moments.mechanics.proofs.certificates import Cases, Leaf, Split, Splitting, Tree
from impossible_moments.mechanics.proofs.questions import Question
from impossible_moments.mechanics.proofs.splitting import Cut, Part
from impossible_moments.mechanics.proofs.witnesses import Witness

TRIMS: Final = 12
"""Depth up to which the search looks for a side of a part that one condition excludes."""
DEPTH: Final = 300
"""Maximum depth of cuts. A deeper certificate could not be parsed again."""

_Waiting: TypeAlias = tuple[int, int, Part, tuple[str, ...]]


class Search:
    """Breadth-first branch and bound; `explore_parts` continues where the last call stopped."""

    def __init__(self, question: Question) -> None:
        self.seen = 0
        self.is_stuck = False
        self._question = question
        self._record: list[Leaf | tuple[Cut, tuple[int, ...]] | None] = [None]
        self._waiting: deque[_Waiting] = deque([(0, 0, question.start, tuple(question.conditions))])
        self._used: dict[str, None] = {}

    def proceed(self, boxes: int) -> Splitting | Witness | None:
        """Examine up to `boxes` parts; return a certificate, a witness, or None if neither was found."""
        for _ in range(boxes):
            if not self._waiting or self.is_stuck:
                break
            witness = self._look(*self._waiting.popleft())
            if witness is not None:
                return witness
        return Splitting(self._tree()) if not self._waiting and not self.is_stuck else None

    def _look(self, place: int, depth: int, part: Part, names: tuple[str, ...]) -> Witness | None:
        """Refute a part, return a witness in it, or cut it."""
        self.seen += 1
        false, still_open = self._read(part, names)
        if false is not None:
            self._used[false] = None
            self._record[place] = Leaf(false)
            return None
        if self._question.holds_at(point := splitting.middle(self._question, part)):
            return Witness(point)
        reads = self._question.reads
        directions = frozenset[str]().union(*(reads[name] for name in still_open or reads))
        cut = None
        if depth < DEPTH:
            trimmed = splitting.trim(self._question, part, still_open) if depth < TRIMS else None
            cut = trimmed or splitting.cut(self._question, part, directions)
        if cut is None:
            self.is_stuck = True
        else:
            self._divide(place, depth, cut, still_open)
        return None

    def _read(self, part: Part, names: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
        """Return a condition that is false in the part, and the conditions that are undecided in it."""
        reading = Reading(part)
        conditions = self._question.conditions
        still_open = []
        # Conditions that failed in other parts come first: a proof with fewer conditions is better.
        for name in sorted(names, key=self._used.__contains__, reverse=True):
            truth = reading.truth(conditions[name])
            if truth is False:
                return name, ()
            if truth is None:
                still_open.append(name)
        return None, tuple(still_open)

    def _divide(self, place: int, depth: int, cut: Cut, names: tuple[str, ...]) -> None:
        first = len(self._record)
        places = tuple(range(first, first + len(cut.parts)))
        self._record += [None] * len(places)
        self._record[place] = (cut, places)
        self._waiting.extend((at, depth + 1, part, names) for at, part in zip(places, cut.parts, strict=True))

    def _tree(self) -> Tree:
        """Return the recorded cuts as a tree; the parts of a cut always come after it in the record."""
        trees: dict[int, Tree] = {}
        for place in reversed(range(len(self._record))):
            entry = self._record[place]
            assert entry is not None
            trees[place] = (
                entry if isinstance(entry, Leaf) else _node(entry[0], [trees.pop(at) for at in entry[1]])
            )
        return trees[0]


def _node(cut: Cut, parts: list[Tree]) -> Tree:
    if cut.at is not None:
        return Split(cut.name, cut.at, *parts)
    return Cases(cut.name, tuple(zip(cut.values, parts, strict=True)))
