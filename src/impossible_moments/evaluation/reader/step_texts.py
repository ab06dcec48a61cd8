"""The steps of an answer as texts, without the clauses that only say what is not done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from impossible_moments.evaluation.answers.answer_parser import LONGEST_TEXT, MOST_STEPS

_NEGATED: Final = re.compile(
    r"\b(?:instead of|rather than|without|do not|don't|never|not|no need to|avoid|refuse to|ignore|leave out)\b"
    r"[^,.;:!?]*"
    r"|\bleave\b[^,.;:!?]*\b(?:out|aside|alone|untouched|where (?:it|they))\b[^,.;:!?]*",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
_NUMBERING: Final = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s*")
_REFERENCE: Final = re.compile(r"\b(?:it|them|this|that|these|those|both|there|then)\b", re.IGNORECASE)
_STEP_FIELDS: Final = ("do", "verb", "action", "with", "on", "to", "value")


def list_step_texts(value: object) -> list[str]:
    """Return the steps of a plan in the plan form, each as one text."""
    items = value if isinstance(value, list) else [] if value is None else [value]
    return [text for each in items[:MOST_STEPS] if (text := _format_step(each))]


def split_sentences(text: str) -> list[str]:
    """Split plain text into sentences, without numbering."""
    parts = (_NUMBERING.sub("", part).strip() for part in _SENTENCE.split(text))
    return [part[:LONGEST_TEXT] for part in parts if part][: 2 * MOST_STEPS]


def remove_negated_clauses(text: str) -> str:
    """Return a text without what it says is not done."""
    return _NEGATED.sub(" ", text)


def refers_back(text: str) -> bool:
    """Return whether a text refers to something that was named before."""
    return _REFERENCE.search(text) is not None


def _format_step(value: object) -> str:
    if isinstance(value, Mapping):
        value = " ".join(_iterate_texts(value.get(name) for name in _STEP_FIELDS))
    return " ".join(str(value)[: 4 * LONGEST_TEXT].encode("utf-8", "replace").decode("utf-8").split())[
        :LONGEST_TEXT
    ]


def _iterate_texts(values: Iterator[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, list | tuple):
            yield from (str(each) for each in value[:MOST_STEPS])
        elif value is not None:
            yield str(value)
