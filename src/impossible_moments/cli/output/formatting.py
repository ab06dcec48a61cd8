"""Output helpers of all commands: escaped text, times and JSON."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import Final

from rich.markup import escape

_HOUR: Final = 3600.0
_DAY_HOURS: Final = 48


def escape_for_terminal(text: object) -> str:
    """Return text with rich markup and control characters escaped, so that it is safe to print."""
    return escape(escape_control_characters(str(text)))


def escape_control_characters(text: str) -> str:
    """Return the text with every non-printable character except line breaks written as an escape sequence."""
    return "".join(
        each if each.isprintable() or each == "\n" else ascii(each)[1:-1]
        for each in text.replace("\r\n", "\n")
    )


def format_utc_time(seconds: float) -> str:
    """Return a Unix time as an ISO 8601 string in UTC."""
    return datetime.fromtimestamp(seconds, tz=UTC).isoformat(timespec="seconds")


def format_time_span(seconds: float) -> str:
    """Return a time span in whole hours, or in whole days above 48 hours. The sign is ignored."""
    count = int(abs(seconds) // _HOUR)
    if count == 0:
        return "less than an hour"
    return f"{count} h" if count <= _DAY_HOURS else f"{count // 24} days"


def print_json(data: object) -> None:
    """Print data as one indented JSON document on standard output."""
    json.dump(data, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")
