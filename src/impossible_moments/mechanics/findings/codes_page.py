"""Documentation page of all finding codes, generated from the table in `codes`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from impossible_moments.mechanics.findings.codes import CODES

INTRODUCTION: Final = """\
# Finding codes

This page is generated; do not edit it. `python -m impossible_moments.mechanics.findings.codes_page > docs/findings.md`
regenerates it from the table in `mechanics/findings/codes.py`.

A finding has a code, a place in the record (`/actions/undo/when/edge_fits`), a sentence, the text that was
found, and a correct example. A code always stands for the same rule. It may be retired, but its meaning never
changes.

- An **error** rejects the record.
- A **warning** asks a person to review it. The record is still accepted.
- A **note** only informs.

`im verify` exits with status 2 if the record cannot be computed because of errors in lines, names, units or
types. It exits with status 5 if the record was computed and a rule is broken.
"""

# heading, and the first words of the codes listed under it
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
    ("What readers notice: text, key and everyday ideas", ("text", "key", "idea")),
)  # fmt: skip


def render_codes_page() -> str:
    """Return the page in Markdown."""
    return "\n".join([INTRODUCTION, *_render_sections()])


def _render_sections() -> Iterator[str]:
    placed = {word for _, words in AREAS for word in words}
    others = tuple(dict.fromkeys(word for word in map(_extract_code_area, CODES) if word not in placed))
    for heading, words in (*AREAS, ("Others", others)):
        rows = [_render_code_row(code) for code in CODES if _extract_code_area(code) in words]
        if rows:
            yield "\n".join([f"## {heading}", "", "| code | weight | rule |", "|---|---|---|", *rows, ""])


def _extract_code_area(code: str) -> str:
    return code.partition(".")[0]


def _render_code_row(code: str) -> str:
    weight, rule = CODES[code]
    escaped = rule.replace("|", "\\|")
    return f"| `{code}` | {weight} | {escaped} |"


if __name__ == "__main__":
    sys.stdout.write(render_codes_page())
