"""Lines: the small facts of a record, `name = value`, read from text, lists or maps and written one way."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

MAX_LINES: Final = 400
MAX_LINE_LENGTH: Final = 1_200

_STARTS_A_LINE: Final = re.compile(r"\s*+[A-Za-z_][\w.]*+\s*+(?:\([^()]*+\)\s*+)?=(?!=)|\s*+$")
_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"")


class LineError(ValueError):
    """A line that does not have the form its place asks for."""


def split_lines(value: object, most: int = MAX_LINES) -> list[str]:
    """The lines of a block of text, a list of lines or a map, none of them empty, `most` at most."""
    match value:
        case None:
            return []
        case str():
            pieces = [piece for line in value.splitlines() for piece in _at_semicolons(line)]
        case Mapping():
            pieces = [
                piece for key, item in value.items() for piece in split_lines(f"{key} = {_spelled(item)}")
            ]
        case list() | tuple():
            pieces = [piece for item in value for piece in _lines_of(item)]
        case _:
            raise LineError(f"lines are text, a list of texts or a map; found {type(value).__name__}")
    lines = [piece.strip() for piece in pieces if piece.strip()]
    if len(lines) > most:
        raise LineError(f"a section has at most {most} lines, this one has {len(lines)}")
    for line in lines:
        if len(line) > MAX_LINE_LENGTH:
            raise LineError(f"a line has at most {MAX_LINE_LENGTH} characters, this one has {len(line)}")
    return lines


def _lines_of(item: object) -> list[str]:
    if isinstance(item, str | Mapping):
        return split_lines(item)
    raise LineError(f'a line is text, as in "rim = 3.6[m]"; found {type(item).__name__}')


def _spelled(item: object) -> str:
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, str | int | float):
        return str(item)
    raise LineError(f"a line's value is text or a number; found {type(item).__name__}")


def _at_semicolons(line: str) -> list[str]:
    """The line cut at each `;` behind which a new line starts; a `;` inside a sentence or quote stays."""
    pieces = [""]
    for number, part in enumerate(_outside_quotes_split(line)):
        if number and not _STARTS_A_LINE.match(part):
            pieces[-1] += ";" + part
        elif number:
            pieces.append(part)
        else:
            pieces[-1] = part
    return pieces


def _outside_quotes_split(line: str) -> list[str]:
    # a quotation mark may be an apostrophe in a source: only balanced quotes without `;` start count
    masked = _QUOTED.sub(lambda match: match.group().replace(";", "\0"), line) if ";" in line else line
    return [part.replace("\0", ";") for part in masked.split(";")]


@dataclass(frozen=True, slots=True)
class Line:
    """`head = body @ evidence`."""

    head: str
    body: str
    evidence: str


@lru_cache(maxsize=4096)
def split_line(text: str, *, example: str, evidence: bool = True) -> Line:
    """The parts of a line; the first single `=` outside quotes divides it."""
    masked = _QUOTED.sub(lambda match: "q" * len(match.group()), text)
    found = re.search(r"(?<![=<>!])=(?!=)", masked)
    if found is None or not text[: found.start()].strip():
        raise LineError(f"a line is `name = value`, as in `{example}`")
    head, rest = text[: found.start()].strip(), text[found.end() :]
    body, sign, proof = rest, "", ""
    if evidence:
        at = masked[found.end() :].find("@")
        if at >= 0:
            body, sign, proof = rest[:at], "@", rest[at + 1 :]
    if not body.strip() and not sign:
        raise LineError(f"nothing stands after `{head} =`; a line is `name = value`, as in `{example}`")
    return Line(head, body.strip(), proof.strip())
