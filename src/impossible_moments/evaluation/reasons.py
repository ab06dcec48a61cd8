"""Whether an answer says why its plan works: a figure on which its calls turn, or what one must see to make them.

A plan that names the right thing by luck says nothing of that. So where an answer is read loosely, its reasons decide
whether it counts or somebody has to look at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from impossible_moments.evaluation.answers import Answer
from impossible_moments.evaluation.key import AnswerKey, printed_figures
from impossible_moments.evaluation.naming import words_of
from impossible_moments.mechanics.moves import Move

FIGURES: Final = 1
"""Figures of its conditions that a reasoned plan names at least."""
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?")
_SAME_INSIGHT: Final = 0.4


def reasoned(answer: Answer, moves: Iterable[Move], key: AnswerKey) -> bool:
    """Whether the reasons of an answer speak of what its calls turn on."""
    text = _said(answer)
    made = tuple(moves)
    world = key.analysis.world
    figures = {
        each
        for move in made
        for test in move.tests
        for path in world.bases(test.tree)
        for each in printed_figures(world, path)
    }
    if len(figures & numbers_in(text)) >= FIGURES:
        return True
    words = words_of(text)
    shown = [each for each in key.insights if each.shown_by(tuple(move.text for move in made))]
    return any(len(words_of(each.text) & words) >= _SAME_INSIGHT * len(words_of(each.text)) for each in shown)


def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text, in one spelling."""
    joined = re.sub(r"(?<=\d)[ ,](?=\d{3}\b)", "", text)
    return frozenset(_normal(each.replace(",", ".")) for each in _NUMBER.findall(joined))


def _normal(number: str) -> str:
    try:
        return f"{float(number):.4g}"
    except ValueError:
        return number


def _said(answer: Answer) -> str:
    parts = [*answer.because, *answer.claims.values(), *(step.value for step in answer.plan)]
    return " ".join(parts)
