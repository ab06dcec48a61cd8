"""The threat of a scenario: what must be reached and by when, and the rules that are listed below it."""

from __future__ import annotations

from typing import Final

_MARK: Final = "- "


def separate_rules(threat: str) -> tuple[str, tuple[str, ...]]:
    """Return the statement of a threat, and its listed rules without their marks."""
    lines = threat.splitlines()
    rules = tuple(line.removeprefix(_MARK).strip() for line in lines if line.startswith(_MARK))
    statement = "\n".join(line for line in lines if not line.startswith(_MARK)).strip()
    return statement, rules
