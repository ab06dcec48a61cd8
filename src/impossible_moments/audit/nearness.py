"""Detection of lines that resemble the answer, by a weighted score of hint signs.

More than half of these lines are harmless, so they are reported as notes for a human to check.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from impossible_moments.audit.markdown import Document, plain
from impossible_moments.audit.parts import Parts
from impossible_moments.audit.signs import Sign, signs_of
from impossible_moments.scenarios.embedding import Embedder

# fmt: off
WEIGHTS: Final[Mapping[Sign, float]] = {
    # similarity to the solution
    Sign.ANSWER:            1.74,
    Sign.INSIGHT:           1.13,
    Sign.SOLUTION:          1.92,
    Sign.ANSWER_WORDS:      0.17,
    Sign.ANSWER_SHARE:      1.54,
    Sign.INSIGHT_WORDS:     0.10,
    Sign.DISTRACTOR_WORDS:  0.13,
    # wording
    Sign.DISMISSES:         0.99,
    Sign.SUGGESTS:          1.14,
    Sign.CAN:               0.31,
    Sign.BOLD:              0.75,
    Sign.STRESSED:          0.44,
    # position
    Sign.OBJECT:            0.68,
    Sign.CAPABILITY:        1.01,
    Sign.NARRATIVE:        -0.78,
}
# fmt: on
"""Weights of a logistic regression on labelled scenarios, validated on sets that were left out."""
HEAVY: Final = 3.4
"""Least score of a reported line. It reports six of seven hints and four harmless lines per document."""


@dataclass(frozen=True, slots=True)
class Near:
    """Line with the insight it resembles and its hint score."""

    line: int
    text: str
    insight: str
    weight: float


def near_the_answer(document: Document, parts: Parts, embedder: Embedder) -> Iterator[Near]:
    """Yield the lines shown to a solver whose hint score reaches the threshold."""
    signs = signs_of(document, parts, embedder)
    if signs is None:
        return
    weights = signs.rows @ np.array([WEIGHTS[sign] for sign in Sign])
    for line, insight, weight in zip(signs.lines, signs.nearest, weights, strict=True):
        if weight >= HEAVY:
            yield Near(line.number, plain(line.text.strip()), insight, float(weight))
