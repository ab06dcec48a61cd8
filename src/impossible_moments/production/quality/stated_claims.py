"""Check that the evaluation documents state claims with content, and that every verdict on them is VALID."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.production.quality.quality_report import QualityCheck, build_check
from impossible_moments.production.quality.released_scenarios import ReleasedScenarios

_SECTION: Final = re.compile(r"^### Physics Validation$(.*?)^### ", re.MULTILINE | re.DOTALL)
_CLAIM_ROW: Final = re.compile(r"^\| (C\d+) \|(.*)\|$", re.MULTILINE)
_CELL_BORDER: Final = re.compile(r"(?<!\\)\|")
_VALID: Final = "VALID:"
_DIGIT: Final = re.compile(r"\d")
_JUDGED: Final = 2
"""The last cells of a row: the verdicts of NEWTON and EULER."""


def check_claims(released: ReleasedScenarios) -> QualityCheck:
    """Read the table of claims of every evaluation document."""
    problems: list[str] = []
    total = 0
    for files in released.sets:
        text = released.read_text(files.evaluation)
        if text is None:
            continue
        section = _SECTION.search(text)
        rows = _CLAIM_ROW.findall(section.group(1)) if section else []
        total += len(rows)
        if section is not None and not rows:
            problems.append(f"{files.evaluation} states no claim")
        for name, row in rows:
            problems += (f"{files.scenario_id} {name}: {problem}" for problem in _find_claim_problems(row))
    return build_check("claims", f"{total} claims with two verdicts each", problems)


def _find_claim_problems(row: str) -> Iterator[str]:
    cells = [cell.strip() for cell in _CELL_BORDER.split(row)]
    claim, verdicts = cells[0], cells[-_JUDGED:]
    if not claim:
        yield "the claim is empty"
    for verdict in verdicts:
        if not verdict.startswith(_VALID):
            yield f"a verdict is not VALID: {verdict[:80] or 'an empty cell'}"
        elif not _DIGIT.search(verdict) and not _DIGIT.search(claim):
            yield f"a verdict states no figure: {verdict[:80]}"
