"""A puzzle's solution as data, and whether an answer somebody writes is right."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, Union

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.lines import LineError
from impossible_moments.mechanics.quantities import read_value

# Union and quotes: a type that contains itself is read at run time
Data: TypeAlias = Union[str, int, float, Sequence["Data"], Mapping[str, "Data"], None]  # noqa: UP007
"""What JSON can say."""

Given: TypeAlias = Mapping[str, str]
"""An answer `a=1, b=2`, read and normalised."""

MOST_ANSWERS: Final = 64
LONGEST_ANSWER: Final = 2_000


@dataclass(frozen=True)
class SolvedPuzzle:
    """All right answers of a puzzle; none means that it is impossible, if the search was exhausted."""

    name: str
    kind: str
    answers: tuple[str, ...]
    facts: Mapping[str, Data]
    explanation: str
    exhausted: bool
    asks: tuple[str, ...] = ()
    """For answers `a=1, b=2`: the names that an answer must give."""
    fits: Callable[[Given], bool] | None = None
    """Judges an answer where there may be more right ones than `answers` lists."""

    def accepts(self, text: str) -> bool:
        """Whether the text says a right answer, however it is spaced, capitalised and ordered."""
        if len(text) > LONGEST_ANSWER:
            return False
        if not self.asks:
            spelled = {"code": code_text}.get(self.kind, word_text)
            return spelled(text) in {spelled(answer) for answer in self.answers}
        given = pairs(text, self.asks)
        if given is None:
            return False
        if self.fits is not None:
            return self.fits(given)
        asked = [name.casefold() for name in self.asks]
        wanted = [given.get(name) for name in asked]
        return any(wanted == list((pairs(answer, self.asks) or {}).values()) for answer in self.answers)


def unsolved(name: str, kind: str) -> SolvedPuzzle:
    """The stand-in for a puzzle whose written form has errors."""
    return SolvedPuzzle(name, kind, (), {}, "Not solved: its written form has errors.", exhausted=False)


def code_text(text: str) -> str:
    """A code without spaces and quotation marks; leading zeros stay."""
    return re.sub(r"[\s'\"]", "", text).casefold()


def word_text(text: str) -> str:
    """A word or number in one spelling: `3.0` is `3`, `10[cm]` is `0.1`, `Power  line` is `power line`."""
    bare = " ".join(text.split()).strip("'\"{} ")
    try:
        tree = read_value("answer", bare).tree
    except LineError:
        return bare.casefold()
    return f"{tree.value:.9g}" if isinstance(tree, ex.Number) else bare.casefold()


def pairs(text: str, asks: Sequence[str]) -> Given | None:
    """The pairs of `a=1, b=2`, or None if it is no such text; one asked name needs no `a=`."""
    pieces = [piece for piece in re.split(r"[,;\n]", text) if piece.strip(" '\"{}")]
    if len(asks) == 1 and len(pieces) == 1 and not re.search(r"[=:]", pieces[0]):
        return {asks[0].casefold(): word_text(pieces[0])}
    given: dict[str, str] = {}
    for piece in pieces:
        name, value = _pair(piece)
        if not name or not value or given.setdefault(name, value) != value:
            return None
    return given or None


def _pair(piece: str) -> tuple[str, str]:
    name, *value = re.split(r"[=:]", piece, maxsplit=1)
    return word_text(name), word_text(value[0]) if value else ""
