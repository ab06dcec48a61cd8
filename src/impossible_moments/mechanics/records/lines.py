"""Lines `name = value`, the smallest parts of a record, split from text, lists or maps."""

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
    """Line that does not have the required form."""


def split_lines(value: object, most: int = MAX_LINES) -> list[str]:
    """Return the non-empty lines of a text, a list of texts or a map.

    Raise `LineError` if there are more than `most` lines, or if a line is too long.
    """
    match value:
        case None:
            return []
        case str():
            pieces = [piece for line in value.splitlines() for piece in _split_at_semicolons(line)]
        case Mapping():
            pieces = [
                piece
                for key, item in value.items()
                for piece in split_lines(f"{key} = {_format_line_value(item)}")
            ]
        case list() | tuple():
            pieces = [piece for item in value for piece in _split_list_item(item)]
        case _:
            raise LineError(f"lines must be text, a list of texts or a map; found {type(value).__name__}")
    lines = [piece.strip() for piece in pieces if piece.strip()]
    if len(lines) > most:
        raise LineError(f"a section may have at most {most} lines; this one has {len(lines)}")
    for line in lines:
        if len(line) > MAX_LINE_LENGTH:
            raise LineError(f"a line may have at most {MAX_LINE_LENGTH} characters; this one has {len(line)}")
    return lines


def _split_list_item(item: object) -> list[str]:
    if isinstance(item, str | Mapping):
        return split_lines(item)
    raise LineError(f'a line must be text, as in "rim = 3.6[m]"; found {type(item).__name__}')


def _format_line_value(item: object) -> str:
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, str | int | float):
        return str(item)
    raise LineError(f"the value of a line must be text or a number; found {type(item).__name__}")


def _split_at_semicolons(line: str) -> list[str]:
    """Split a line at each `;` that is followed by a new `name =`, but not inside sentences or quotes."""
    pieces = [""]
    for number, part in enumerate(_split_at_semicolons_outside_quotes(line)):
        if number and not _STARTS_A_LINE.match(part):
            pieces[-1] += ";" + part
        elif number:
            pieces.append(part)
        else:
            pieces[-1] = part
    return pieces


def _split_at_semicolons_outside_quotes(line: str) -> list[str]:
    # a quotation mark may also be an apostrophe: mask only `;` between balanced quotation marks
    masked = _QUOTED.sub(lambda match: match.group().replace(";", "\0"), line) if ";" in line else line
    return [part.replace("\0", ";") for part in masked.split(";")]


@dataclass(frozen=True, slots=True)
class RecordLine:
    """Parts of a line `head = body @ evidence`."""

    head: str
    body: str
    evidence: str


@lru_cache(maxsize=4096)
def parse_line(text: str, *, example: str, evidence: bool = True) -> RecordLine:
    """Split a line at its first single `=` outside quotes, and its evidence at `@` if `evidence` is set.

    Raise `LineError`, with `example` in the message, if the line has no head or no body.
    """
    masked = _QUOTED.sub(lambda match: "q" * len(match.group()), text)
    found = re.search(r"(?<![=<>!])=(?!=)", masked)
    if found is None or not text[: found.start()].strip():
        raise LineError(f"a line must be `name = value`, as in `{example}`")
    head, rest = text[: found.start()].strip(), text[found.end() :]
    body, sign, proof = rest, "", ""
    if evidence:
        at = masked[found.end() :].find("@")
        if at >= 0:
            body, sign, proof = rest[:at], "@", rest[at + 1 :]
    if not body.strip() and not sign:
        raise LineError(f"nothing follows `{head} =`; a line must be `name = value`, as in `{example}`")
    return RecordLine(head, body.strip(), proof.strip())
