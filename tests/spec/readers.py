"""Who a cell of the specification's isolation matrix lets read."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.domain.content_labels import ContentLabel
from impossible_moments.domain.vocabulary import ROLES, Phase
from spec.transcribed import table

COLUMNS: Final = {
    Phase.SEED: "Phase 1 (SEED)",
    Phase.VALIDATE: "Phase 2 (VALIDATE)",
    Phase.GROUND: "Phase 3 (GROUND)",
    Phase.CLASSIFY: "Phase 4 (CLASSIFY)",
    Phase.REFINE: "Phase 5 (REFINE)",
    Phase.DOCUMENT: "Phase 6 (DOCUMENT)",
}
_READ: Final = re.compile(r"(?P<who>[A-Z, ]+) (?:creates|sees?|has)(?: \(after voting\))?")


def readers(cell: str) -> frozenset[str]:
    """The agents that a cell names as readers."""
    # "They have": each its own, as its author, and neither the other's (key isolation point 2)
    if cell in {"--", "They have"} or cell.endswith(": NO"):
        return frozenset()
    found = _READ.fullmatch(cell)
    assert found is not None, cell
    return frozenset(ROLES if found["who"] == "ALL" else found["who"].split(", "))


def transcribed() -> dict[tuple[ContentLabel, Phase], frozenset[str]]:
    """The whole matrix as it is written down."""
    return {
        (ContentLabel(row["Content"]), phase): readers(row[column])
        for row in [*table("isolation_matrix"), *table("further_contents")]
        for phase, column in COLUMNS.items()
    }
