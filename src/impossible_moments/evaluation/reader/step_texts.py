"""The steps of an answer as texts, without the clauses that only say what is not done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from impossible_moments.evaluation.answers.answer_parser import LONGEST_TEXT, MOST_STEPS

_NEGATION: Final = r"\b(?:instead of|rather than|without|do not|don't|never|not|no need to|avoid|refuse to|ignore|leave out)\b"
_REPLACEMENT: Final = re.compile(rf"\binstead\b|{_NEGATION}", re.IGNORECASE)
_NEGATED: Final = re.compile(
    _NEGATION + r"[^,.;:!?]*"
    r"|\bleave\b[^,.;:!?]*\b(?:out|aside|alone|untouched|where (?:it|they))\b[^,.;:!?]*",
    re.IGNORECASE,
)
_REASON: Final = re.compile(
    r"^\s*(?:because|since|as)\b[^,.;:!?]*,"
    r"|\b(?:because|since|so that|so as to|in order (?:to|that)|due to|owing to|given that|as otherwise)\b[^.;!?]*",
    re.IGNORECASE,
)
"""Clauses that say why something is done. A clause at the beginning ends with its comma."""
_UNDONE: Final = re.compile(
    r"\b(?:undo|untie|unwind|unhook|unplug|unscrew|unload|unfasten|unhitch|remove|removing|detach|disconnect|reverse|cancel|empty)\b"
    r"|\b(?:take|taking|turn|switch|throw|pour|put|give|cut)\b[^,.;:!?]*\b(?:off|away|back|out)\b",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
_NUMBERING: Final = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s*")
_OBJECT: Final = re.compile(r"\b([a-z]+)\s+(?:it|them|this|these|those)\b", re.IGNORECASE)
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


def opens_negated_clause(words: str) -> bool:
    """Return whether words begin a clause that says what is not done, such as `instead`."""
    return _REPLACEMENT.search(words) is not None


def remove_reasons(text: str) -> str:
    """Return a text without the clauses that only say why something is done."""
    return _REASON.sub(" ", text)


def undoes_something(text: str) -> bool:
    """Return whether a text may take back what was done before."""
    return _UNDONE.search(text) is not None


def list_verbs_of_pronouns(text: str) -> list[str]:
    """Return the words that stand directly before a pronoun, such as `press` in "press it"."""
    return [match[1] for match in _OBJECT.finditer(text)]


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
