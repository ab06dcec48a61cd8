"""What may stand in a document: its bounds, its texts and numbers, and the sentence for what may not."""

from __future__ import annotations

import math
import re
from typing import Final, NoReturn

MAX_BYTES: Final = 512 * 1024
MAX_PARTS: Final = 20_000
MAX_DEPTH: Final = 24
MAX_TEXT: Final = 64 * 1024
MAX_DIGITS: Final = 40

# controls and half characters; and signs that reorder text, so that a reviewer reads what the program reads
_UNFIT: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)


class Problem(Exception):
    """Why a document is refused, before it is known whose it is."""

    def __init__(self, what: str, line: int | None = None, *, syntax: bool = False) -> None:
        super().__init__(what)
        self.what, self.line, self.syntax = what, line, syntax

    def sentence(self, name: str) -> str:
        """The one sentence for the writer of the document `name`."""
        return (
            f"{excerpt(name, 60) or 'the document'}{f', line {self.line}' if self.line else ''}: {self.what}."
        )


def in_words(value: object) -> str:
    """What sort of data a value is, in words for its writer."""
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case dict():
            return "a map"
        case list() | tuple():
            return "a list"
        case _:
            return "something that is no data"


def excerpt(text: str, most: int = 40) -> str:
    """Text on one line, printable and short enough for a sentence."""
    begin = text[:most] if len(text) <= most else f"{text[: most - 3]}..."
    return "".join(
        " " if sign.isspace() else sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for sign in begin
    )


def whole_text(document: str) -> str:
    """The text of a document, if every sign of it can be seen."""
    unfit = _UNFIT.search(document)
    if unfit is not None:
        raise _unseen(unfit[0], document.count("\n", 0, unfit.start()) + 1)
    return document


def text(value: str, line: int | None = None) -> str:
    """A text in a document: short enough, and every sign of it can be seen."""
    if len(value) > MAX_TEXT:
        raise Problem(f"a text has {len(value):,} characters and may have {MAX_TEXT:,}; shorten it", line)
    unfit = _UNFIT.search(value)
    if unfit is not None:
        raise _unseen(unfit[0], line)
    return value


def _unseen(sign: str, line: int | None) -> Problem:
    return Problem(f"the character U+{ord(sign):04X} cannot be seen and is not read; remove it", line)


def twice(key: str, line: int | None = None) -> Problem:
    """The refusal of a key that stands twice in one map."""
    return Problem(
        f"the key `{excerpt(key)}` stands twice, and a key is given once; remove one of the two", line
    )


def integer(digits: str, line: int | None = None) -> int:
    """A whole number of bounded length."""
    return int(_number(digits, line))


def decimal(digits: str, line: int | None = None) -> float:
    """A finite number of bounded length."""
    number = float(_number(digits, line))
    if not math.isfinite(number):
        refuse_infinite(digits, line)
    return number


def refuse_infinite(word: str, line: int | None = None) -> NoReturn:
    """Refuse what is written like a number and is none."""
    raise Problem(
        f"`{excerpt(word)}` is no finite number, and only those are read; write a number, or text in quotes",
        line,
    )


def _number(digits: str, line: int | None) -> str:
    if sum(map(str.isdigit, digits)) > MAX_DIGITS:
        raise Problem(
            f"{excerpt(digits, 20)} has more than {MAX_DIGITS} digits; shorten it, or write it in quotes",
            line,
        )
    return digits
