"""What every command prints by: text of others made harmless, times, and JSON."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import Final

from rich.markup import escape

_HOUR: Final = 3600.0
_DAY_HOURS: Final = 48


def said(text: object) -> str:
    """Text that agents or people wrote, for the terminal: neither markup nor control characters of it act."""
    return escape(visible(str(text)))


def visible(text: str) -> str:
    """The text with every character that prints nothing written out; line breaks stay."""
    return "".join(
        each if each.isprintable() or each == "\n" else ascii(each)[1:-1]
        for each in text.replace("\r\n", "\n")
    )


def utc(seconds: float) -> str:
    """A time as people and programs read it."""
    return datetime.fromtimestamp(seconds, tz=UTC).isoformat(timespec="seconds")


def hours(seconds: float) -> str:
    """A span in whole hours, or in days where it is long."""
    count = int(abs(seconds) // _HOUR)
    if count == 0:
        return "less than an hour"
    return f"{count} h" if count <= _DAY_HOURS else f"{count // 24} days"


def print_json(data: object) -> None:
    """One document on standard output."""
    json.dump(data, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")
