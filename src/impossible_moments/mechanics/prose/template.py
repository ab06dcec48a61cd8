"""Parser of prose templates into pieces: plain text, placeholders and malformed placeholders.

The text is untrusted. The scanner looks at each brace once, and at most one placeholder length after it, so
its running time is linear in the length of the text.
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
class TemplatePiece:
    """A piece of a template. `raw` is its text as written."""

    start: int
    raw: str

    @property
    def end(self) -> int:
        """Position after the piece."""
        return self.start + len(self.raw)


@dataclass(frozen=True, slots=True)
class PlainText(TemplatePiece):
    """Text that is printed as it is written."""


@dataclass(frozen=True, slots=True)
class ThingLabel(TemplatePiece):
    """Placeholder `{thing:crate}`, which prints the label of a thing."""

    thing: str


@dataclass(frozen=True, slots=True)
class SaidNumber(TemplatePiece):
    """Placeholder `{say:1943}`, a number that is not part of the mechanics."""

    text: str


@dataclass(frozen=True, slots=True)
class ShownValue(TemplatePiece):
    """Placeholder `{rim|m|2}`, which prints a value in a unit or form with 2 significant digits."""

    name: str
    form: str
    digits: int | None


@dataclass(frozen=True, slots=True)
class MalformedPlaceholder(TemplatePiece):
    """Braces that are not a valid placeholder, with the reason."""

    problem: str
    expected: str = FORMS


AnyTemplatePiece: TypeAlias = PlainText | ThingLabel | SaidNumber | ShownValue | MalformedPlaceholder

_BRACES: Final = re.compile(rf"\{{[^{{}}]{{0,{LONGEST_PLACEHOLDER - 2}}}\}}|[{{}}]")
_BRACE: Final = re.compile(r"[{}]")


def parse_template(text: str) -> Iterator[AnyTemplatePiece]:
    """Yield the pieces of a template in order. Their `raw` texts joined give the template."""
    position = 0
    while (match := _BRACES.search(text, position)) is not None:
        if match.start() > position:
            yield PlainText(position, text[position : match.start()])
        piece = _parse_piece(text, match.start(), match.group())
        yield piece
        position = piece.end
    if position < len(text):
        yield PlainText(position, text[position:])


def _parse_piece(text: str, start: int, raw: str) -> AnyTemplatePiece:
    if raw == "}":
        return MalformedPlaceholder(start, raw, "a closing brace without an opening brace")
    if raw == "{":
        return _make_malformed_piece(text, start)
    return _parse_placeholder(start, raw)


def _make_malformed_piece(text: str, start: int) -> MalformedPlaceholder:
    following = _BRACE.search(text, start + 1)
    if following is not None and following.group() == "}":
        return MalformedPlaceholder(
            start,
            text[start : following.end()],
            f"a placeholder may have at most {LONGEST_PLACEHOLDER} characters",
        )
    if following is not None and (end := _find_balanced_end(text, start)) is not None:
        return MalformedPlaceholder(start, text[start:end], "braces must not be nested")
    return MalformedPlaceholder(start, "{", "an opening brace that is not closed")


def _find_balanced_end(text: str, start: int) -> int | None:
    """Return the position after the matching closing brace, or None if it is too far away."""
    depth = 0
    for match in _BRACE.finditer(text, start, start + LONGEST_PLACEHOLDER):
        depth += 1 if match.group() == "{" else -1
        if not depth:
            return match.end()
    return None


def _parse_placeholder(start: int, raw: str) -> AnyTemplatePiece:
    body = raw[1:-1].strip()
    head, colon, rest = (part.strip() for part in body.partition(":"))
    if not body:
        return MalformedPlaceholder(start, raw, "an empty placeholder")
    if colon and head in {"thing", "say"} and not rest:
        return MalformedPlaceholder(start, raw, f"nothing follows `{head}:`")
    if colon and head == "thing":
        return ThingLabel(start, raw, rest)
    if colon and head == "say":
        return SaidNumber(start, raw, rest)
    return _parse_value_placeholder(start, raw, [part.strip() for part in body.split("|")])


def _parse_value_placeholder(start: int, raw: str, parts: list[str]) -> ShownValue | MalformedPlaceholder:
    name = parts[0]
    match parts:
        case [_]:
            return ShownValue(start, raw, name, "", None)
        case [_, form]:
            return ShownValue(start, raw, name, form, None)
        case [_, form, digits] if len(digits) == 1 and digits in "123456":
            return ShownValue(start, raw, name, form, int(digits))
        case [_, form, digits]:
            return MalformedPlaceholder(
                start,
                raw,
                f"`{digits}` is not a number of significant digits from 1 to {MOST_DIGITS}",
                f"{{{name}|{form}|2}}",
            )
        case _:
            return MalformedPlaceholder(
                start, raw, "a placeholder may have only a name, a unit or form, and a number of digits"
            )
