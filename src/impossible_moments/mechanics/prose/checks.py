"""The prose held to its record."""

from __future__ import annotations

from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.prose.labels import check_labels
from impossible_moments.mechanics.prose.owed import check_disputed, check_named, check_stated
from impossible_moments.mechanics.prose.parts import parts_of
from impossible_moments.mechanics.prose.quotes import check_nevers, check_quotes
from impossible_moments.mechanics.prose.spoken import (
    check_leaks,
    check_numbers,
    check_placeholders,
    check_unknown_things,
    note_said,
)
from impossible_moments.mechanics.prose.tie import Tie
from impossible_moments.mechanics.record import ProseForm


def check_prose(prose: ProseForm, tie: Tie, findings: Findings) -> None:
    """Add what is wrong between the prose and its record."""
    parts = parts_of(prose)
    for part in parts:
        check_placeholders(part, tie, findings)
        check_numbers(part, tie, findings)
        check_leaks(part, findings)
        note_said(part, tie, findings)
    check_labels({thing: tie.labels[thing] for thing in tie.must_name if thing in tie.labels}, findings)
    check_unknown_things(parts, tie, findings)
    check_named(parts, tie, findings)
    check_stated(parts, tie, findings)
    check_disputed(parts, tie, findings)
    check_quotes(parts, tie, findings)
    check_nevers(tie, findings)
