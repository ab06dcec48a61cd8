"""Detection of lines that resemble the answer, by a weighted score of hint signs.

More than half of these lines are harmless, so they are reported as notes for a human to check.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from impossible_moments.audit.documents.markdown import MarkdownDocument, strip_emphasis
from impossible_moments.audit.documents.parts import DocumentParts
from impossible_moments.audit.leaks.hint_signs import HintSign, compute_hint_signs
from impossible_moments.scenarios.similarity import Embedder

# fmt: off
WEIGHTS: Final[Mapping[HintSign, float]] = {
    # similarity to the solution
    HintSign.ANSWER:            1.74,
    HintSign.INSIGHT:           1.13,
    HintSign.SOLUTION:          1.92,
    HintSign.ANSWER_WORDS:      0.17,
    HintSign.ANSWER_SHARE:      1.54,
    HintSign.INSIGHT_WORDS:     0.10,
    HintSign.DISTRACTOR_WORDS:  0.13,
    # wording
    HintSign.DISMISSES:         0.99,
    HintSign.SUGGESTS:          1.14,
    HintSign.CAN:               0.31,
    HintSign.BOLD:              0.75,
    HintSign.STRESSED:          0.44,
    # position
    HintSign.OBJECT:            0.68,
    HintSign.CAPABILITY:        1.01,
    HintSign.NARRATIVE:        -0.78,
}
# fmt: on
"""Weights of a logistic regression on labelled scenarios, validated on sets that were left out."""
LEAST_HINT_SCORE: Final = 3.4
"""Least score of a reported line. It reports six of seven hints and four harmless lines per document."""


@dataclass(frozen=True, slots=True)
class AnswerLikeLine:
    """Line with the insight it resembles and its hint score."""

    line: int
    text: str
    insight: str
    weight: float


def find_answer_like_lines(
    document: MarkdownDocument, parts: DocumentParts, embedder: Embedder
) -> Iterator[AnswerLikeLine]:
    """Yield the lines shown to a solver whose hint score reaches the threshold."""
    sign_matrix = compute_hint_signs(document, parts, embedder)
    if sign_matrix is None:
        return
    weights = sign_matrix.rows @ np.array([WEIGHTS[sign] for sign in HintSign])
    for line, insight, weight in zip(sign_matrix.lines, sign_matrix.nearest, weights, strict=True):
        if weight >= LEAST_HINT_SCORE:
            yield AnswerLikeLine(line.number, strip_emphasis(line.text.strip()), insight, float(weight))
