"""Template text to its pieces: plain words, placeholders and braces that are none.

The text is untrusted. The scanner looks at each brace once and at no more than a placeholder's length
behind it, so its time grows with the text and with nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

LONGEST_PLACEHOLDER: Final = 120
MOST_DIGITS: Final = 6
FORMS: Final = "{rim|m}, {rim|m|2}, {people|words}, {tol|percent}, {s|plain}, {thing:crate} or {say:1943}"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the template as it is written."""

    start: int
    raw: str

    @property
    def end(self) -> int:
        """Where the next piece begins."""
        return self.start + len(self.raw)


@dataclass(frozen=True, slots=True)
class Plain(Piece):
    """Words that are printed as they stand."""


@dataclass(frozen=True, slots=True)
class Label(Piece):
    """`{thing:crate}`: a thing by its label."""

    thing: str


@dataclass(frozen=True, slots=True)
class Said(Piece):
    """`{say:1943}`: a number that is no mechanics."""

    text: str


@dataclass(frozen=True, slots=True)
class Shown(Piece):
    """`{rim|m|2}`: a value in a unit or form, with so many significant digits."""

    name: str
    form: str
    digits: int | None


@dataclass(frozen=True, slots=True)
class Malformed(Piece):
    """Braces that are no placeholder, and why."""

    problem: str
    expected: str = FORMS


AnyPiece: TypeAlias = Plain | Label | Said | Shown | Malformed

_BRACES: Final = re.compile(rf"\{{[^{{}}]{{0,{LONGEST_PLACEHOLDER - 2}}}\}}|[{{}}]")
_BRACE: Final = re.compile(r"[{}]")


def pieces_of(text: str) -> Iterator[AnyPiece]:
    """The pieces of a template, in order; joined, their `raw` is the template."""
    position = 0
    while (match := _BRACES.search(text, position)) is not None:
        if match.start() > position:
            yield Plain(position, text[position : match.start()])
        piece = _piece(text, match.start(), match.group())
        yield piece
        position = piece.end
    if position < len(text):
        yield Plain(position, text[position:])


def _piece(text: str, start: int, raw: str) -> AnyPiece:
    if raw == "}":
        return Malformed(start, raw, "a closing brace without an opening one")
    if raw == "{":
        return _unreadable(text, start)
    return _placeholder(start, raw)


def _unreadable(text: str, start: int) -> Malformed:
    following = _BRACE.search(text, start + 1)
    if following is not None and following.group() == "}":
        return Malformed(
            start,
            text[start : following.end()],
            f"a placeholder has at most {LONGEST_PLACEHOLDER} characters",
        )
    if following is not None and (end := _balanced_end(text, start)) is not None:
        return Malformed(start, text[start:end], "braces stand singly and not inside each other")
    return Malformed(start, "{", "an opening brace that is not closed")


def _balanced_end(text: str, start: int) -> int | None:
    """Where the brace at `start` is closed, if that is within a placeholder's length."""
    depth = 0
    for match in _BRACE.finditer(text, start, start + LONGEST_PLACEHOLDER):
        depth += 1 if match.group() == "{" else -1
        if not depth:
            return match.end()
    return None


def _placeholder(start: int, raw: str) -> AnyPiece:
    body = raw[1:-1].strip()
    head, colon, rest = (part.strip() for part in body.partition(":"))
    if not body:
        return Malformed(start, raw, "an empty placeholder")
    if colon and head in {"thing", "say"} and not rest:
        return Malformed(start, raw, f"`{head}:` with nothing behind it")
    if colon and head == "thing":
        return Label(start, raw, rest)
    if colon and head == "say":
        return Said(start, raw, rest)
    return _value(start, raw, [part.strip() for part in body.split("|")])


def _value(start: int, raw: str, parts: list[str]) -> Shown | Malformed:
    name = parts[0]
    match parts:
        case [_]:
            return Shown(start, raw, name, "", None)
        case [_, form]:
            return Shown(start, raw, name, form, None)
        case [_, form, digits] if len(digits) == 1 and digits in "123456":
            return Shown(start, raw, name, form, int(digits))
        case [_, form, digits]:
            return Malformed(
                start,
                raw,
                f"`{digits}` is no number of significant digits, which are 1 to {MOST_DIGITS}",
                f"{{{name}|{form}|2}}",
            )
        case _:
            return Malformed(start, raw, "a placeholder has a name, a unit or form, and digits at most")
