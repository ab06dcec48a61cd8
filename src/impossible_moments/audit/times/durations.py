"""Parser of durations in tables and prose: `1 min 25 s`, `9:30 min`, `5-15 min`, `~2 hours`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from impossible_moments.audit.numbers.amounts import Amount, find_amounts, parse_amount_at
from impossible_moments.audit.numbers.equations import normalize_math_text
from impossible_moments.mechanics.language import PLAIN, TIME
from impossible_moments.mechanics.numbers import RANGE_MARK

_CLOCK: Final = r"(\d{1,3}):(\d{2})(?::(\d{2}))?"
_CLOCKS: Final = re.compile(
    rf"~?\s*{_CLOCK}(?:\s?{RANGE_MARK}\s?{_CLOCK})?\s?(min(?:utes)?|hours?|hrs?|h|s(?:ec)?)?\b(?!\s?[AaPp]\.?[Mm])"
)
_UNBOUNDED: Final = re.compile(
    r"several|few|many|ongoing|varies|indefinite|\+\s*$|\d\+|or more|until|as needed", re.IGNORECASE
)
_PER_ITEM: Final = re.compile(
    r"\b(?:per|each|every|included|concurrent|parallel|simultaneous|overlap|same time|meanwhile|background|during|while|passive|after)\b",
    re.IGNORECASE,
)
_JOINING_TEXT: Final = re.compile(r"\s?|,?\s(?:and\s)?")
MINUTE: Final = 60.0
HOUR: Final = 3600.0


@dataclass(frozen=True, slots=True)
class Duration:
    """Duration range in seconds with its printed precision and tolerance."""

    low: float
    high: float
    half_step: float
    tolerance: float = 0.0

    @property
    def is_range(self) -> bool:
        """Whether two ends are printed."""
        return self.low != self.high

    def __str__(self) -> str:
        return (
            format_seconds(self.low)
            if not self.is_range
            else f"{format_seconds(self.low)} to {format_seconds(self.high)}"
        )


def parse_duration(cell: str, *, clock_unit: float = 0.0) -> Duration | None:
    """Parse the duration of a table cell. Return None if it is missing or unclear.

    `clock_unit` is the unit, in seconds, of the first part of a clock time such as 0:45.
    """
    text = re.sub(r"\([^()]*\)", "", normalize_math_text(cell)).strip()
    if not text or _UNBOUNDED.search(text) or _PER_ITEM.search(cell):
        return None
    clock = _CLOCKS.fullmatch(text)
    if clock is not None:
        return _parse_clock_duration(clock, clock_unit)
    parts = re.split(r"\s\+\s", text)
    found = [_parse_single_duration(part) for part in parts]
    known = [each for each in found if each is not None]
    if len(known) < len(found) or not known:
        return None
    return Duration(
        sum(each.low for each in known),
        sum(each.high for each in known),
        max(each.half_step for each in known),
        max(each.tolerance for each in known),
    )


def is_instant(cell: str) -> bool:
    """Return whether a cell states that a step takes no time."""
    return bool(
        re.fullmatch(
            r"\W*(?:instant(?:aneous)?|immediate(?:ly)?|0|--|-|—|n/?a|negligible)\W*",
            cell.strip(),
            re.IGNORECASE,
        )
    )


def is_parallel_duration(cell: str) -> bool:
    """Return whether a cell states that a step runs parallel to others, or gives no single duration."""
    return bool(_PER_ITEM.search(cell) or _UNBOUNDED.search(cell))


def find_durations(text: str) -> list[tuple[Duration, Amount]]:
    """Return all durations with a time unit in a text, with their amounts. `1 h 20 min` is one duration."""
    found: list[tuple[Duration, Amount]] = []
    smallest = 0.0
    for amount in find_amounts(text):
        if amount.dimension != TIME:
            continue
        if found and amount.factor < smallest and not amount.is_range and not found[-1][0].is_range:
            before, start = found[-1]
            if _JOINING_TEXT.fullmatch(text, start.end, amount.start):
                low, high = amount.si
                joined = Duration(
                    before.low + low, before.high + high, amount.half_step * amount.factor, before.tolerance
                )
                found[-1] = (joined, replace(start, end=amount.end))
                smallest = amount.factor
                continue
        found.append((_convert_amount_to_duration(amount), amount))
        smallest = amount.factor
    return found


def _convert_amount_to_duration(amount: Amount) -> Duration:
    low, high = amount.si
    return Duration(low, high, amount.half_step * amount.factor, amount.tolerance)


def _parse_single_duration(text: str) -> Duration | None:
    """Parse one duration such as `1 hr 20 min`, `90 s` or `~2 hours total`. Return None otherwise."""
    at, pieces = 0, list[Amount]()
    body = text.strip()
    lead = re.match(r"(?:~|≈|about|approximately|approx\.?|around|up to|roughly)?\s*", body, re.IGNORECASE)
    at = lead.end() if lead is not None else 0
    while at < len(body):
        amount = parse_amount_at(body, at)
        if amount is None or amount.dimension == PLAIN:
            break
        pieces.append(amount)
        gap = re.compile(r"[\s,]*(?:and\s+)?").match(body, amount.end)
        at = gap.end() if gap is not None else amount.end
    if not pieces or any(piece.dimension != TIME for piece in pieces):
        return None
    if re.search(r"\d", body[at:]) or (len(pieces) > 1 and any(piece.is_range for piece in pieces)):
        return None
    tolerance = 0.05 if lead is not None and lead[0].strip() else 0.0
    return Duration(
        sum(piece.si[0] for piece in pieces),
        sum(piece.si[1] for piece in pieces),
        min(piece.half_step * piece.factor for piece in pieces),
        max(tolerance, *(piece.tolerance for piece in pieces)),
    )


def _parse_clock_duration(match: re.Match[str], clock_unit: float) -> Duration | None:
    named = {"m": MINUTE, "h": HOUR, "s": 1.0}.get((match[7] or " ")[0])
    unit = named or clock_unit
    if not unit:
        return None
    ends = [_convert_clock_to_seconds(match.group(1, 2, 3), unit)]
    if match[4] is not None:
        ends.append(_convert_clock_to_seconds(match.group(4, 5, 6), unit))
    return Duration(ends[0], ends[-1], unit / 60 / 2)


def _convert_clock_to_seconds(parts: tuple[str | None, ...], unit: float) -> float:
    first, second, third = (float(part) if part else 0.0 for part in parts)
    if parts[2] is not None:
        return first * HOUR + second * MINUTE + third
    return first * unit + second * unit / 60


def format_seconds(seconds: float) -> str:
    """Format a duration in seconds with a suitable unit."""
    for size, name in ((2 * 86400, "days"), (2 * HOUR, "h"), (2 * MINUTE, "min")):
        if seconds >= size:
            unit = {"days": 86400.0, "h": HOUR, "min": MINUTE}[name]
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds:.3g} s"
