"""The solution of a puzzle as data, and the check of a written answer against it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, Union

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records.lines import LineError
from impossible_moments.mechanics.records.quantities import parse_quantity_value

# Union and quotes because a recursive type is evaluated at run time
Data: TypeAlias = Union[str, int, float, Sequence["Data"], Mapping[str, "Data"], None]  # noqa: UP007
"""Any JSON value."""

AnswerPairs: TypeAlias = Mapping[str, str]
"""A parsed and normalised answer `a=1, b=2`."""

MOST_ANSWERS: Final = 64
LONGEST_ANSWER: Final = 2_000


@dataclass(frozen=True)
class SolvedPuzzle:
    """All right answers of a puzzle.

    If `exhausted` is true and `answers` is empty, the puzzle is impossible.
    """

    name: str
    kind: str
    answers: tuple[str, ...]
    facts: Mapping[str, Data]
    explanation: str
    exhausted: bool
    asks: tuple[str, ...] = ()
    """The names that an answer of the form `a=1, b=2` must give."""
    answer_check: Callable[[AnswerPairs], bool] | None = None
    """Check of an answer, for puzzles with more right answers than `answers` lists."""

    def accepts_answer(self, text: str) -> bool:
        """Return whether the text is a right answer, regardless of spacing, capitals and order."""
        if len(text) > LONGEST_ANSWER:
            return False
        if not self.asks:
            normalize = {"code": normalize_code}.get(self.kind, normalize_word)
            return normalize(text) in {normalize(answer) for answer in self.answers}
        given_pairs = parse_answer_pairs(text, self.asks)
        if given_pairs is None:
            return False
        if self.answer_check is not None:
            return self.answer_check(given_pairs)
        asked_names = [name.casefold() for name in self.asks]
        asked_values = [given_pairs.get(name) for name in asked_names]
        return any(
            asked_values == list((parse_answer_pairs(answer, self.asks) or {}).values())
            for answer in self.answers
        )


def create_unsolved_puzzle(name: str, kind: str) -> SolvedPuzzle:
    """Create the placeholder for a puzzle whose written form has errors."""
    return SolvedPuzzle(name, kind, (), {}, "Not solved: its written form has errors.", exhausted=False)


def normalize_code(text: str) -> str:
    """Normalize a code: remove spaces and quotation marks, ignore case, keep leading zeros."""
    return re.sub(r"[\s'\"]", "", text).casefold()


def normalize_word(text: str) -> str:
    """Normalize a word or number: `3.0` to `3`, `10[cm]` to `0.1`, `Power  line` to `power line`."""
    stripped = " ".join(text.split()).strip("'\"{} ")
    try:
        tree = parse_quantity_value("answer", stripped).tree
    except LineError:
        return stripped.casefold()
    return f"{tree.value:.9g}" if isinstance(tree, ex.Number) else stripped.casefold()


def parse_answer_pairs(text: str, asks: Sequence[str]) -> AnswerPairs | None:
    """Parse an answer `a=1, b=2` into normalised pairs, or return None if it has another form.

    If only one name is asked for, the value alone is enough.
    """
    pieces = [piece for piece in re.split(r"[,;\n]", text) if piece.strip(" '\"{}")]
    if len(asks) == 1 and len(pieces) == 1 and not re.search(r"[=:]", pieces[0]):
        return {asks[0].casefold(): normalize_word(pieces[0])}
    pairs: dict[str, str] = {}
    for piece in pieces:
        name, value = _parse_answer_pair(piece)
        if not name or not value or pairs.setdefault(name, value) != value:
            return None
    return pairs or None


def _parse_answer_pair(piece: str) -> tuple[str, str]:
    name, *value = re.split(r"[=:]", piece, maxsplit=1)
    return normalize_word(name), normalize_word(value[0]) if value else ""
