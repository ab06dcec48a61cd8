"""The whisker chart: estimates with error bars on one scale, as inline SVG."""

from __future__ import annotations

from typing import Final

from impossible_moments.evaluation.reports.form import Whiskers, with_bar
from impossible_moments.evaluation.reports.svg import (
    cut_to,
    drawing,
    line,
    place,
    series_group,
    styled,
    words,
)
from impossible_moments.evaluation.resampling import Estimate

WIDTH: Final = 760
LEFT: Final = 260
RIGHT: Final = 580
_ROW: Final = 28
_TOP: Final = 12
_CAP: Final = 5
_DOT: Final = 4.5


def whiskers(figure: Whiskers) -> str:
    """Render the rows below each other, with the formatted figures on the right."""
    bottom = _TOP + _ROW * len(figure.rows)
    parts = []
    for value in range(0, 101, 20):
        x = _across(value)
        parts.append(line((x, _TOP), (x, bottom), kind="ring"))
        parts.append(words(str(value), x, bottom + 16, anchor="middle", kind="ring-figure"))
    for at, (name, found) in enumerate(figure.rows):
        y = _TOP + _ROW * (at + 0.5)
        parts.append(words(cut_to(name, LEFT - 20), LEFT - 14, y + 4.5, anchor="end"))
        parts.append(_bar(found, y))
        parts.append(words(with_bar(found), RIGHT + 12, y + 4.5))
    description = "; ".join(f"{name} {with_bar(found)}" for name, found in figure.rows)
    return drawing(parts, width=WIDTH, height=bottom + 24, title=figure.title, description=description)


def _across(value: float) -> float:
    return LEFT + (RIGHT - LEFT) * min(max(value, 0.0), 100.0) / 100


def _bar(found: Estimate, y: float) -> str:
    """Render an estimate as a dot on its error bar with caps, or as a hollow dot without one."""
    if found.value is None:
        return ""
    hollow = found.low is None or found.high is None
    dot = f'<circle cx="{place(_across(found.value))}" cy="{place(y)}" r="{_DOT}"{styled("hollow" if hollow else "mark 0")}/>'
    if found.low is None or found.high is None:
        return series_group(0, dot)
    low, high = _across(found.low), _across(found.high)
    caps = "".join(line((x, y - _CAP), (x, y + _CAP), kind="whisker") for x in (low, high))
    return series_group(0, line((low, y), (high, y), kind="whisker") + caps + dot)
