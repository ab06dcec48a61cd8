"""Whether an answer says why its plan works: a figure on which its calls turn, or what one must see to make them.

A plan that names the right thing by luck says nothing of that. So where an answer is read loosely, its reasons decide
whether it counts or somebody has to look at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from impossible_moments.evaluation.answers import Answer
from impossible_moments.evaluation.key import AnswerKey, printed_figures
from impossible_moments.evaluation.naming import words_of
from impossible_moments.mechanics.moves import Move, Test

COMPARED: Final = 2
"""Figures of one condition that stand in one line: what is there, and what is needed."""
MOST_FIGURES: Final = 5
"""In a line: who recites every figure of the text compares none."""
MOST_WORDS: Final = 150
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?")
_SAME_INSIGHT: Final = 0.4


def reasoned(answer: Answer, moves: Iterable[Move], key: AnswerKey) -> bool:
    """Whether a line of an answer's reasons compares what one of its calls turns on, or tells what must be seen."""
    made = tuple(moves)
    wanted = [figures for move in made for test in move.tests if (figures := _figures(test, key))]
    for line in _lines(answer):
        said = numbers_in(line)
        if len(said) <= MOST_FIGURES and any(
            len(figures & said) >= min(COMPARED, len(figures)) for figures in wanted
        ):
            return True
    words = words_of(" ".join(answer.because))
    shown = [each for each in key.insights if each.shown_by(tuple(move.text for move in made))]
    return len(words) <= MOST_WORDS and any(
        len(words_of(each.text) & words) >= _SAME_INSIGHT * len(words_of(each.text)) for each in shown
    )


def _figures(test: Test, key: AnswerKey) -> frozenset[str]:
    world = key.analysis.world
    return frozenset(each for path in world.bases(test.tree) for each in printed_figures(world, path))


def _lines(answer: Answer) -> Iterator[str]:
    yield from answer.because
    yield from (step.value for step in answer.plan)
    # claims come one by one and are read together by twos: what is there, and what is needed
    claims = list(answer.claims.values())
    yield from (f"{one} {other}" for one, other in pairwise([*claims, ""]))


def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text, in one spelling."""
    joined = re.sub(r"(?<=\d)[ ,](?=\d{3}\b)", "", text)
    return frozenset(_normal(each.replace(",", ".")) for each in _NUMBER.findall(joined))


def _normal(number: str) -> str:
    try:
        return f"{float(number):.4g}"
    except ValueError:
        return number
