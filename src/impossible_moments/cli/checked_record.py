"""Result of checking one record file with `im verify`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from impossible_moments.mechanics.checks import CheckReport


@dataclass(frozen=True)
class CheckedRecord:
    """File with its report, or with the reason why it could not be read."""

    path: Path
    report: CheckReport | None
    problem: str = ""
