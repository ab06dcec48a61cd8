"""Checks of what readers notice, for a record alone: its public text and the texts that its key is made from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.mechanics.checks.extreme_margins import check_extreme_margins
from impossible_moments.mechanics.checks.hidden_thresholds import check_hidden_thresholds
from impossible_moments.mechanics.checks.plan_orders import check_claimed_orders
from impossible_moments.mechanics.checks.safe_plans import check_safe_plans
from impossible_moments.mechanics.checks.status import StatusVerdict
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.content import KeyText, PublicText, check_public_text, parse_table_rows
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language.units import UnitError
from impossible_moments.mechanics.prose import PlaceholderError, ProseRequirements, render_prose
from impossible_moments.mechanics.records.lines import LineError, parse_line
from impossible_moments.mechanics.records.record import Record

FEWEST_WORDS: Final = 60
"""A shorter narrative is a sketch or an example, and not yet a text for readers."""
_TABLES: Final = ("environment", "objects", "capabilities")


def check_content(
    analysis: WorldAnalysis, verdict: StatusVerdict, requirements: ProseRequirements, findings: Findings
) -> None:
    """Check the public text of a record, and what its status claims about the plans."""
    record = analysis.world.record
    check_extreme_margins(analysis, findings)
    check_claimed_orders(analysis, verdict, list_record_key_texts(record), findings)
    text = read_public_text(record, requirements)
    if text is not None and len(text.narrative.split()) >= FEWEST_WORDS:
        check_public_text(text, findings)
        check_hidden_thresholds(analysis, record.prose, requirements, findings)
        check_safe_plans(analysis, verdict, text.whole, findings)


def read_public_text(record: Record, requirements: ProseRequirements) -> PublicText | None:
    """Return the public text of a record with all values filled in, or None if a placeholder is faulty."""
    try:
        prose = render_prose(record.prose, requirements)
    except (PlaceholderError, UnitError):
        return None  # the check of the prose reports it
    names = record.wording.names if record.wording is not None else []
    return PublicText(
        prose.get("narrative", ""),
        prose.get("threat", ""),
        prose.get("position", ""),
        tuple(row for table in _TABLES for row in parse_table_rows(table, prose.get(table, ""))),
        (record.title, *requirements.labels.values(), *(name.partition("=")[2] for name in names)),
    )


def list_record_key_texts(record: Record) -> tuple[KeyText, ...]:
    """Return the texts of a record that become part of its key: insights, and reasons of approaches."""
    return (
        *_iterate_insights(record),
        *(KeyText(f"/approaches/{each.name}/why", each.why) for each in record.approaches),
    )


def _iterate_insights(record: Record) -> Iterator[KeyText]:
    for number, line in enumerate(record.insights):
        try:
            yield KeyText(f"/insights/{number}", parse_line(line, example="", evidence=False).body)
        except LineError:
            continue  # the check of approaches reports it
