"""The page that lists every finding code, written from the table that the code itself uses."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from impossible_moments.mechanics.codes import CODES

INTRODUCTION: Final = """\
# Finding codes

This page is generated; do not edit it. `python -m impossible_moments.mechanics.codes_page > docs/findings.md`
writes it anew from the table in `mechanics/codes.py`.

A finding has a code, a place in the record (`/actions/undo/when/edge_fits`), a sentence, what was found, and
what would be right. A code names one rule for ever: it may be retired, and it is never given another meaning.

- An **error** refuses the record.
- A **warning** asks a person to look, and the record is accepted.
- A **note** only informs.

Where the errors of reading (lines, names, units, types) leave nothing to compute, `im verify` ends with status 2; where
the record was computed and something does not hold, with status 5.
"""

# the first word of a code, and the heading it stands under
AREAS: Final = (
    ("The document", ("document", "shape")),
    ("Lines, names and units", ("line", "name", "unit")),
    ("Quantities and expressions", ("quantity", "range", "assumed", "state", "expression", "dimension", "property", "literal", "agreement", "value")),
    ("Things, roles and actions", ("thing", "role", "action", "condition")),
    ("Rates, dangers, goal and deadline", ("rate", "never", "premise", "deadline", "goal")),
    ("Approaches and their execution", ("plan", "approach", "insight", "timing")),
    ("Puzzles", ("puzzle",)),
    ("Scale, misdirection, missing component, frontier", ("scale", "misdirection", "missing", "frontier")),
    ("Status, search and proof", ("status", "proof", "search", "cover")),
    ("Prose", ("prose",)),
)  # fmt: skip


def codes_page() -> str:
    """The whole page, as Markdown."""
    return "\n".join([INTRODUCTION, *_sections()])


def _sections() -> Iterator[str]:
    placed = {word for _, words in AREAS for word in words}
    others = tuple(dict.fromkeys(word for word in map(_first_word, CODES) if word not in placed))
    for heading, words in (*AREAS, ("Others", others)):
        rows = [_row(code) for code in CODES if _first_word(code) in words]
        if rows:
            yield "\n".join([f"## {heading}", "", "| code | weight | rule |", "|---|---|---|", *rows, ""])


def _first_word(code: str) -> str:
    return code.partition(".")[0]


def _row(code: str) -> str:
    weight, rule = CODES[code]
    escaped = rule.replace("|", "\\|")
    return f"| `{code}` | {weight} | {escaped} |"


if __name__ == "__main__":
    sys.stdout.write(codes_page())
