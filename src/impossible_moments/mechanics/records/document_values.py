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
_FORBIDDEN_CHARACTERS: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)


class DocumentProblem(Exception):
    """Reason why a document is rejected, without the name of the document."""

    def __init__(self, message: str, line: int | None = None, *, syntax: bool = False) -> None:
        super().__init__(message)
        self.what, self.line, self.syntax = message, line, syntax

    def format_message(self, name: str) -> str:
        """Return the message for the author of the document `name`."""
        return f"{format_short_text(name, 60) or 'the document'}{f', line {self.line}' if self.line else ''}: {self.what}."


def describe_data_type(value: object) -> str:
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


def format_short_text(text: str, most: int = 40) -> str:
    """Return a text on one line, with unprintable characters replaced, and at most `most` characters long."""
    begin = text[:most] if len(text) <= most else f"{text[: most - 3]}..."
    return "".join(
        " " if sign.isspace() else sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for sign in begin
    )


def check_document_text(document: str) -> str:
    """Return the text of a document. Raise `DocumentProblem` if it contains an invisible character."""
    forbidden = _FORBIDDEN_CHARACTERS.search(document)
    if forbidden is not None:
        raise _make_invisible_character_problem(forbidden[0], document.count("\n", 0, forbidden.start()) + 1)
    return document


def check_text_value(value: str, line: int | None = None) -> str:
    """Return a text value. Raise `DocumentProblem` if it is too long or contains an invisible character."""
    if len(value) > MAX_TEXT:
        raise DocumentProblem(
            f"a text has {len(value):,} characters; at most {MAX_TEXT:,} are allowed; shorten it", line
        )
    forbidden = _FORBIDDEN_CHARACTERS.search(value)
    if forbidden is not None:
        raise _make_invisible_character_problem(forbidden[0], line)
    return value


def _make_invisible_character_problem(sign: str, line: int | None) -> DocumentProblem:
    return DocumentProblem(f"the invisible character U+{ord(sign):04X} is not allowed; remove it", line)


def make_duplicate_key_problem(key: str, line: int | None = None) -> DocumentProblem:
    """Return the error for a key that occurs twice in one map."""
    return DocumentProblem(
        f"the key `{format_short_text(key)}` occurs twice in one map; remove one of the two", line
    )


def parse_integer(digits: str, line: int | None = None) -> int:
    """Parse a whole number of at most `MAX_DIGITS` digits."""
    return int(_check_digit_count(digits, line))


def parse_decimal(digits: str, line: int | None = None) -> float:
    """Parse a finite number of at most `MAX_DIGITS` digits."""
    number = float(_check_digit_count(digits, line))
    if not math.isfinite(number):
        reject_infinite_number(digits, line)
    return number


def reject_infinite_number(word: str, line: int | None = None) -> NoReturn:
    """Raise `DocumentProblem` for a number that is infinite or nan."""
    raise DocumentProblem(
        f"`{format_short_text(word)}` is not a finite number; write a finite number, or text in quotes",
        line,
    )


def _check_digit_count(digits: str, line: int | None) -> str:
    if sum(map(str.isdigit, digits)) > MAX_DIGITS:
        raise DocumentProblem(
            f"{format_short_text(digits, 20)} has more than {MAX_DIGITS} digits; shorten it, or put it in quotes",
            line,
        )
    return digits
