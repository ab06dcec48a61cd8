"""The size of the sections of a record, as GALILEO counts them."""

from __future__ import annotations

from impossible_moments.domain.seed import SeedDocument


def count_record_lines(seed: SeedDocument, section: str) -> int:
    """Return how many lines a section of the record has, whether it is one text or a list."""
    lines = seed.mechanics.get(section)
    return sum(bool(line.strip()) for line in (lines.splitlines() if isinstance(lines, str) else lines or ()))
