"""Markdown as our documents use it, with the words of others made harmless.

Whoever writes a text that is published here may be a language model. Its words are shown, and do nothing: no HTML,
no link or picture, no heading that could be taken for one of ours, no fence that swallows what follows, no sign that
a reader cannot see.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

OWN_LEVELS: Final = 4
"""The headings our forms use; a heading inside a text lies below them."""
DEEPEST: Final = 6
NOTHING: Final = "—"
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_TAG: Final = re.compile(r"<(?=[A-Za-z/!?])")
_LINK: Final = re.compile(r"(?<!\\)\](?=\()")
_DEFINITION: Final = re.compile(r"^\s*\[(?=[^\]]*\]:)")
_HEADING: Final = re.compile(r"^\s{0,3}(#{1,6})(?=\s|$)")
_FENCE: Final = re.compile(r"^(\s*)(?=```|~~~)")
_UNDERLINE: Final = re.compile(r"^(\s*)(?=(?:=+|-+)\s*$)")


def block(text: str) -> str:
    """Paragraphs of a text of others."""
    lines = [_line(line) for line in _seen(text).split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def inline(text: str) -> str:
    """A text of others as one line, for a list, a heading or a cell."""
    one = " ".join(_seen(text).split())
    return re.sub(r"^(?=[#>]|```|~~~)", r"\\", _harmless(one))


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A pipe table; cells may hold anything. Without rows there is a row that says so."""
    found = [[_cell(each) for each in row] for row in rows] or [[NOTHING] * len(heads)]
    lines = [heads, ["---"] * len(heads), *found]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def bullets(items: Iterable[object], *, otherwise: str = NOTHING) -> str:
    """A list; without items the word for it."""
    return "\n".join(f"- {inline(str(item))}" for item in items) or f"- {otherwise}"


def numbered(items: Iterable[object], *, otherwise: str = NOTHING) -> str:
    """A numbered list; without items the word for it."""
    return "\n".join(f"{at}. {inline(str(item))}" for at, item in enumerate(items, 1)) or otherwise


def joined(*parts: str) -> str:
    """Parts that are not empty, a blank line between them."""
    return "\n\n".join(part for part in parts if part)


def _cell(value: object) -> str:
    return inline(str(value)).replace("|", r"\|") or NOTHING


def _seen(text: str) -> str:
    """The text without what nobody sees: control, format and unassigned characters."""
    text = re.sub(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]", "\n", text).replace("\t", " ")
    return "".join(sign for sign in text if sign == "\n" or unicodedata.category(sign) not in _UNSEEN)


def _line(line: str) -> str:
    heading = _HEADING.match(line)
    if heading is not None:
        level = min(len(heading[1]) + OWN_LEVELS, DEEPEST)
        return f"{'#' * level}{_harmless(line[heading.end() :]).rstrip()}"
    line = _FENCE.sub(r"\1\\", line)
    line = _UNDERLINE.sub(r"\1\\", line)
    return _harmless(_DEFINITION.sub(r"\\[", line)).rstrip()


def _harmless(text: str) -> str:
    return _LINK.sub(r"]\\", _TAG.sub("&lt;", text))
