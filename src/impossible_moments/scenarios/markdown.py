"""Markdown rendering for published documents, with foreign text escaped.

Foreign text may come from a language model. It is shown without any effect: no HTML, no links or images, no
headings at the levels of our templates, no code fences that hide what follows, and no invisible characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

OWN_LEVELS: Final = 4
"""Heading levels that the templates use. A heading inside foreign text is moved below them."""
DEEPEST: Final = 6
NOTHING: Final = "—"
_INVISIBLE_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_TAG: Final = re.compile(r"<(?=[A-Za-z/!?])")
_LINK: Final = re.compile(r"(?<!\\)\](?=\()")
_DEFINITION: Final = re.compile(r"^\s*\[(?=[^\]]*\]:)")
_HEADING: Final = re.compile(r"^\s{0,3}(#{1,6})(?=\s|$)")
_FENCE: Final = re.compile(r"^(\s*)(?=```|~~~)")
_UNDERLINE: Final = re.compile(r"^(\s*)(?=(?:=+|-+)\s*$)")


def escape_block(text: str) -> str:
    """Escape foreign text as Markdown paragraphs."""
    lines = [_escape_block_line(line) for line in _remove_invisible_characters(text).split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def escape_inline(text: str) -> str:
    """Escape foreign text as one line, for a list item, a heading or a table cell."""
    line = " ".join(_remove_invisible_characters(text).split())
    return re.sub(r"^(?=[#>]|```|~~~)", r"\\", _escape_tags_and_links(line))


def render_table(headers: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a pipe table with escaped cells. Without rows the table has one row of dashes."""
    found = [[_render_table_cell(each) for each in row] for row in rows] or [[NOTHING] * len(headers)]
    lines = [headers, ["---"] * len(headers), *found]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def render_bullet_list(items: Iterable[object], *, empty_text: str = NOTHING) -> str:
    """Return a bullet list; without items its only entry is `empty_text`."""
    return "\n".join(f"- {escape_inline(str(item))}" for item in items) or f"- {empty_text}"


def render_numbered_list(items: Iterable[object], *, empty_text: str = NOTHING) -> str:
    """Return a numbered list, or `empty_text` if there are no items."""
    return "\n".join(f"{at}. {escape_inline(str(item))}" for at, item in enumerate(items, 1)) or empty_text


def join_paragraphs(*parts: str) -> str:
    """Join the parts that are not empty with blank lines."""
    return "\n\n".join(part for part in parts if part)


def _render_table_cell(value: object) -> str:
    return escape_inline(str(value)).replace("|", r"\|") or NOTHING


def _remove_invisible_characters(text: str) -> str:
    """Remove invisible characters: control, format and unassigned characters."""
    text = re.sub(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]", "\n", text).replace("\t", " ")
    return "".join(
        sign for sign in text if sign == "\n" or unicodedata.category(sign) not in _INVISIBLE_CATEGORIES
    )


def _escape_block_line(line: str) -> str:
    """Escape one line of a block: demote headings, and disable fences, underlines and link definitions."""
    heading = _HEADING.match(line)
    if heading is not None:
        level = min(len(heading[1]) + OWN_LEVELS, DEEPEST)
        return f"{'#' * level}{_escape_tags_and_links(line[heading.end() :]).rstrip()}"
    line = _FENCE.sub(r"\1\\", line)
    line = _UNDERLINE.sub(r"\1\\", line)
    return _escape_tags_and_links(_DEFINITION.sub(r"\\[", line)).rstrip()


def _escape_tags_and_links(text: str) -> str:
    """Escape HTML tags and inline links."""
    return _LINK.sub(r"]\\", _TAG.sub("&lt;", text))
