"""Check for table labels and cells that say nothing to a reader."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.mechanics.content.scenario_texts import PublicText, TableRow
from impossible_moments.mechanics.findings.finding import Findings

_EMPTY_CELL: Final = re.compile(
    r"(?:none|nothing|not)(?: (?:is|are))? (?:stated|given|specified|known|applicable)|unspecified|not stated|met by nothing else|"
    r"an? (?:object|thing|person|place|rule|boundary|substance)|an? (?:ordinary|average|normal|typical) (?:adult|person|human|body)(?: .{0,20})?|"
    r"as usual|as stated|various|see (?:text|above|narrative)|default",
    re.IGNORECASE,
)
_PRONOUN_SUBJECT: Final = re.compile(
    r"^(?:time|share|size|number|amount|way|pace|mass|cost|price|how (?:many|much|far|long)|settings?|places?|people|least|most|work|money)\b"
    r".*\b(?:it|them|one|a single one|each of them|each one|another|those|that|the other|the others|either)$"
    r"|^(?:it|they|those|each (?:of them|one|takes)|putting (?:it|something)|setting it|making it|telling (?:him|her|them)|"
    r"carrying it|trying it|doing it|doing without|relying on it)\b.*"
    r"|.*\b(?:that it (?:carries over|takes|needs|asks for|can give)|by which (?:one|it|they) may be (?:off|apart)|"
    r"of a single one|of the one|the one|among many, to that of one alone)$",
    re.IGNORECASE,
)


def check_table_labels(text: PublicText, findings: Findings) -> None:
    """Report cells without content, and labels whose subject is a pronoun."""
    for row in text.rows:
        _check_cells(row, findings)
        if row.table != "objects" and _PRONOUN_SUBJECT.search(row.label.strip()):
            findings.add(
                "text.label-vague",
                f"/prose/{row.table}",
                f"the label `{row.label}` does not say what is meant",
                found=row.text,
                expected="a label that names the thing: `Time to inspect one dyke` instead of `Time to look into each of them`",
            )


def _check_cells(row: TableRow, findings: Findings) -> None:
    for cell in row.cells:
        if _EMPTY_CELL.fullmatch(cell.strip().rstrip(".")):
            findings.add(
                "text.cell-empty",
                f"/prose/{row.table}",
                f"the cell `{cell.strip()}` of `{row.label}` says nothing",
                found=row.text,
                expected="a fact about this scenario, or no row",
            )
