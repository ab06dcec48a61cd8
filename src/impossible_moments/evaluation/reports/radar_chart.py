"""The radar chart of categories as inline SVG, with series distinguished by dashes and marks."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin
from typing import Final

from impossible_moments.evaluation.reports.report_elements import NOTHING, RadarFigure, format_score
from impossible_moments.evaluation.reports.svg_elements import (
    LINE,
    SERIES,
    TEXT_SIZE,
    cut_text_to_width,
    estimate_text_width,
    format_coordinate,
    format_style_attributes,
    render_drawing,
    render_line,
    render_series_group,
    render_text,
)

WIDTH: Final = 720
RADIUS: Final = 190
CENTRE: Final = (WIDTH / 2, 260)
MOST_SERIES: Final = len(SERIES)
"""The number of series that can be distinguished in one chart."""
RINGS: Final = (25, 50, 75, 100)
_LABEL_DISTANCE: Final = 14
_LONGEST_LABEL: Final = 17
_MARK: Final = 4.0
_LEGEND_TOP: Final = CENTRE[1] + RADIUS + 66
_VERTICAL_LIMIT: Final = 0.2
"""Labels of axes that lean less than this are centred."""

Point = tuple[float, float]


@dataclass(frozen=True)
class AxisLabel:
    """An axis label as drawn: its lines, the position of the first, and its anchor."""

    lines: tuple[str, ...]
    x: float
    y: float
    anchor: str

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom, estimated on the large side."""
        width = max(estimate_text_width(each) for each in self.lines)
        left = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        top = self.y - TEXT_SIZE
        return left, top, left + width, top + LINE * len(self.lines)


def render_radar(figure: RadarFigure) -> str:
    """Render the chart. A series is interrupted at missing values, which are not drawn as 0."""
    drawn_series = figure.series[:MOST_SERIES]
    parts = [*_render_grid(len(figure.axes))]
    parts += [
        render_text(text, label.x, label.y + LINE * at, anchor=label.anchor)
        for label in place_axis_labels(figure.axes)
        for at, text in enumerate(label.lines)
    ]
    parts += [_render_series(at, values) for at, (_, values) in enumerate(drawn_series)]
    # the ring figures come last, so that no line hides them
    parts += [
        render_text(
            str(ring), CENTRE[0] + 4, CENTRE[1] - RADIUS * ring / 100 + TEXT_SIZE - 1, kind="ring-figure"
        )
        for ring in RINGS
    ]
    rows = list(_render_legend(figure))
    parts += rows
    return render_drawing(
        parts,
        width=WIDTH,
        height=_LEGEND_TOP + LINE * 1.4 * len(rows),
        title=figure.title,
        description=_describe_radar(figure),
    )


def place_axis_labels(axes: tuple[str, ...]) -> tuple[AxisLabel, ...]:
    """Return the labels around the outer ring, each outside its axis."""
    return tuple(_place_axis_label(name, at, len(axes)) for at, name in enumerate(axes))


def _place_axis_label(name: str, at: int, count: int) -> AxisLabel:
    lines = _split_label_lines(name)
    angle = 2 * pi * at / count
    x, y = _compute_axis_point(at, count, RADIUS + _LABEL_DISTANCE)
    lean = sin(angle)
    anchor = "middle" if abs(lean) < _VERTICAL_LIMIT else "start" if lean > 0 else "end"
    # the label is above its point at the top, below it at the bottom, and next to it in between
    block = LINE * len(lines)
    y += TEXT_SIZE - block * (1 + cos(angle)) / 2
    return AxisLabel(lines, x, y, anchor)


def _split_label_lines(name: str) -> tuple[str, ...]:
    """Return a long name in two lines of similar length."""
    pieces = name.split()
    if len(name) <= _LONGEST_LABEL or len(pieces) == 1:
        return (name,)
    splits = [(" ".join(pieces[:at]), " ".join(pieces[at:])) for at in range(1, len(pieces))]
    return min(splits, key=lambda way: max(map(len, way)))


def _compute_axis_point(at: int, count: int, distance: float) -> Point:
    """Return a point on an axis. The first axis points up and the others follow clockwise."""
    angle = 2 * pi * at / count
    return CENTRE[0] + distance * sin(angle), CENTRE[1] - distance * cos(angle)


def _render_grid(count: int) -> list[str]:
    rings = []
    for ring in RINGS:
        corners = " ".join(
            _format_point(_compute_axis_point(at, count, RADIUS * ring / 100)) for at in range(count)
        )
        rings.append(f'<polygon points="{corners}"{format_style_attributes("ring")}/>')
    return rings + [
        render_line(CENTRE, _compute_axis_point(at, count, RADIUS), kind="ring") for at in range(count)
    ]


def _format_point(point: Point) -> str:
    return f"{format_coordinate(point[0])},{format_coordinate(point[1])}"


def _render_series(number: int, values: tuple[float | None, ...]) -> str:
    """Render one series: lines between neighbouring values, and a mark on each value."""
    count = len(values)
    points = [
        None if value is None else _compute_axis_point(at, count, RADIUS * min(max(value, 0.0), 100.0) / 100)
        for at, value in enumerate(values)
    ]
    known = [point for point in points if point is not None]
    if len(known) == count:
        polygon = f'<polygon points="{" ".join(_format_point(each) for each in known)}"{format_style_attributes(f"series {number}")}/>'
    else:
        pairs = zip(points, [*points[1:], points[0]], strict=True)
        polygon = "".join(
            render_line(one, other, kind=f"series {number}") for one, other in pairs if one and other
        )
    return render_series_group(number, polygon + "".join(_render_mark(number, each) for each in known))


def _render_mark(number: int, point: Point) -> str:
    """Render a circle, square, triangle, diamond, inverted triangle or cross."""
    x, y = point
    diagonal = _MARK * 1.4
    if number == 0:
        return f'<circle cx="{format_coordinate(x)}" cy="{format_coordinate(y)}" r="{format_coordinate(_MARK)}"{format_style_attributes("mark 0")}/>'
    shapes: tuple[tuple[Point, ...], ...] = (
        ((-_MARK, -_MARK), (_MARK, -_MARK), (_MARK, _MARK), (-_MARK, _MARK)),
        ((0, -diagonal), (diagonal, _MARK), (-diagonal, _MARK)),
        ((0, -diagonal), (diagonal, 0), (0, diagonal), (-diagonal, 0)),
        ((0, diagonal), (diagonal, -_MARK), (-diagonal, -_MARK)),
        ((-diagonal, -1), (-1, -1), (-1, -diagonal), (1, -diagonal), (1, -1), (diagonal, -1), (diagonal, 1), (1, 1), (1, diagonal), (-1, diagonal), (-1, 1), (-diagonal, 1)),
    )  # fmt: skip
    corners = " ".join(_format_point((x + across, y + down)) for across, down in shapes[number - 1])
    return f'<polygon points="{corners}"{format_style_attributes(f"mark {number}")}/>'


def _render_legend(figure: RadarFigure) -> list[str]:
    """Return a line for each series, and one for the series that were left out."""
    rows = []
    left = CENTRE[0] - RADIUS
    for number, (name, _) in enumerate(figure.series[:MOST_SERIES]):
        y = _LEGEND_TOP + LINE * 1.4 * number
        rule = render_line((left, y - 4), (left + 44, y - 4), kind=f"series {number}")
        text = render_text(cut_text_to_width(name, WIDTH - left - 60), left + 56, y)
        rows.append(render_series_group(number, rule + _render_mark(number, (left + 22, y - 4))) + text)
    if (hidden := len(figure.series) - MOST_SERIES) > 0:
        y = _LEGEND_TOP + LINE * 1.4 * MOST_SERIES
        rows.append(render_text(f"{hidden} more only in the table", left, y, kind="quiet"))
    return rows


def _describe_radar(figure: RadarFigure) -> str:
    """Return the values of the chart as text, for readers who cannot see it."""
    return ". ".join(
        f"{name}: "
        + ", ".join(
            f"{axis} {format_score(value).replace(NOTHING, 'not scored')}"
            for axis, value in zip(figure.axes, values, strict=True)
        )
        for name, values in figure.series[:MOST_SERIES]
    )
