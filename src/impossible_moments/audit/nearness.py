"""Lines of a scenario that read like its answer: found by weighing signs, where no word gives them away.

More than half of what is found so is harmless, so it is told as a note: somebody should read the line beside the insight.
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
    # the solution told in other words
    Sign.ANSWER:            1.74,
    Sign.INSIGHT:           1.13,
    Sign.SOLUTION:          1.92,
    Sign.ANSWER_WORDS:      0.17,
    Sign.ANSWER_SHARE:      1.54,
    Sign.INSIGHT_WORDS:     0.10,
    Sign.DISTRACTOR_WORDS:  0.13,
    # turns of phrase
    Sign.DISMISSES:         0.99,
    Sign.SUGGESTS:          1.14,
    Sign.CAN:               0.31,
    Sign.BOLD:              0.75,
    Sign.STRESSED:          0.44,
    # where it stands
    Sign.OBJECT:            0.68,
    Sign.CAPABILITY:        1.01,
    Sign.NARRATIVE:        -0.78,
}
# fmt: on
"""A logistic regression on labelled scenarios. It was judged set by set, each by weights made without that set."""
HEAVY: Final = 3.4
"""What the weighed signs of a line must come to: four harmless lines a document pass, and six hints in seven."""


@dataclass(frozen=True, slots=True)
class Near:
    """A line and the insight it reads like."""

    line: int
    text: str
    insight: str
    weight: float


def near_the_answer(document: Document, parts: Parts, embedder: Embedder) -> Iterator[Near]:
    """The lines a solver reads that come close to the answer, by all their signs together."""
    signs = signs_of(document, parts, embedder)
    if signs is None:
        return
    weights = signs.rows @ np.array([WEIGHTS[sign] for sign in Sign])
    for line, insight, weight in zip(signs.lines, signs.nearest, weights, strict=True):
        if weight >= HEAVY:
            yield Near(line.number, plain(line.text.strip()), insight, float(weight))
