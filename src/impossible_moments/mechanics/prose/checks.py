"""All checks of the prose against its record."""

from __future__ import annotations

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.prose.completeness_checks import (
    check_disputed_ranges,
    check_things_named,
    check_values_stated,
)
from impossible_moments.mechanics.prose.content_checks import (
    check_placeholders,
    check_plain_numbers,
    check_status_leaks,
    check_unknown_things,
    report_numbers_in_say_placeholders,
)
from impossible_moments.mechanics.prose.label_checks import check_labels
from impossible_moments.mechanics.prose.parts import list_prose_parts
from impossible_moments.mechanics.prose.quote_checks import check_never_line_quotes, check_quotes
from impossible_moments.mechanics.prose.requirements import ProseRequirements
from impossible_moments.mechanics.records.record import ProseForm


def check_prose(prose: ProseForm, requirements: ProseRequirements, findings: Findings) -> None:
    """Check the prose against its record, and add a finding for every difference."""
    parts = list_prose_parts(prose)
    for part in parts:
        check_placeholders(part, requirements, findings)
        check_plain_numbers(part, requirements, findings)
        check_status_leaks(part, findings)
        report_numbers_in_say_placeholders(part, requirements, findings)
    check_labels(
        {
            thing: requirements.labels[thing]
            for thing in requirements.must_name
            if thing in requirements.labels
        },
        findings,
    )
    check_unknown_things(parts, requirements, findings)
    check_things_named(parts, requirements, findings)
    check_values_stated(parts, requirements, findings)
    check_disputed_ranges(parts, requirements, findings)
    check_quotes(parts, requirements, findings)
    check_never_line_quotes(requirements, findings)
