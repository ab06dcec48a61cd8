"""Quotes: whether what a judge or a translator quotes really stands in an answer.

Spacing, case, punctuation and the marks of JSON do not matter, the words do. A sentence that speaks to whoever scores
the answer earns nothing, so quoting it is no quote.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Final

LARGEST: Final = 40_000
"""Characters of an answer that are shown to a judge; an answer within the limit of tokens is shorter."""
FEWEST_SIGNS: Final = 6
"""Letters and digits: what is shorter stands in every answer. A whole answer may be shorter."""
_ESCAPES: Final = re.compile(r"\\[nrt]|\\(?=[\"/\\])")
_SIGNS: Final = re.compile(r"[^\W_]+")
_NUMBER: Final = re.compile(r"\d[\d,]*(?:\.\d+)?")
_CUT: Final = re.compile(r"\s*(?:\[?\.{3,}\]?|\[?…\]?)\s*")
_SENTENCE: Final = re.compile(r"[^.!?\n]+[.!?\n]*")
_TO_THE_JUDGE: Final = re.compile(
    r"""\b(?:
      (?:ignore|disregard|forget|override)\W+(?:\w+\W+){0,4}(?:instructions?|rubric|criteria|prompt)
    | (?:full|maximum|max|top|perfect|highest)\W+(?:possible\W+)?(?:points?|marks?|scores?|grades?|credit)
    | (?:give|award|grant|assign)\W+(?:\w+\W+){0,4}(?:points?|marks?|scores?|grades?)
    | (?:note|message|instructions?|attention|dear|hello)\W+(?:to\W+|for\W+)?(?:the\W+|all\W+)?(?:judges|graders?|evaluators?|scorers?)
    | (?:you\W+are|acting\W+as)\W+(?:a|an|the)\W+(?:judge|grader|evaluator|scorer)
    | (?:this|my|the)\W+answer\W+(?:deserves|is\W+worth|must\W+be\W+(?:scored|graded|rated)|earns)
    | hand_in | system\W+prompt | end\W+of\W+(?:the\W+)?answer
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True)
class Quotable:
    """An answer that can be quoted from."""

    text: str

    @cached_property
    def shown(self) -> str:
        """What a judge is shown of it."""
        # half a character, which a model may write, cannot be sent
        return self.text[:LARGEST].encode("utf-8", "replace").decode("utf-8")

    @cached_property
    def speaks_to_the_judge(self) -> bool:
        """Whether a sentence of it is meant for whoever scores it."""
        return any(_TO_THE_JUDGE.search(each) for each in _sentences(self.shown))

    @cached_property
    def _plain(self) -> str:
        # a mark between the sentences that are left, so that no quote reaches over what was taken out
        kept = ["\0" if _TO_THE_JUDGE.search(each) else _plain(each) for each in _sentences(self.shown)]
        return " ".join(kept)

    def holds(self, quote: str) -> bool:
        """Whether the quote stands in the answer; one with dots for what it leaves out, piece by piece and in order."""
        pieces = [plain for each in _CUT.split(quote) if (plain := _plain(each))]
        if not pieces:
            return False
        whole = pieces[0] == self._plain.strip()
        if not whole and any(len(each.replace(" ", "")) < FEWEST_SIGNS for each in pieces):
            return False
        start = 0
        for piece in pieces:
            # whole words: 0.95 does not stand in 10.95
            found = re.compile(rf"(?<![a-z0-9]){re.escape(piece)}(?![a-z0-9])").search(self._plain, start)
            if found is None:
                return False
            start = found.end()
        return True

    @property
    def fenced(self) -> str:
        """The answer between marks that it cannot contain, since they are made from all of it."""
        mark = sha256(self.text.encode("utf-8", "replace")).hexdigest()[:16]
        cut = "" if len(self.text) <= LARGEST else f"\n(cut here: {len(self.text):,} characters in all)"
        return f"<<<ANSWER {mark}\n{self.shown}{cut}\nANSWER {mark}>>>"


def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text as they are written, so that no figure is made of words that do not state it."""
    return frozenset(each.replace(",", "") for each in _NUMBER.findall(text))


def _sentences(text: str) -> list[str]:
    return _SENTENCE.findall(_ESCAPES.sub(" ", text))


def _plain(text: str) -> str:
    """The words and numbers of a text, in small letters, one space between them."""
    flat = unicodedata.normalize("NFKC", _ESCAPES.sub(" ", text)).casefold()
    return " ".join(_SIGNS.findall(flat))
