"""The whisker chart: estimates with error bars on one scale, as inline SVG."""

from __future__ import annotations

from typing import Final

from impossible_moments.evaluation.reports.report_elements import WhiskerFigure, format_estimate
from impossible_moments.evaluation.reports.svg_elements import (
    cut_text_to_width,
    format_coordinate,
    format_style_attributes,
    render_drawing,
    render_line,
    render_series_group,
    render_text,
)
from impossible_moments.evaluation.statistics.resampling import MeanEstimate

WIDTH: Final = 760
LABEL_WIDTH: Final = 260
RIGHT: Final = 580
_ROW: Final = 28
_TOP: Final = 12
_CAP: Final = 5
_DOT: Final = 4.5


def render_whiskers(figure: WhiskerFigure) -> str:
    """Render the rows below each other, with the formatted figures on the right."""
    bottom = _TOP + _ROW * len(figure.rows)
    parts = []
    for value in range(0, 101, 20):
        x = _compute_x_position(value)
        parts.append(render_line((x, _TOP), (x, bottom), kind="ring"))
        parts.append(render_text(str(value), x, bottom + 16, anchor="middle", kind="ring-figure"))
    for at, (name, found) in enumerate(figure.rows):
        y = _TOP + _ROW * (at + 0.5)
        parts.append(
            render_text(cut_text_to_width(name, LABEL_WIDTH - 20), LABEL_WIDTH - 14, y + 4.5, anchor="end")
        )
        parts.append(_render_bar(found, y))
        parts.append(render_text(format_estimate(found), RIGHT + 12, y + 4.5))
    description = "; ".join(f"{name} {format_estimate(found)}" for name, found in figure.rows)
    return render_drawing(parts, width=WIDTH, height=bottom + 24, title=figure.title, description=description)


def _compute_x_position(value: float) -> float:
    return LABEL_WIDTH + (RIGHT - LABEL_WIDTH) * min(max(value, 0.0), 100.0) / 100


def _render_bar(estimate: MeanEstimate, y: float) -> str:
    """Render an estimate as a dot on its error bar with caps, or as a hollow dot without one."""
    if estimate.value is None:
        return ""
    hollow = estimate.low is None or estimate.high is None
    centre = format_coordinate(_compute_x_position(estimate.value))
    dot = f'<circle cx="{centre}" cy="{format_coordinate(y)}" r="{_DOT}"{format_style_attributes("hollow" if hollow else "mark 0")}/>'
    if estimate.low is None or estimate.high is None:
        return render_series_group(0, dot)
    low, high = _compute_x_position(estimate.low), _compute_x_position(estimate.high)
    caps = "".join(render_line((x, y - _CAP), (x, y + _CAP), kind="whisker") for x in (low, high))
    return render_series_group(0, render_line((low, y), (high, y), kind="whisker") + caps + dot)
