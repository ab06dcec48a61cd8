"""Checks that quotes by judges and translators really occur in an answer.

Only the words matter; spacing, case, punctuation and JSON syntax are ignored. A sentence addressed to the
judge cannot be quoted, so it earns nothing.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Final

from impossible_moments.mechanics.numbers import LOOSE_NUMBER, normalize_digits

LARGEST_ANSWER: Final = 40_000
"""Maximum characters of an answer shown to a judge; answers within the token limit are shorter."""
FEWEST_SIGNS: Final = 6
"""Least number of letters and digits of a quote, unless the quote is the whole answer."""
_ESCAPES: Final = re.compile(r"\\[nrt]|\\(?=[\"/\\])")
_SIGNS: Final = re.compile(r"[^\W_]+")
_NUMBER: Final = re.compile(LOOSE_NUMBER)
_ELLIPSIS: Final = re.compile(r"\s*(?:\[?\.{3,}\]?|\[?…\]?)\s*")
_SENTENCE: Final = re.compile(r"[^.!?\n]+[.!?\n]*")
_ADDRESS_TO_JUDGE: Final = re.compile(
    r"""\b(?:
      (?:ignore|disregard|forget|override)\W+(?:\w+\W+){0,4}(?:instructions?|rubric|criteria|prompt)
    | (?:full|maximum|max|top|perfect|highest)\W+(?:possible\W+)?(?:points?|marks?|scores?|grades?|credit)
    | (?:give|award|grant|assign)\W+(?:me|us|it|this|that|(?:this|my|the)\W+answer|all|full|\d+)\W+(?:\w+\W+){0,3}(?:points|marks|scores?|grades?)
    | (?:note|message|instructions?|attention|dear|hello)\W+(?:to\W+|for\W+)?(?:the\W+|all\W+)?(?:judges|graders?|evaluators?|scorers?)
    | (?:you\W+are|acting\W+as)\W+(?:a|an|the)\W+(?:judge|grader|evaluator|scorer)
    | (?:this|my|the)\W+answer\W+(?:deserves|is\W+worth|must\W+be\W+(?:scored|graded|rated)|earns)
    | hand_in | system\W+prompt | end\W+of\W+(?:the\W+)?answer
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True)
class QuotableAnswer:
    """An answer against which quotes are checked."""

    text: str

    @cached_property
    def shown_text(self) -> str:
        """The part of the answer that is shown to a judge."""
        # models may write lone surrogates, which cannot be encoded
        return self.text[:LARGEST_ANSWER].encode("utf-8", "replace").decode("utf-8")

    @cached_property
    def addresses_judge(self) -> bool:
        """Whether a sentence of the answer is addressed to the judge."""
        return any(_ADDRESS_TO_JUDGE.search(each) for each in _split_sentences(self.shown_text))

    @cached_property
    def _normalized_text(self) -> str:
        # removed sentences leave a separator, so that no quote can span the gap
        kept = [
            "\0" if _ADDRESS_TO_JUDGE.search(each) else _normalize_quote_text(each)
            for each in _split_sentences(self.shown_text)
        ]
        # a line of punctuation alone, as in indented JSON, leaves no gap
        return " ".join(filter(None, kept))

    def contains_quote(self, quote: str) -> bool:
        """Check whether the answer contains a quote; pieces between ellipses must occur in order."""
        pieces = [plain for each in _ELLIPSIS.split(quote) if (plain := _normalize_quote_text(each))]
        if not pieces:
            return False
        is_whole_answer = pieces[0] == self._normalized_text.strip()
        if not is_whole_answer and any(len(each.replace(" ", "")) < FEWEST_SIGNS for each in pieces):
            return False
        start = 0
        for piece in pieces:
            # match whole words only: 0.95 does not occur in 10.95
            found = re.compile(rf"(?<![a-z0-9]){re.escape(piece)}(?![a-z0-9])").search(
                self._normalized_text, start
            )
            if found is None:
                return False
            start = found.end()
        return True

    def contains_words(self, words: str) -> bool:
        """Check whether the answer contains words, whole and in order, however few they are."""
        wanted = _normalize_quote_text(words)
        return bool(wanted) and f" {wanted} " in f" {self._normalized_text} "

    def has_sentence(self, quote: str) -> bool:
        """Check whether a quote is a whole sentence of the answer, however short."""
        wanted = _normalize_quote_text(quote)
        sentences = map(_normalize_quote_text, _split_sentences(self.shown_text))
        return self.contains_words(quote) and wanted in sentences

    @property
    def fenced_text(self) -> str:
        """The answer between marks that it cannot contain, because they are a hash of the answer."""
        fence = sha256(self.text.encode("utf-8", "replace")).hexdigest()[:16]
        cut_note = (
            "" if len(self.text) <= LARGEST_ANSWER else f"\n(cut here: {len(self.text):,} characters in all)"
        )
        return f"<<<ANSWER {fence}\n{self.shown_text}{cut_note}\nANSWER {fence}>>>"


def contains_words(text: str, words: str) -> bool:
    """Return whether a text contains words, whole and in order, however few they are.

    Pieces between ellipses must occur in order.
    """
    pieces = [plain for each in _ELLIPSIS.split(words) if (plain := _normalize_quote_text(each))]
    rest = f" {_normalize_quote_text(text)} "
    for piece in pieces:
        _, found, rest = rest.partition(f" {piece} ")
        if not found:
            return False
        rest = f" {rest}"
    return bool(pieces)


def extract_numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text as written, without thousands separators."""
    return frozenset(normalize_digits(each) for each in _NUMBER.findall(text))


def _split_sentences(text: str) -> list[str]:
    return _SENTENCE.findall(_ESCAPES.sub(" ", text))


def _normalize_quote_text(text: str) -> str:
    """Return the words and numbers of a text in lower case, separated by single spaces."""
    flat = unicodedata.normalize("NFKC", _ESCAPES.sub(" ", text)).casefold()
    return " ".join(_SIGNS.findall(flat))
