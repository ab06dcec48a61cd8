"""Limits of documents, and checks of the texts and numbers in them."""

from __future__ import annotations

import math
import re
from typing import Final, NoReturn

MAX_BYTES: Final = 512 * 1024
MAX_PARTS: Final = 20_000
MAX_DEPTH: Final = 24
MAX_TEXT: Final = 64 * 1024
MAX_DIGITS: Final = 40

# control characters, surrogates, and characters that reorder text, so that a reviewer sees what is parsed
_UNFIT: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)


class Problem(Exception):
    """Reason why a document is rejected, without the name of the document."""

    def __init__(self, what: str, line: int | None = None, *, syntax: bool = False) -> None:
        super().__init__(what)
        self.what, self.line, self.syntax = what, line, syntax

    def sentence(self, name: str) -> str:
        """Return the message for the author of the document `name`."""
        return (
            f"{excerpt(name, 60) or 'the document'}{f', line {self.line}' if self.line else ''}: {self.what}."
        )


def in_words(value: object) -> str:
    """Describe the type of a value in words for the author of a document."""
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
            return "not plain data"


def excerpt(text: str, most: int = 40) -> str:
    """Return a text on one line, with unprintable characters replaced, and at most `most` characters long."""
    begin = text[:most] if len(text) <= most else f"{text[: most - 3]}..."
    return "".join(
        " " if sign.isspace() else sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for sign in begin
    )


def whole_text(document: str) -> str:
    """Return the text of a document. Raise `DocumentProblem` if it contains an invisible character."""
    unfit = _UNFIT.search(document)
    if unfit is not None:
        raise _unseen(unfit[0], document.count("\n", 0, unfit.start()) + 1)
    return document


def text(value: str, line: int | None = None) -> str:
    """Return a text value. Raise `DocumentProblem` if it is too long or contains an invisible character."""
    if len(value) > MAX_TEXT:
        raise Problem(
            f"a text has {len(value):,} characters; at most {MAX_TEXT:,} are allowed; shorten it", line
        )
    unfit = _UNFIT.search(value)
    if unfit is not None:
        raise _unseen(unfit[0], line)
    return value


def _unseen(sign: str, line: int | None) -> Problem:
    return Problem(f"the invisible character U+{ord(sign):04X} is not allowed; remove it", line)


def twice(key: str, line: int | None = None) -> Problem:
    """Return the error for a key that occurs twice in one map."""
    return Problem(f"the key `{excerpt(key)}` occurs twice in one map; remove one of the two", line)


def integer(digits: str, line: int | None = None) -> int:
    """Parse a whole number of at most `MAX_DIGITS` digits."""
    return int(_number(digits, line))


def decimal(digits: str, line: int | None = None) -> float:
    """Parse a finite number of at most `MAX_DIGITS` digits."""
    number = float(_number(digits, line))
    if not math.isfinite(number):
        refuse_infinite(digits, line)
    return number


def refuse_infinite(word: str, line: int | None = None) -> NoReturn:
    """Raise `DocumentProblem` for a number that is infinite or nan."""
    raise Problem(
        f"`{excerpt(word)}` is not a finite number; write a finite number, or text in quotes",
        line,
    )


def _number(digits: str, line: int | None) -> str:
    if sum(map(str.isdigit, digits)) > MAX_DIGITS:
        raise Problem(
            f"{excerpt(digits, 20)} has more than {MAX_DIGITS} digits; shorten it, or put it in quotes",
            line,
        )
    return digits
