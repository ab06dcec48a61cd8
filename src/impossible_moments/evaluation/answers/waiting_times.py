"""Waiting times in plain words, such as 2 min 30 s."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.mechanics.numbers import ANSWER_NUMBER, normalize_decimal_comma

_NUMBER: Final = re.compile(rf"({ANSWER_NUMBER})\s*\[?([A-Za-z%°][\w/%°*^-]*)?")
_SECONDS: Final = {
    "s": 1.0, "sec": 1.0, "second": 1.0, "min": 60.0, "minute": 60.0, "h": 3600.0, "hr": 3600.0, "hour": 3600.0,
    "d": 86400.0, "day": 86400.0, "week": 604800.0,
}  # fmt: skip


def parse_waiting_time(text: str) -> Iterator[float]:
    """Yield the first time that a text states, in seconds, joining units (2 min 30 s); at most one."""
    total, last, end = 0.0, math.inf, 0
    for found in _NUMBER.finditer(text):
        factor = _SECONDS.get(found[2].lower().rstrip("s") or "s") if found[2] else None
        if factor is None:
            continue
        if total and (factor >= last or text[end : found.start()].strip(" ,") not in {"", "and"}):
            break
        total, last, end = total + float(normalize_decimal_comma(found[1])) * factor, factor, found.end()
    if last < math.inf:
        yield total
