"""SVG elements of charts: escaped text, lines, styles, and estimates of text width."""

from __future__ import annotations

import unicodedata
from html import escape
from typing import Final

from impossible_moments.evaluation.reports.report_elements import escape_invisible

TEXT_SIZE: Final = 13
LINE: Final = 16
_NARROW_CHARACTER: Final = 0.64
"""Character widths relative to the text size, estimated on the large side so that no box is too small."""
_WIDE_CHARACTER: Final = 1.05

TEXT_COLOUR: Final = "#1b1b1b"
MUTED_COLOUR: Final = "#5a5a5a"
RULE: Final = "#c9c9c9"
PAPER: Final = "#fff"
# fmt: off
SERIES: Final = (
    # on light    on dark    dashes
    ("#0b4f9e", "#7db4ff", ""),
    ("#b3440e", "#ff9d6b", "9 4"),
    ("#1f6e3a", "#7fd69b", "2 4"),
    ("#7a2d86", "#dc9be6", "12 4 2 4"),
    ("#7a5b00", "#e3c15a", "5 3"),
    ("#3d3d3d", "#d0d0d0", "1 3 7 3"),
)
# fmt: on
"""Series are distinguished by colour, and by dashes where colours are not visible."""

# A drawing includes its light colours, so that it is readable without the style sheet of the page.
_STYLES: Final = {
    "": "",
    "ring": f' class="ring" fill="none" stroke="{RULE}"',
    "ring-figure": f' class="ring-figure" fill="{MUTED_COLOUR}" font-size="11"',
    "quiet": f' class="quiet" fill="{MUTED_COLOUR}" font-size="11"',
    "whisker": ' stroke-width="2"',
    "hollow": f' class="hollow" fill="{PAPER}" stroke-width="2"',
}


def escape_text(text: str) -> str:
    """Return a text escaped for HTML and SVG."""
    return escape(escape_invisible(text))


def estimate_text_width(text: str, size: float = TEXT_SIZE) -> float:
    """Return an upper estimate of the width of a line of text."""
    return size * sum(
        _WIDE_CHARACTER if unicodedata.east_asian_width(each) in "WF" else _NARROW_CHARACTER for each in text
    )


def cut_text_to_width(text: str, width: float, size: float = TEXT_SIZE) -> str:
    """Return the text, shortened to a width if necessary."""
    if estimate_text_width(text, size) <= width:
        return text
    while text and estimate_text_width(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def format_coordinate(value: float) -> str:
    """Format a coordinate, short and identical on every machine."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")  # + 0.0 avoids -0


def render_text(text: str, x: float, y: float, *, anchor: str = "start", kind: str = "") -> str:
    """Render a line of text at a position."""
    return f'<text x="{format_coordinate(x)}" y="{format_coordinate(y)}" text-anchor="{anchor}"{format_style_attributes(kind)}>{escape_text(text)}</text>'


def format_style_attributes(kind: str) -> str:
    """Return the attributes of a kind of element, such as `ring`, `whisker`, `series 2` or `mark 2`."""
    name, _, number = kind.partition(" ")
    if name == "series":
        dashes = SERIES[int(number)][2]
        return ' fill="none" stroke-width="2.2"' + (f' stroke-dasharray="{dashes}"' if dashes else "")
    if name == "mark":
        return f' class="mark" fill="{SERIES[int(number)][0]}" stroke="none"'
    return _STYLES[kind]


def render_series_group(number: int, parts: str) -> str:
    """Wrap the elements of one series in a group with its colour."""
    return f'<g class="s{number}" stroke="{SERIES[number][0]}">{parts}</g>'


def render_line(start: tuple[float, float], end: tuple[float, float], *, kind: str) -> str:
    """Render a straight line."""
    (x1, y1), (x2, y2) = start, end
    return f'<line x1="{format_coordinate(x1)}" y1="{format_coordinate(y1)}" x2="{format_coordinate(x2)}" y2="{format_coordinate(y2)}"{format_style_attributes(kind)}/>'


def render_drawing(parts: list[str], *, width: float, height: float, title: str, description: str) -> str:
    """Render a complete drawing with a title and a text description."""
    return (
        f'<svg viewBox="0 0 {format_coordinate(width)} {format_coordinate(height)}" width="{format_coordinate(width)}" height="{format_coordinate(height)}" role="img" '
        f'font-family="system-ui, DejaVu Sans, sans-serif" font-size="{TEXT_SIZE}" fill="{TEXT_COLOUR}">'
        f"<title>{escape_text(title)}</title><desc>{escape_text(description)}</desc>{''.join(parts)}</svg>"
    )
