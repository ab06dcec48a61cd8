"""The radar chart of categories as inline SVG, with series distinguished by dashes and marks."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin
from typing import Final

from impossible_moments.evaluation.reports.form import NOTHING, Radar, score
from impossible_moments.evaluation.reports.svg import (
    LINE,
    SERIES,
    TEXT_SIZE,
    cut_to,
    drawing,
    line,
    place,
    series_group,
    styled,
    width_of,
    words,
)

WIDTH: Final = 720
RADIUS: Final = 190
CENTRE: Final = (WIDTH / 2, 260)
MOST_SERIES: Final = len(SERIES)
"""The number of series that can be distinguished in one chart."""
RINGS: Final = (25, 50, 75, 100)
_AWAY: Final = 14
_LONGEST_LABEL: Final = 17
_MARK: Final = 4.0
_LEGEND_TOP: Final = CENTRE[1] + RADIUS + 66
_UPRIGHT: Final = 0.2
"""Labels of axes that lean less than this are centred."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Label:
    """An axis label as drawn: its lines, the position of the first, and its anchor."""

    lines: tuple[str, ...]
    x: float
    y: float
    anchor: str

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom, estimated on the large side."""
        width = max(width_of(each) for each in self.lines)
        left = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        top = self.y - TEXT_SIZE
        return left, top, left + width, top + LINE * len(self.lines)


def radar(figure: Radar) -> str:
    """Render the chart. A series is interrupted at missing values, which are not drawn as 0."""
    shown = figure.series[:MOST_SERIES]
    parts = [*_grid(len(figure.axes))]
    parts += [
        words(text, label.x, label.y + LINE * at, anchor=label.anchor)
        for label in labels(figure.axes)
        for at, text in enumerate(label.lines)
    ]
    parts += [_series(at, values) for at, (_, values) in enumerate(shown)]
    # the ring figures come last, so that no line hides them
    parts += [
        words(str(ring), CENTRE[0] + 4, CENTRE[1] - RADIUS * ring / 100 + TEXT_SIZE - 1, kind="ring-figure")
        for ring in RINGS
    ]
    rows = list(_legend(figure))
    parts += rows
    return drawing(
        parts,
        width=WIDTH,
        height=_LEGEND_TOP + LINE * 1.4 * len(rows),
        title=figure.title,
        description=_in_words(figure),
    )


def labels(axes: tuple[str, ...]) -> tuple[Label, ...]:
    """Return the labels around the outer ring, each outside its axis."""
    return tuple(_label(name, at, len(axes)) for at, name in enumerate(axes))


def _label(name: str, at: int, count: int) -> Label:
    lines = _broken(name)
    angle = 2 * pi * at / count
    x, y = _on_axis(at, count, RADIUS + _AWAY)
    lean = sin(angle)
    anchor = "middle" if abs(lean) < _UPRIGHT else "start" if lean > 0 else "end"
    # the label is above its point at the top, below it at the bottom, and next to it in between
    block = LINE * len(lines)
    y += TEXT_SIZE - block * (1 + cos(angle)) / 2
    return Label(lines, x, y, anchor)


def _broken(name: str) -> tuple[str, ...]:
    """Return a long name in two lines of similar length."""
    pieces = name.split()
    if len(name) <= _LONGEST_LABEL or len(pieces) == 1:
        return (name,)
    ways = [(" ".join(pieces[:at]), " ".join(pieces[at:])) for at in range(1, len(pieces))]
    return min(ways, key=lambda way: max(map(len, way)))


def _on_axis(at: int, count: int, distance: float) -> Point:
    """Return a point on an axis. The first axis points up and the others follow clockwise."""
    angle = 2 * pi * at / count
    return CENTRE[0] + distance * sin(angle), CENTRE[1] - distance * cos(angle)


def _grid(count: int) -> list[str]:
    rings = []
    for ring in RINGS:
        corners = " ".join(_pair(_on_axis(at, count, RADIUS * ring / 100)) for at in range(count))
        rings.append(f'<polygon points="{corners}"{styled("ring")}/>')
    return rings + [line(CENTRE, _on_axis(at, count, RADIUS), kind="ring") for at in range(count)]


def _pair(point: Point) -> str:
    return f"{place(point[0])},{place(point[1])}"


def _series(number: int, values: tuple[float | None, ...]) -> str:
    """Render one series: lines between neighbouring values, and a mark on each value."""
    count = len(values)
    points = [
        None if value is None else _on_axis(at, count, RADIUS * min(max(value, 0.0), 100.0) / 100)
        for at, value in enumerate(values)
    ]
    known = [point for point in points if point is not None]
    if len(known) == count:
        drawn = f'<polygon points="{" ".join(_pair(each) for each in known)}"{styled(f"series {number}")}/>'
    else:
        pairs = zip(points, [*points[1:], points[0]], strict=True)
        drawn = "".join(line(one, other, kind=f"series {number}") for one, other in pairs if one and other)
    return series_group(number, drawn + "".join(_mark(number, each) for each in known))


def _mark(number: int, point: Point) -> str:
    """Render a circle, square, triangle, diamond, inverted triangle or cross."""
    x, y = point
    far = _MARK * 1.4
    if number == 0:
        return f'<circle cx="{place(x)}" cy="{place(y)}" r="{place(_MARK)}"{styled("mark 0")}/>'
    shapes: tuple[tuple[Point, ...], ...] = (
        ((-_MARK, -_MARK), (_MARK, -_MARK), (_MARK, _MARK), (-_MARK, _MARK)),
        ((0, -far), (far, _MARK), (-far, _MARK)),
        ((0, -far), (far, 0), (0, far), (-far, 0)),
        ((0, far), (far, -_MARK), (-far, -_MARK)),
        ((-far, -1), (-1, -1), (-1, -far), (1, -far), (1, -1), (far, -1), (far, 1), (1, 1), (1, far), (-1, far), (-1, 1), (-far, 1)),
    )  # fmt: skip
    corners = " ".join(_pair((x + across, y + down)) for across, down in shapes[number - 1])
    return f'<polygon points="{corners}"{styled(f"mark {number}")}/>'


def _legend(figure: Radar) -> list[str]:
    """Return a line for each series, and one for the series that were left out."""
    rows = []
    left = CENTRE[0] - RADIUS
    for number, (name, _) in enumerate(figure.series[:MOST_SERIES]):
        y = _LEGEND_TOP + LINE * 1.4 * number
        rule = line((left, y - 4), (left + 44, y - 4), kind=f"series {number}")
        text = words(cut_to(name, WIDTH - left - 60), left + 56, y)
        rows.append(series_group(number, rule + _mark(number, (left + 22, y - 4))) + text)
    if (hidden := len(figure.series) - MOST_SERIES) > 0:
        y = _LEGEND_TOP + LINE * 1.4 * MOST_SERIES
        rows.append(words(f"{hidden} more only in the table", left, y, kind="quiet"))
    return rows


def _in_words(figure: Radar) -> str:
    """Return the values of the chart as text, for readers who cannot see it."""
    return ". ".join(
        f"{name}: "
        + ", ".join(
            f"{axis} {score(value).replace(NOTHING, 'not scored')}"
            for axis, value in zip(figure.axes, values, strict=True)
        )
        for name, values in figure.series[:MOST_SERIES]
    )
