"""All checks of the prose against its record."""

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


def check_prose(prose: ProseForm, requirements: Tie, findings: Findings) -> None:
    """Check the prose against its record, and add a finding for every difference."""
    parts = parts_of(prose)
    for part in parts:
        check_placeholders(part, requirements, findings)
        check_numbers(part, requirements, findings)
        check_leaks(part, findings)
        note_said(part, requirements, findings)
    check_labels(
        {
            thing: requirements.labels[thing]
            for thing in requirements.must_name
            if thing in requirements.labels
        },
        findings,
    )
    check_unknown_things(parts, requirements, findings)
    check_named(parts, requirements, findings)
    check_stated(parts, requirements, findings)
    check_disputed(parts, requirements, findings)
    check_quotes(parts, requirements, findings)
    check_nevers(requirements, findings)
