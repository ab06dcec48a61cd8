"""Signs that a line of the scenario is a hint: similarity to the solution, wording, and position.

No sign is a proof by itself. A cue such as *can* occurs in every second harmless line. Together the signs
rank hints first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impossible_moments.audit.documents.markdown import (
    MarkdownDocument,
    MarkdownLine,
    MarkdownSection,
    strip_emphasis,
)
from impossible_moments.audit.documents.parts import DISTRACTORS, INSIGHTS, SOLUTION, DocumentParts
from impossible_moments.audit.leaks.leak_patterns import (
    DISMISSES,
    SUGGESTING_PHRASE,
    extract_answer_texts,
    extract_word_stems,
)
from impossible_moments.scenarios.similarity import Embedder, Vectors, normalize_rows

SHORTEST: Final = 12
"""Least number of characters of a meaningful clause."""
MOST_CUES: Final = 3
"""Most occurrences of a cue that count in one line, so that long lines are not penalised."""
NEAREST: Final = 3
"""Number of nearest statements of the solution whose similarity is averaged."""
MOST_LINES: Final = 1000
MOST_CLAUSES: Final = 40
"""Most clauses of one line."""
MOST_STATEMENTS: Final = 1000
"""Most statements that are compared. The limits protect the memory against hostile text."""
_CLAUSES: Final = re.compile(r"(?<=[.!?;])\s+|\||\s--\s")
_HEADING_LINE: Final = re.compile(
    r"\|\s*(?:object|parameter|capability|item|resource)s?\b[^|]*\||[\s|:-]+$", re.IGNORECASE
)


class HintSign(StrEnum):
    """Signs of a hint, in the order of the columns of `HintSignMatrix.rows`."""

    ANSWER = "cosine of the line with the answer or the name of an insight"
    INSIGHT = "cosine of its nearest clause with the text about the insights"
    SOLUTION = "mean cosine with its three nearest statements of the solution, without the common subject"
    ANSWER_WORDS = "rare words it shares with the answer"
    ANSWER_SHARE = "share of its words that are words of the answer"
    INSIGHT_WORDS = "rare words it shares with the insights"
    DISTRACTOR_WORDS = "rare words it shares with the text about distractors"
    DISMISSES = "it calls something useless or plays it down"
    SUGGESTS = "it suggests a use or a purpose"
    CAN = "it states what can be done"
    BOLD = "it has a clause in bold"
    STRESSED = "words in the middle are in bold"
    OBJECT = "it is in the list of objects"
    CAPABILITY = "it is in the list of capabilities"
    NARRATIVE = "it is in the narrative"


# fmt: off
_BELITTLING_PATTERNS: Final = (
    r"\bnot (?:needed|necessary|required|helpful|feasible|possible|intended|rated|meant|affected|a (?:concern|solution|threat|substitute))\b|"
    r"\bof (?:little|no|limited) (?:use|help|value|relevance)\b|\b(?:ineffective|unsuitable|impractical|infeasible|unusable|futile|pointless|"
    r"worthless|superfluous|unrelated|decorative|ornamental)\b|\b(?:would|will) not (?:help|suffice|hold|fit|reach|stop)\b|"
    r"\bdo(?:es)? not (?:fit|work|apply|affect|matter|contribute|change|reach)\b|\bno (?:effect|bearing|purpose|benefit)\b|"
    r"\bunlikely to\b|\btoo \w+ (?:to|for)\b|\bcannot (?:be used|help|support|hold|cut|lift|replace|generate|penetrate|provide)\b"
)
_PRAISING_PATTERNS: Final = (
    r"\b(?:good|excellent|great|well[- ]suited|enough|adequate|sufficient) (?:for|to|as)\b|\buseful\b|\bcapable of\b|\bunlike\b|"
    r"\bthe only \w+ (?:that|which|with)\b|\b(?:crucially|critically|importantly|notably|conveniently|fortunately|effectively|in fact)\b|"
    r"\bnote (?:that|:)|\b(?:which|this|that) (?:makes|allows|enables|means|lets|creates|gives)\b|\b(?:allowing|enabling|making it)\b|"
    r"\bused (?:as|for|to)\b|\b(?:easily|readily|simply) \w+ed\b|\bcomparable to\b|\bbut (?:it|they|this|can|could|is|are)\b"
)
# fmt: on
_CUE_PATTERNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        f"{DISMISSES.pattern}|{_BELITTLING_PATTERNS}",
        f"{SUGGESTING_PHRASE.pattern}|{_PRAISING_PATTERNS}",
        r"\b(?:can|could|may|might)\b(?! not|not)",
        r"\*\*[^*]{25,400}\*\*",
        r"(?<=[^-|\s])\s+\*\*[^*|]{8,400}\*\*",
    )
)
_SECTIONS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"object|resource|item|equipment|material|available|tool",
        r"capab|abilit|skill|human",
        r"scenario|narrative",
    )
)


@dataclass(frozen=True)
class HintSignMatrix:
    """Lines shown to a solver, each with a row of signs and the nearest statement of the solution."""

    lines: tuple[MarkdownLine, ...]
    rows: NDArray[np.float64]
    nearest: tuple[str, ...]


def compute_hint_signs(
    document: MarkdownDocument, parts: DocumentParts, embedder: Embedder
) -> HintSignMatrix | None:
    """Compute the hint signs of the lines shown to a solver. Return None without a scenario or a solution."""
    scenario_lines = (
        each for each in parts.scenario if each.text.strip() and not _HEADING_LINE.match(each.text.strip())
    )
    lines = tuple(islice(scenario_lines, MOST_LINES))
    insights = _extract_distinct_clauses(each for each in document.sections if INSIGHTS.search(each.title))
    solution = _extract_distinct_clauses(document.find_sections_under(SOLUTION))
    answer = extract_answer_texts(document)[:MOST_STATEMENTS] or insights or solution
    if not lines or not answer:
        return None
    distractors = _extract_distinct_clauses(document.find_sections_under(DISTRACTORS))
    similarities, nearest = _compute_similarities(lines, (answer, insights, solution), embedder)
    words = _compute_shared_word_weights(lines, (answer, insights, distractors))
    cues = [[min(MOST_CUES, len(cue.findall(line.text))) for cue in _CUE_PATTERNS] for line in lines]
    return HintSignMatrix(
        lines,
        np.hstack([similarities, words, np.array(cues), _flag_section_of_each_line(document, lines)]),
        nearest,
    )


def _extract_distinct_clauses(
    sections: Iterator[MarkdownSection] | Sequence[MarkdownSection],
) -> tuple[str, ...]:
    found = (clause for section in sections for line in section.lines for clause in _split_clauses(line.text))
    return tuple(dict.fromkeys(found))[:MOST_STATEMENTS]


def _split_clauses(text: str) -> list[str]:
    parts = (part.strip() for part in _CLAUSES.split(strip_emphasis(text)))
    return [part for part in parts if len(part) >= SHORTEST][:MOST_CLAUSES]


def _compute_similarities(
    lines: tuple[MarkdownLine, ...],
    statements: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]],
    embedder: Embedder,
) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """Return three cosines for each line, and the statement of the answer nearest to it."""
    answer, insights, solution = statements
    clauses = [_split_clauses(line.text) or [strip_emphasis(line.text)] for line in lines]
    starts = np.cumsum([0, *(len(each) for each in clauses)])[:-1]
    line_vectors = _embed_lowercase([strip_emphasis(line.text) for line in lines], embedder)
    clause_vectors = _embed_lowercase([clause for each in clauses for clause in each], embedder)
    to_answer = line_vectors @ _embed_lowercase(answer, embedder).T
    # Subtract the mean of all lines, which represents the subject of the scenario.
    subject = clause_vectors.mean(axis=0)
    statement_vectors = normalize_rows(_embed_lowercase((*answer, *insights, *solution), embedder) - subject)
    by_line = np.maximum.reduceat(
        normalize_rows(clause_vectors - subject) @ statement_vectors.T, starts, axis=0
    )
    to_solution = np.sort(by_line, axis=1)[:, -NEAREST:].mean(axis=1)
    to_insight = np.zeros(len(lines))
    if insights:
        best = (clause_vectors @ _embed_lowercase(insights, embedder).T).max(axis=1)
        to_insight = np.maximum.reduceat(best, starts)
    nearest = tuple(answer[int(each)] for each in to_answer.argmax(axis=1))
    return np.column_stack([to_answer.max(axis=1), to_insight, to_solution]), nearest


def _embed_lowercase(texts: Sequence[str], embedder: Embedder) -> Vectors:
    return embedder.embed([text.lower() for text in texts])


def _compute_shared_word_weights(
    lines: tuple[MarkdownLine, ...], statements: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
) -> NDArray[np.float64]:
    """Return the weights of words each line shares with answer, insights and distractors.

    Rare words weigh more.
    """
    words_by_line = [extract_word_stems(line.text) for line in lines]
    word_counts = Counter(word for words in words_by_line for word in words)
    answer, insights, distractors = (frozenset(extract_word_stems(" ".join(each))) for each in statements)
    return np.array(
        [
            [
                _sum_rarity_of_shared_words(words & answer, word_counts),
                len(words & answer) / max(MOST_CUES, len(words)),
                _sum_rarity_of_shared_words(words & insights, word_counts),
                _sum_rarity_of_shared_words(words & distractors, word_counts),
            ]
            for words in words_by_line
        ]
    )


def _sum_rarity_of_shared_words(shared: frozenset[str], word_counts: Counter[str]) -> float:
    return sum(1 / word_counts[word] for word in sorted(shared))


def _flag_section_of_each_line(
    document: MarkdownDocument, lines: tuple[MarkdownLine, ...]
) -> NDArray[np.float64]:
    """Return for each line whether it is in the objects, the capabilities or the narrative."""
    titles = {line.number: section.title for section in document.sections for line in section.lines}
    return np.array(
        [[bool(kind.search(titles.get(line.number, ""))) for kind in _SECTIONS] for line in lines], float
    )
